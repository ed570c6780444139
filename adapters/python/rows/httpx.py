"""The floor of Python: no framework at all, a plain loop over httpx 0.28.1.

Followed: the function-calling guide of OpenAI (platform.openai.com/docs/guides/function-calling), its loop in Chat Completions, and httpx's
quick start (www.python-httpx.org/async). Set: model, temperature, max tokens, tools, prompt, and the loop's own count of model calls.
`default` is the loop of the page, which handles no error: an unknown tool, broken arguments or a tool that raises ends the run; the client's
time-out is its 5 s. `hardened` gives these three back to the model as the tool's text, and sets the client time-out.
Cannot: anything else. An empty last reply is handed on as it is, in both settings.
"""

from typing import Any

import httpx

from agentgauge import Prepared, Terms
from agentgauge.floor_calls import floor_calls, opening
from agentgauge.tool_functions import json_tool


def single(terms: Terms) -> Prepared:
    model = terms.model
    timeout = {"timeout": model.timeout_s} if terms.hardened else {}
    client = httpx.AsyncClient(base_url=model.base_url, headers={"authorization": f"Bearer {model.api_key}"}, **timeout)
    call = floor_calls(terms)
    tools = {"tools": [json_tool(tool) for tool in terms.tools]} if terms.tools else {}
    sampling = {"temperature": model.temperature, "max_tokens": model.max_tokens}

    async def run() -> str:
        messages: list[dict[str, Any]] = opening(terms)
        for _ in range(terms.cap()):
            response = await client.post("/chat/completions", json={"model": model.name, "messages": messages, **tools, **sampling})
            if response.is_error:
                raise RuntimeError(f"HTTP {response.status_code}: {response.text}")
            message = response.json()["choices"][0]["message"]
            messages.append(message)
            if not message.get("tool_calls"):
                return message["content"] or ""
            for each in message["tool_calls"]:
                messages.append({"role": "tool", "tool_call_id": each["id"], "content": await call(each["function"])})
        raise RuntimeError(f"no answer after {terms.cap()} model calls")

    return Prepared(run, client.aclose)


adapter = {"single": single}
