"""GraphBit, the real one: graphbit 0.6.8, and 0.6.7 in a row of its own.

Followed: single = a workflow of one agent node with tools, `Executor.execute` (docs.graphbit.ai: user-guide/workflow-builder, …/tools), and the one
constructor that takes an address of one's own, `LlmConfig.bytedance`, which speaks Chat Completions (…/llm-providers).
Set: model, temperature, max tokens, tools, system prompt; `max_iterations` to one less than the model calls, since it counts the rounds after the first.
Built and run in one thread, where alone a node finds its own tools.
Left: its schemas (every parameter is described as "Parameter NAME"), 60 s of its client.
Cannot: keep the system text after the first request; run two calls at once; check arguments; retry (no option has an effect); be cancelled; tell a failure: a
run whose model call failed is `is_success()` with no output. 0.6.7 asks "Hello" once more before a run and glues prompt, results and answer together.
hardened: a time-out of the whole run, as many client time-outs as there are model calls; there is no option for anything else.
"""

from itertools import count
from typing import Any

from graphbit import Executor, LlmConfig, Node, Workflow, tool

from agentgauge import Prepared, Terms
from agentgauge.threads import in_thread
from agentgauge.tool_functions import blocking_function

LONGEST_S = 3600
numbers = count(1)


async def single(terms: Terms) -> Prepared:
    model = terms.model
    timeout: dict[str, Any] = {"timeout_seconds": int(min(LONGEST_S, model.timeout_s * terms.agent_cap))} if terms.hardened else {}

    def build() -> tuple[Any, Any]:
        executor = Executor(LlmConfig.bytedance(model.api_key, model.name, model.base_url), **timeout)
        workflow = Workflow("question")
        tools = [tool(_description=each.description)(blocking_function(each)) for each in terms.tools]
        workflow.add_node(
            Node.agent(
                name="agent",
                prompt=terms.user_text,
                agent_id=f"agent-{next(numbers)}",
                system_prompt=terms.system_text or None,
                tools=tools or None,
                temperature=model.temperature,
                max_tokens=model.max_tokens,
                max_iterations=terms.cap(lambda calls: calls - 1),
            )
        )
        return executor, workflow

    executor, workflow = await in_thread(build)

    def work() -> str:
        output = executor.execute(workflow).get_node_output("agent")
        return "" if output is None else str(output)

    return Prepared(lambda: in_thread(work))


adapter = {"single": single}
