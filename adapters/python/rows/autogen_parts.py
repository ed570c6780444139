"""What the shapes of the AutoGen row share: the client and the agent of `autogen.py`, whose opening says what is set and why, and how a runtime is stopped."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_core import CancellationToken
from autogen_core.models import ModelFamily
from autogen_core.tools import FunctionTool
from autogen_ext.models.openai import OpenAIChatCompletionClient

from agentgauge import Terms
from agentgauge.tool_functions import async_function


def client_of(terms: Terms) -> OpenAIChatCompletionClient:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    return OpenAIChatCompletionClient(
        model=model.name,
        base_url=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        model_info={"vision": False, "function_calling": True, "json_output": True, "structured_output": True, "family": ModelFamily.UNKNOWN},
        **timeout,
    )


def assistant(terms: Terms, client: OpenAIChatCompletionClient, name: str) -> AssistantAgent:
    tools: Any = [FunctionTool(async_function(tool, annotated=True), description=tool.description, name=tool.name) for tool in terms.tools]
    return AssistantAgent(name, model_client=client, system_message=terms.system_text or None, tools=tools, max_tool_iterations=terms.cap())


async def until_cancelled(work: Callable[[CancellationToken], Awaitable[Any]]) -> Any:
    """What runs in a runtime is stopped by its token, and not by the end of the task that waits for it."""
    token = CancellationToken()
    running = asyncio.ensure_future(work(token))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        token.cancel()
        await asyncio.wait([running])
        raise
