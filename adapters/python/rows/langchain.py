"""LangChain for Python, langchain 1.5.2 with langchain-openai 1.7.4.

Followed: single = `create_agent` with a system prompt and tools made by `@tool` (docs.langchain.com/oss/python/langchain/agents and …/tools).
Set: model, temperature, max tokens, tools, prompt; `recursion_limit` to the super-steps of the model calls; Chat Completions rather than by model name.
Left: two retries of the client, error feedback of the tool node for bad arguments and unknown tools, no middleware.
Cannot: tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence); go on after a tool that raises.
hardened: client time-out; `ToolErrorMiddleware` (…/langchain/middleware/built-in); `ModelCallLimitMiddleware` in place of the limit of super-steps; an
`after_model` hook (…/langchain/middleware/custom, agent jumps) that answers broken JSON and an empty last reply and jumps back to the model.
"""

from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentState, ModelCallLimitMiddleware, ToolErrorMiddleware, after_model
from langgraph.runtime import Runtime

from agentgauge import Prepared, Terms
from agentgauge.langchain_parts import chat_model, feedback, structured_tools


@after_model(can_jump_to=["model"])
def silence(state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
    told = feedback(state["messages"])
    pending = state["messages"][-1].tool_calls
    return {"messages": told, **({} if pending else {"jump_to": "model"})} if told else None


def single(terms: Terms) -> Prepared:
    cap = terms.cap()
    errors = ToolErrorMiddleware(lambda error, request: f"Error: {error}")
    agent = create_agent(
        chat_model(terms),
        structured_tools(terms),
        system_prompt=terms.system_text or None,
        # Hooks after the model run from last to first: the limit has counted the call before the jump.
        middleware=[silence, errors, ModelCallLimitMiddleware(run_limit=cap, exit_behavior="error")] if terms.hardened else [],
    )
    limit: dict[str, Any] = {} if terms.hardened else {"recursion_limit": terms.cap(lambda calls: 2 * calls)}

    async def run() -> str:
        result = await agent.ainvoke({"messages": [{"role": "user", "content": terms.user_text}]}, limit)
        return str(result["messages"][-1].text)

    return Prepared(run)


adapter = {"single": single}
