"""The agent of the Pydantic AI row in all its shapes; the opening of `pydantic_ai.py` says what is set and why."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from pydantic_ai import Agent, ModelRetry, ModelSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from agentgauge import Terms, Tool
from agentgauge.tool_functions import async_function


def telling(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    async def told(*args: Any, **kwargs: Any) -> Any:
        try:
            return await function(*args, **kwargs)
        except Exception as error:
            raise ModelRetry(f"Error: {error}") from error

    return told


def agent_of(terms: Terms, instructions: str, tools: Sequence[Tool], **more: Any) -> Agent[None, Any]:
    model = terms.model
    functions = [async_function(tool) for tool in tools]
    settings = ModelSettings(temperature=model.temperature, max_tokens=model.max_tokens)
    hardened: dict[str, Any] = {"retries": terms.cap()} if terms.hardened else {}
    return Agent(
        OpenAIChatModel(model.name, provider=OpenAIProvider(base_url=model.base_url, api_key=model.api_key)),
        instructions=instructions or None,
        tools=[telling(function) for function in functions] if terms.hardened else functions,
        model_settings=ModelSettings(**settings, timeout=model.timeout_s) if terms.hardened else settings,
        **hardened,
        **more,
    )
