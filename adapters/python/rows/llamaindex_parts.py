"""What the shapes of the LlamaIndex row share: client, agent and run of `llamaindex.py`, whose opening says what is set and why."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from llama_index.core.agent.workflow import AgentOutput, AgentWorkflow, FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import AsyncBaseTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import validate_call

from agentgauge import Terms, Tool
from agentgauge.tool_functions import async_function


class AsksAgain(FunctionAgent):
    async def take_step(self, *args: Any, **kwargs: Any) -> AgentOutput:
        output = await super().take_step(*args, **kwargs)
        if not output.tool_calls and not output.response.content:
            output.retry_messages = [ChatMessage(role="user", content="Your reply was empty. Call a tool, or answer.")]
        return output


def chat_model(terms: Terms) -> OpenAILike:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    return OpenAILike(
        model=model.name,
        api_base=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        is_chat_model=True,
        is_function_calling_model=True,
        should_use_structured_outputs=True,
        **timeout,
    )


def checked(terms: Terms, function: Callable[..., Any]) -> Callable[..., Any]:
    return validate_call(function) if terms.hardened else function


def functions_of(terms: Terms, tools: Sequence[Tool]) -> list[AsyncBaseTool | Callable[..., Any]]:
    return [checked(terms, async_function(tool, annotated=True)) for tool in tools]


def agent_of(terms: Terms, tools: Sequence[AsyncBaseTool | Callable[..., Any]], system_text: str, **more: Any) -> FunctionAgent:
    return (AsksAgain if terms.hardened else FunctionAgent)(
        tools=list(tools),
        llm=chat_model(terms),
        system_prompt=system_text or None,
        **more,
    )


async def finished(handler: Any) -> str:
    try:
        return str(await asyncio.shield(handler))
    except asyncio.CancelledError:
        await handler.cancel_run()
        raise


def asking(terms: Terms, agent: FunctionAgent | AgentWorkflow) -> Callable[[str], Awaitable[str]]:
    limit = terms.cap(lambda calls: calls + 1)
    return lambda user_text: finished(agent.run(user_text, max_iterations=limit))
