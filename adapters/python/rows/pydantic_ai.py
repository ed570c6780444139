"""Pydantic AI, pydantic-ai-slim 2.68.0 with openai 3.57.0.

Followed: single = one `Agent` with instructions and plain functions as tools (ai.pydantic.dev/agents and …/tools), `OpenAIChatModel` with a provider of one's
own (…/models/openai). idiomatic = delegation among typed agents (…/multi-agent-applications, agent delegation): a parent whose tools run a specialist each
and share its usage; what a specialist gives is a `Report` (…/output), through a tool.
dag = a graph that maps over the subtasks and joins (…/graph/builder/parallel): the planner an agent with a `NativeOutput` (…/output), the worker the agent of
`single`; all share one usage.
Set: model, temperature, max tokens, tools, instructions; `UsageLimits(request_limit)` to the model calls, of all agents together (…/agents, usage limits).
Left: one retry for what it tells the model itself (unknown tool, bad arguments, an empty reply), two retries of the client, strict tools.
Cannot: take two calls with one id (it ends the run); run the good call of a reply beside one that it refuses to read.
hardened: client time-out; `retries` up to the cap (…/agents, reflection and self-correction); a tool that raises is told by `ModelRetry` (…/tools-advanced).
"""

from typing import Any

from pydantic import BaseModel, Field
from pydantic_ai import Agent, NativeOutput, RunContext, RunUsage, UsageLimits
from pydantic_graph import GraphBuilder, StepContext, reduce_list_append

from agentgauge import Prepared, Terms
from agentgauge.plan import Plan
from agentgauge.shapes import PLANNER, WORKER, Specialist, adapter_of, coworkers_for, synthesis_system, synthesis_text
from rows.pydantic_ai_parts import agent_of


class Report(BaseModel):
    """What a specialist found out."""

    findings: list[str] = Field(description="A line for each value: what it is, a colon, the value as the source has it.")
    complete: bool = Field(description="Whether everything that was asked for could be found.")


def prepared(terms: Terms, agent: Agent[None, Any]) -> Prepared:
    limits = UsageLimits(request_limit=terms.cap())

    async def run() -> str:
        result = await agent.run(terms.user_text, usage_limits=limits)
        return str(result.output)

    return Prepared(run)


def single(terms: Terms) -> Prepared:
    return prepared(terms, agent_of(terms, terms.system_text, terms.tools))


def delegate(terms: Terms, parent: Agent[None, Any], specialist: Specialist) -> None:
    agent = agent_of(terms, WORKER, specialist.tools, output_type=Report)
    limits = UsageLimits(request_limit=terms.cap())

    @parent.tool(name=f"ask_{specialist.name}_specialist", description=f"Hand a task to the {specialist.name} specialist. {specialist.about}")
    async def ask(ctx: RunContext[None], task: str) -> Report:
        return (await agent.run(task, usage=ctx.usage, usage_limits=limits)).output


def idiomatic(terms: Terms) -> Prepared:
    parent = agent_of(terms, terms.system_text, [])
    for specialist in coworkers_for(terms.tools):
        delegate(terms, parent, specialist)
    return prepared(terms, parent)


def dag(terms: Terms) -> Prepared:
    planner = agent_of(terms, PLANNER, [], output_type=NativeOutput(Plan))
    worker = agent_of(terms, WORKER, terms.tools)
    joiner = agent_of(terms, synthesis_system(terms), [])
    together: Any = {"usage": RunUsage(), "usage_limits": UsageLimits(request_limit=terms.cap())}
    graph = GraphBuilder(input_type=str, output_type=str)

    @graph.step
    async def plan(ctx: StepContext[None, None, str]) -> list[str]:
        return list((await planner.run(ctx.inputs, **together)).output.subtasks)

    @graph.step
    async def find(ctx: StepContext[None, None, str]) -> str:
        return str((await worker.run(ctx.inputs, **together)).output)

    @graph.step
    async def join(ctx: StepContext[None, None, list[str]]) -> str:
        return str((await joiner.run(synthesis_text(terms, ctx.inputs), **together)).output)

    found = graph.join(reduce_list_append, initial_factory=list[str])
    graph.add(
        graph.edge_from(graph.start_node).to(plan),
        graph.edge_from(plan).map().to(find),
        graph.edge_from(find).to(found),
        graph.edge_from(found).to(join),
        graph.edge_from(join).to(graph.end_node),
    )
    built = graph.build()
    return Prepared(lambda: built.run(inputs=terms.user_text))


adapter = adapter_of(single, idiomatic=idiomatic, dag=dag)
