"""Pydantic AI, pydantic-ai-slim 2.68.0 with openai 3.57.0.

Followed: single = one `Agent` with instructions and plain functions as tools (ai.pydantic.dev/agents and …/tools), `OpenAIChatModel` with a provider of one's
own (…/models/openai). Set: model, temperature, max tokens, tools, instructions; `UsageLimits(request_limit)` to the model calls (…/agents, usage limits).
Left: one retry for what it tells the model itself (unknown tool, bad arguments, an empty reply), two retries of the client, strict tools.
Cannot: take two calls with one id (it ends the run); run the good call of a reply beside one that it refuses to read.
hardened: client time-out; `retries` up to the cap (…/agents, reflection and self-correction); a tool that raises is told by `ModelRetry` (…/tools-advanced).
"""

import functools
from collections.abc import Callable
from typing import Any

from pydantic_ai import Agent, ModelRetry, ModelSettings, UsageLimits
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from agentgauge import Prepared, Terms
from agentgauge.tool_functions import async_function


def telling(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def told(*args: Any, **kwargs: Any) -> Any:
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            raise ModelRetry(f"Error: {error}") from error

    return told


def single(terms: Terms) -> Prepared:
    model = terms.model
    functions = [async_function(tool) for tool in terms.tools]
    settings = ModelSettings(temperature=model.temperature, max_tokens=model.max_tokens)
    hardened: dict[str, Any] = {"retries": terms.cap()} if terms.hardened else {}
    agent = Agent(
        OpenAIChatModel(model.name, provider=OpenAIProvider(base_url=model.base_url, api_key=model.api_key)),
        instructions=terms.system_text or None,
        tools=[telling(function) for function in functions] if terms.hardened else functions,
        model_settings=ModelSettings(**settings, timeout=model.timeout_s) if terms.hardened else settings,
        **hardened,
    )
    limits = UsageLimits(request_limit=terms.cap())

    async def run() -> str:
        result = await agent.run(terms.user_text, usage_limits=limits)
        return str(result.output)

    return Prepared(run)


adapter = {"single": single}
