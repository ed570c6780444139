"""OpenAI Agents SDK for Python, openai-agents 0.24.0 with openai 3.57.0.

Followed: single = one `Agent` and `Runner.run` (openai.github.io/openai-agents-python/running_agents), tools by `function_tool` (…/tools), a client of one's
own (…/models). Set: model, temperature, max tokens, tools, instructions; `max_turns` to the model calls; tracing off. Endpoint: Responses, the SDK's default.
Left: two retries of the client; tool errors and bad arguments go to the model as one fixed sentence; an unknown tool ends the run; strict tools.
Cannot: in either setting, tell an empty last reply from an answer (no hook stands between the reply and the end of the run).
hardened: client time-out; `tool_not_found_behavior="return_error_to_model"` (…/running_agents); a `failure_error_function` (…/tools) that tells the model what
a tool's error or the check of its arguments says.
"""

from typing import Any

from agents import Agent, ModelSettings, OpenAIProvider, RunConfig, Runner, function_tool
from openai import AsyncOpenAI

from agentgauge import Prepared, Terms
from agentgauge.tool_functions import async_function


def error_text(context: Any, error: Exception) -> str:
    return f"Error: {error}"


def single(terms: Terms) -> Prepared:
    model = terms.model
    hardened = terms.hardened
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if hardened else {}
    client = AsyncOpenAI(base_url=model.base_url, api_key=model.api_key, **timeout)
    telling: dict[str, Any] = {"failure_error_function": error_text} if hardened else {}
    not_found: dict[str, Any] = {"tool_not_found_behavior": "return_error_to_model"} if hardened else {}
    agent = Agent(
        name="Assistant",
        instructions=terms.system_text or None,
        model=model.name,
        model_settings=ModelSettings(temperature=model.temperature, max_tokens=model.max_tokens),
        tools=[function_tool(async_function(tool), **telling) for tool in terms.tools],
    )
    config = RunConfig(model_provider=OpenAIProvider(openai_client=client), tracing_disabled=True, **not_found)

    async def run() -> str:
        result = await Runner.run(agent, terms.user_text, max_turns=terms.cap(), run_config=config)
        return str(result.final_output or "")

    return Prepared(run, client.close)


adapter = {"single": single}
