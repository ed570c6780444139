"""What the LangChain and the LangGraph row share: the chat model and the tools, as the documentation of both has them."""

from collections.abc import Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, tool
from langchain_openai import ChatOpenAI

from agentgauge.terms import Terms
from agentgauge.tool_functions import async_function

ASK_AGAIN: Final = "Your reply was empty, or its call could not be read. Call a tool, or answer."


def chat_model(terms: Terms) -> ChatOpenAI:
    """Chat Completions is said, since the client otherwise decides by the model's name. Its retries (2) are its default, and it has no time-out of its own."""
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    return ChatOpenAI(
        model=model.name,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        base_url=model.base_url,
        api_key=model.api_key,
        use_responses_api=False,
        **timeout,
    )


def structured_tools(terms: Terms) -> list[BaseTool]:
    return [tool(async_function(each), parse_docstring=True) for each in terms.tools]


def feedback(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """What hardened says to a reply that would end the run in silence: an answer to each call whose arguments are no JSON, and a user text where nothing is
    left to run. Empty when the reply holds a text or good calls alone."""
    last = messages[-1]
    if not isinstance(last, AIMessage):
        return []
    told: list[BaseMessage] = [
        ToolMessage(f"Error: arguments are no JSON: {call['args']}", tool_call_id=call["id"], name=call["name"]) for call in last.invalid_tool_calls
    ]
    return told if last.tool_calls or (last.text and not told) else [*told, HumanMessage(ASK_AGAIN)]
