"""LangChain for Python, langchain 1.5.2 with langchain-openai 1.7.4.

Followed: single = `create_agent` with a system prompt and tools made by `@tool` (docs.langchain.com/oss/python/langchain/agents and …/tools).
idiomatic = a sequential chain of ReAct agents: one for each kind of tools, those that look up before the one that computes, as `RunnableSequence` has it
(reference.langchain.com/python/langchain-core/runnables): an agent takes and returns messages, so the next one goes on in the conversation, behind a user
message (a conversation that ends with an agent's own words is no request). Each agent has its limit for itself.
Set: model, temperature, max tokens, tools, prompt; `recursion_limit` to the super-steps of the model calls; Chat Completions rather than by model name.
Left: two retries of the client, error feedback of the tool node for bad arguments and unknown tools, no middleware.
Cannot: go back in a chain; tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence); go on after a tool that raises.
hardened: client time-out; `ToolErrorMiddleware` (…/langchain/middleware/built-in); `ModelCallLimitMiddleware` in place of the limit of super-steps; an
`after_model` hook (…/langchain/middleware/custom, agent jumps) that answers broken JSON and an empty last reply and jumps back to the model.
"""

import functools
from dataclasses import replace
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentState, ModelCallLimitMiddleware, ToolErrorMiddleware, after_model
from langchain_core.messages import HumanMessage
from langchain_core.runnables import Runnable
from langgraph.runtime import Runtime

from agentgauge import Prepared, Terms, Tool
from agentgauge.langchain_parts import chat_model, feedback, structured_tools
from agentgauge.shapes import Specialist, adapter_of, specialists_for, with_system


@after_model(can_jump_to=["model"])
def silence(state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
    told = feedback(state["messages"])
    pending = state["messages"][-1].tool_calls
    return {"messages": told, **({} if pending else {"jump_to": "model"})} if told else None


def react_agent(terms: Terms, tools: tuple[Tool, ...], system_text: str) -> Runnable[Any, Any]:
    errors = ToolErrorMiddleware(lambda error, request: f"Error: {error}")
    return create_agent(
        chat_model(terms),
        structured_tools(replace(terms, tools=tools)),
        system_prompt=system_text or None,
        # Hooks after the model run from last to first: the limit has counted the call before the jump.
        middleware=[silence, errors, ModelCallLimitMiddleware(run_limit=terms.cap(), exit_behavior="error")] if terms.hardened else [],
    )


def prepared(terms: Terms, chain: Runnable[Any, Any], hardened_steps: Any) -> Prepared:
    limit: Any = hardened_steps if terms.hardened else {"recursion_limit": terms.cap(lambda calls: 2 * calls)}

    async def run() -> str:
        result = await chain.ainvoke({"messages": [{"role": "user", "content": terms.user_text}]}, limit)
        return str(result["messages"][-1].text)

    return Prepared(run)


def single(terms: Terms) -> Prepared:
    return prepared(terms, react_agent(terms, terms.tools, terms.system_text), {})


GO_ON = "Go on from what has been found, with the tools that you have. Answer as soon as you can."


def go_on(state: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [*state["messages"], HumanMessage(GO_ON)]}


def idiomatic(terms: Terms) -> Prepared:
    def agent(one: Specialist) -> Runnable[Any, Any]:
        part = f"You are the {one.name} agent in a chain of agents. {one.about} Do what your tools can do for the question; whoever comes after you has others."
        return react_agent(terms, one.tools, with_system(terms, part))

    computes_last = sorted(specialists_for(terms.tools), key=lambda one: one.name == "calculation")
    chain: Runnable[Any, Any] = functools.reduce(lambda chain, following: chain | go_on | following, map(agent, computes_last))
    # A sequence hands its agents LangChain's own 25 super-steps, where nothing is said; a call takes at most six.
    return prepared(terms, chain, {"recursion_limit": 6 * terms.agent_cap})


adapter = adapter_of(single, idiomatic=idiomatic)
