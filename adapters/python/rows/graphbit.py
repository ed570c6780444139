"""GraphBit, the real one: graphbit 0.6.8, and 0.6.7 in a row of its own.

Followed: single = a workflow of one agent node with tools, `Executor.execute` (docs.graphbit.ai: user-guide/workflow-builder, …/tools), and the one
constructor that takes an address of one's own, `LlmConfig.bytedance`, which speaks Chat Completions (…/llm-providers).
idiomatic = planner → worker → synthesis, connected (…/workflow-builder, sequential): nodes are fixed before a run, so the plan is text for one worker, who
has all tools and the question once more (in its tool rounds it sees its own prompt alone).
dag (0.6.8) = two workflows, one run after the other: the planner alone, then a worker node for each subtask and a synthesis that all are connected to.
Set: model, temperature, max tokens, tools, system prompt; `max_iterations` to one less than the model calls, since it counts the rounds after the first.
Built and run in one thread, where alone a node finds its own tools.
Left: its schemas (every parameter is described as "Parameter NAME"), 60 s of its client.
Cannot: keep the system text after the first request; run two calls at once; check arguments; retry (no option has an effect); be cancelled; tell a failure: a
run whose model call failed is `is_success()` with no output. 0.6.7 asks "Hello" once more for each node before a run, glues prompt, results
and answer together, and reads braces in a prompt as a template's: it refuses a plan's schema in words, so it has no `dag`.
In shapes of several nodes: make nodes of a plan while it runs; ask for a schema (the planner is told it in words); give the synthesis its findings as others
have them (they stand before its prompt in GraphBit's own form); hold back a node until its parents' tools have run (it asks once too early, and again).
hardened: a time-out of the whole run, as many client time-outs as there are model calls; there is no option for anything else.
"""

import json
from collections.abc import Sequence
from itertools import count, pairwise
from typing import Any

from graphbit import Executor, LlmConfig, Node, Workflow, tool

from agentgauge import Prepared, Terms, Tool
from agentgauge.shapes import PLAN_SCHEMA, PLANNER, WORKER, adapter_of, synthesis_system
from agentgauge.threads import in_thread
from agentgauge.tool_functions import blocking_function

LONGEST_S = 3600
numbers = count(1)


def node(terms: Terms, name: str, system_text: str, prompt: str, tools: Sequence[Tool] = ()) -> Node:
    functions = [tool(_description=each.description)(blocking_function(each)) for each in tools]
    return Node.agent(
        name=name,
        prompt=prompt,
        agent_id=f"{name}-{next(numbers)}",
        system_prompt=system_text or None,
        tools=functions or None,
        temperature=terms.model.temperature,
        max_tokens=terms.model.max_tokens,
        max_iterations=terms.cap(lambda calls: calls - 1),
    )


def executor_of(terms: Terms) -> Executor:
    model = terms.model
    timeout: dict[str, Any] = {"timeout_seconds": int(min(LONGEST_S, model.timeout_s * terms.agent_cap))} if terms.hardened else {}
    return Executor(LlmConfig.bytedance(model.api_key, model.name, model.base_url), **timeout)


def chain(*nodes: Node) -> Workflow:
    workflow = Workflow("question")
    for one, following in pairwise([workflow.add_node(each) for each in nodes]):
        workflow.connect(one, following)
    return workflow


def fan_in(nodes: Sequence[Node], join: Node) -> Workflow:
    workflow = Workflow("question")
    last = workflow.add_node(join)
    for each in nodes:
        workflow.connect(workflow.add_node(each), last)
    return workflow


def output_of(executor: Executor, workflow: Workflow, name: str) -> str:
    output = executor.execute(workflow).get_node_output(name)
    return "" if output is None else str(output)


async def single(terms: Terms) -> Prepared:
    def build() -> tuple[Executor, Workflow]:
        return executor_of(terms), chain(node(terms, "agent", terms.system_text, terms.user_text, terms.tools))

    built = await in_thread(build)
    return Prepared(lambda: in_thread(lambda: output_of(*built, "agent")))


async def idiomatic(terms: Terms) -> Prepared:
    def build() -> tuple[Executor, Workflow]:
        return executor_of(terms), chain(
            node(terms, "planner", PLANNER, terms.user_text),
            node(terms, "worker", WORKER, terms.user_text, terms.tools),
            node(terms, "synthesis", synthesis_system(terms), terms.user_text),
        )

    built = await in_thread(build)
    return Prepared(lambda: in_thread(lambda: output_of(*built, "synthesis")))


async def dag(terms: Terms) -> Prepared:
    schema = f"Reply with a JSON object of this schema: {json.dumps(PLAN_SCHEMA)}"

    def build() -> tuple[Executor, Workflow]:
        return executor_of(terms), chain(node(terms, "planner", f"{PLANNER}\n{schema}", terms.user_text))

    executor, planning = await in_thread(build)

    def work() -> str:
        planned = executor.execute(planning).get_node_output("planner")
        subtasks = (json.loads(planned) if isinstance(planned, str) else planned)["subtasks"]
        workers = [node(terms, f"worker-{at}", WORKER, subtask, terms.tools) for at, subtask in enumerate(subtasks)]
        return output_of(executor, fan_in(workers, node(terms, "synthesis", synthesis_system(terms), terms.user_text)), "synthesis")

    return Prepared(lambda: in_thread(work))


adapter = adapter_of(single, idiomatic=idiomatic, dag=dag)
