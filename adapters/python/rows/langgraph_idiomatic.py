"""Shape `idiomatic` of LangGraph for Python, langgraph 1.2.24: a state graph with conditional edges.

Followed: docs.langchain.com/oss/python/langgraph/workflows-agents, two of its graphs in one. "Agents": a node that asks the model with its tools bound, a
`ToolNode` and an edge that goes on to it for as long as there are calls. "Evaluator-optimizer": who is done goes to an evaluator with structured output, whose
edge ends the run or leads back with its feedback.
Set: as in langgraph.py; `recursion_limit` is 2M super-steps of the whole graph, of which a turn with tools takes two and an evaluation one.
Cannot: bound the evaluator's loop by anything but the `recursion_limit`: an answer that it never accepts ends in an error.
hardened: client time-out, `handle_tool_errors`; an edge more, to a node that tells the model of broken JSON and of an empty reply and goes on to the tools
(three steps a turn).
"""

from typing import Any, Literal

from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from pydantic import BaseModel, Field

from agentgauge import Prepared, Terms
from agentgauge.langchain_parts import chat_model, feedback, structured_tools

EVALUATOR = "You are the evaluator. Accept what answers the question in the form that it asks for; reject anything else, and say what is missing."


class Verdict(BaseModel):
    grade: Literal["accepted", "rejected"] = Field(description="Whether this can be handed in.")
    feedback: str = Field(description="If it is rejected, what has to be done.")


class Graded(MessagesState):
    grade: str


def idiomatic(terms: Terms) -> Prepared:
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
