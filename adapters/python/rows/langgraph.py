"""LangGraph for Python, langgraph 1.2.24 with langchain-openai 1.7.4.

Followed: single = the prebuilt agent (langchain-ai.github.io/langgraph/agents/agents). The reference calls `create_react_agent` deprecated in favour of
LangChain's `create_agent`, which is the row `langchain-py`; it is still the one agent that LangGraph itself has, and what the paper measured.
idiomatic = a state graph with conditional edges (docs.langchain.com/oss/python/langgraph/workflows-agents), two graphs of that page in one: "Agents", a node
that asks the model with its tools bound, a `ToolNode` and an edge that goes on to it for as long as there are calls; "Evaluator-optimizer", who is done goes
to an evaluator with structured output, whose edge ends the run or leads back with its feedback.
dag = orchestrator and workers (same page): a planner `with_structured_output`, a `Send` for each subtask, a key whose reducer collects what they found, one
node that joins it; each worker is the prebuilt agent.
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
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, create_react_agent
from langgraph.types import Command, Send
from pydantic import BaseModel, Field

from agentgauge import Prepared, Terms
from agentgauge.langchain_parts import chat_model, feedback, structured_tools
from agentgauge.shapes import PLANNER, synthesis_system, synthesis_text, worker_terms


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


EVALUATOR = "You are the evaluator. Accept what answers the question in the form that it asks for; reject anything else, and say what is missing."


class Verdict(BaseModel):
    grade: Literal["accepted", "rejected"] = Field(description="Whether this can be handed in.")
    feedback: str = Field(description="If it is rejected, what has to be done.")


class Graded(MessagesState):
    grade: str


def idiomatic(terms: Terms) -> Prepared:
    if not terms.tools:
        return single(terms)
    tools = structured_tools(terms)
    model = chat_model(terms)
    agent, evaluator = model.bind_tools(tools), model.with_structured_output(Verdict)
    system = [SystemMessage(terms.system_text)] if terms.system_text else []

    async def ask(state: Graded) -> Any:
        return {"messages": [await agent.ainvoke([*system, *state["messages"]])]}

    def tell(state: Graded) -> Any:
        return {"messages": feedback(state["messages"])}

    def after(state: Graded) -> str:
        if terms.hardened and feedback(state["messages"]):
            return "tell"
        return "tools" if state["messages"][-1].tool_calls else "evaluate"

    async def evaluate(state: Graded) -> Any:
        answered = f"{terms.user_text}\n\nWhat was answered:\n{state['messages'][-1].text}"
        verdict = await evaluator.ainvoke([SystemMessage(EVALUATOR), HumanMessage(answered)])
        return {"grade": verdict.grade, "messages": [] if verdict.grade == "accepted" else [HumanMessage(verdict.feedback)]}

    builder = StateGraph(Graded)
    builder.add_node("ask", ask)
    builder.add_node("tools", ToolNode(tools, **({"handle_tool_errors": True} if terms.hardened else {})))
    builder.add_node("tell", tell)
    builder.add_node("evaluate", evaluate)
    builder.add_edge(START, "ask")
    builder.add_conditional_edges("ask", after, ["tell", "tools", "evaluate"])
    builder.add_edge("tell", "tools")
    builder.add_edge("tools", "ask")
    builder.add_conditional_edges("evaluate", lambda state: END if state["grade"] == "accepted" else "ask", [END, "ask"])
    graph = builder.compile()
    steps = 3 if terms.hardened else 2

    async def run() -> str:
        limit: Any = {"recursion_limit": terms.cap(lambda calls: steps * calls)}
        result = await graph.ainvoke({"messages": [{"role": "user", "content": terms.user_text}]}, limit)
        return str(result["messages"][-1].text)

    return Prepared(run)


class Plan(BaseModel):
    subtasks: list[str]


class Division(TypedDict):
    subtasks: list[str]
    findings: Annotated[list[str], operator.add]
    answer: str


def dag(terms: Terms) -> Prepared:
    if not terms.tools:
        return single(terms)
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


adapter = {"single": single, "idiomatic": idiomatic, "dag": dag}
