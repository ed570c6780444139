"""LangGraph for Python, langgraph 1.2.24 with langchain-openai 1.7.4.

Followed: single = the prebuilt agent (langchain-ai.github.io/langgraph/agents/agents). The reference calls `create_react_agent` deprecated in favour of
LangChain's `create_agent`, which is the row `langchain-py`; it is still the one agent that LangGraph itself has, and what the paper measured.
idiomatic = a state graph with conditional edges: langgraph_idiomatic.py.
dag = orchestrator and workers (docs.langchain.com/oss/python/langgraph/workflows-agents): a planner `with_structured_output`, a `Send` for each subtask, a key
whose reducer collects what they found, one node that joins it; each worker is the prebuilt agent.
Set: model, temperature, max tokens, tools, prompt; `recursion_limit` to the super-steps of the model calls; Chat Completions rather than by model name.
Left: two retries of the client; error feedback of the tool node for bad arguments and unknown tools.
Cannot: tell a malformed call from an answer (a call whose arguments are no JSON ends the run in silence); go on after a tool that raises. At the limit it
answers with a notice of its own.
hardened: client time-out; `ToolNode(handle_tool_errors=True)` (…/how-tos/tool-calling, handle errors); a `post_model_hook` (reference of `create_react_agent`)
that answers broken JSON and an empty last reply and goes on by `Command` to the tool node, which runs what is left to run: so a turn is three super-steps
whatever happens (two without tools, where it goes on to the agent), and the cap stays exact.
"""

import operator
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypedDict

from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode, create_react_agent
from langgraph.types import Command, Send

from agentgauge import Prepared, Terms
from agentgauge.langchain_parts import chat_model, feedback, structured_tools
from agentgauge.plan import Plan
from agentgauge.shapes import PLANNER, adapter_of, synthesis_system, synthesis_text, worker_terms
from rows.langgraph_idiomatic import idiomatic


def prebuilt(terms: Terms) -> Callable[[str], Awaitable[str]]:
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

    async def ask(user_text: str) -> str:
        result = await agent.ainvoke({"messages": [{"role": "user", "content": user_text}]}, limit)
        return str(result["messages"][-1].text)

    return ask


def single(terms: Terms) -> Prepared:
    ask = prebuilt(terms)
    return Prepared(lambda: ask(terms.user_text))


class Division(TypedDict):
    subtasks: list[str]
    findings: Annotated[list[str], operator.add]
    answer: str


def dag(terms: Terms) -> Prepared:
    model = chat_model(terms)
    planner = model.with_structured_output(Plan)
    work = prebuilt(worker_terms(terms))

    async def plan(state: Division) -> Any:
        return {"subtasks": (await planner.ainvoke([SystemMessage(PLANNER), HumanMessage(terms.user_text)])).subtasks}

    async def find(sent: Any) -> Any:
        return {"findings": [await work(sent["subtask"])]}

    async def join(state: Division) -> Any:
        reply = await model.ainvoke([SystemMessage(synthesis_system(terms)), HumanMessage(synthesis_text(terms, state["findings"]))])
        return {"answer": reply.text}

    builder = StateGraph(Division)
    builder.add_node("plan", plan)
    builder.add_node("find", find)
    builder.add_node("join", join)
    builder.add_edge(START, "plan")
    builder.add_conditional_edges("plan", lambda state: [Send("find", {"subtask": each}) for each in state["subtasks"]], ["find"])
    builder.add_edge("find", "join")
    builder.add_edge("join", END)
    graph = builder.compile()

    async def run() -> str:
        return str((await graph.ainvoke({})).get("answer", ""))

    return Prepared(run)


adapter = adapter_of(single, idiomatic=idiomatic, dag=dag)
