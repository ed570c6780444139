"""LangGraph for Python, langgraph 1.2.24 with langchain-openai 1.7.4.

Followed: single = the prebuilt agent (langchain-ai.github.io/langgraph/agents/agents). The reference calls `create_react_agent` deprecated in favour of
LangChain's `create_agent`, which is the row `langchain-py`; it is still the one agent that LangGraph itself has, and what the paper measured.
Set: model, temperature, max tokens, tools, prompt; `recursion_limit` to the super-steps of the model calls; Chat Completions rather than by model name.
Left: two retries of the client; error feedback of the tool node for bad arguments and unknown tools.
Cannot: tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence); go on after a tool that raises. At the limit it
answers with a notice of its own.
hardened: client time-out; `ToolNode(handle_tool_errors=True)` (…/how-tos/tool-calling, handle errors); a `post_model_hook` (reference of `create_react_agent`)
that answers broken JSON and an empty last reply and goes on by `Command` to the tool node, which runs what is left to run: so a turn is three super-steps
whatever happens (two without tools, where it goes on to the agent), and the cap stays exact.
"""

from typing import Any

from langgraph.prebuilt import ToolNode, create_react_agent
from langgraph.types import Command

from agentgauge import Prepared, Terms
from agentgauge.langchain_parts import chat_model, feedback, structured_tools


def single(terms: Terms) -> Prepared:
    tools = structured_tools(terms)
    after = "tools" if tools else "agent"

    def silence(state: dict[str, Any]) -> Any:
        told = feedback(state["messages"])
        if state["messages"][-1].tool_calls or not told:
            return {"messages": told}
        return Command(goto=after, update={"messages": told})

    hardened: dict[str, Any] = {"post_model_hook": silence} if terms.hardened else {}
    agent = create_react_agent(
        chat_model(terms),
        ToolNode(tools, handle_tool_errors=True) if terms.hardened else tools,
        prompt=terms.system_text or None,
        **hardened,
    )
    steps = 3 if terms.hardened and tools else 2
    limit: Any = {"recursion_limit": terms.cap(lambda calls: steps * calls)}

    async def run() -> str:
        result = await agent.ainvoke({"messages": [{"role": "user", "content": terms.user_text}]}, limit)
        return str(result["messages"][-1].text)

    return Prepared(run)


adapter = {"single": single}
