"""OpenAI client for Python, openai 3.57.0: a loop of one's own over `chat.completions.create`. A floor with a client library.

Followed: README of the package (github.com/openai/openai-python) and the function-calling guide (platform.openai.com/docs/guides/function-calling).
Set: model, temperature, max tokens, tools, prompt, and the loop's own count of model calls. The client's retries (2) and time-out (10 min) are its defaults.
`default` handles no error of a call; `hardened` gives unknown tool, broken JSON and tool errors back to the model, and sets the client's time-out.
Cannot: anything else. The client retries by itself; each retry is a request of its own.
"""

from typing import Any

from openai import AsyncOpenAI

from agentgauge import Prepared, Terms
from agentgauge.floor_calls import floor_calls, opening
from agentgauge.tool_functions import json_tool


def single(terms: Terms) -> Prepared:
    model = terms.model
    timeout = {"timeout": model.timeout_s} if terms.hardened else {}
    client = AsyncOpenAI(base_url=model.base_url, api_key=model.api_key, **timeout)
    call = floor_calls(terms)
    fixed = {"model": model.name, "temperature": model.temperature, "max_tokens": model.max_tokens}
    tools = {"tools": [json_tool(tool) for tool in terms.tools]} if terms.tools else {}

    async def run() -> str:
        messages: list[Any] = opening(terms)
        for _ in range(terms.cap()):
            completion = await client.chat.completions.create(messages=messages, **fixed, **tools)
            message = completion.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                return message.content or ""
            for each in message.tool_calls:
                messages.append({"role": "tool", "tool_call_id": each.id, "content": await call(each.function.model_dump())})
        raise RuntimeError(f"no answer after {terms.cap()} model calls")

    return Prepared(run, client.close)


adapter = {"single": single}
