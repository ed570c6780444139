"""LlamaIndex for Python, llama-index-core 0.14.25 with llama-index-llms-openai-like 0.8.1.

Followed: single = `FunctionAgent` (developers.llamaindex.ai/python/framework/understanding/agent), tools as annotated functions
(…/module_guides/deploying/agents/tools), `OpenAILike` for another server than OpenAI's (…/examples/llm/openai_like).
idiomatic = query engines as tools for documents, else an `AgentWorkflow` of specialists: llamaindex_idiomatic.py.
dag = fan-out and fan-in of a workflow (…/llamaagents/workflows/concurrent_execution): `ctx.send_event` for each subtask, `ctx.collect_events`; the planner an
`as_structured_llm` (…/module_guides/querying/structured_outputs), each worker the agent of `single`.
Set: model, temperature, max tokens, tools, system prompt; `max_iterations` to one more than the model calls, since the limit is looked at before an answer is
taken.
Left: streaming, three retries and 60 s of its client; a `context_window` of 3,900 tokens, of which a workflow of several agents keeps three quarters as its
memory: a long conversation loses its beginning at a hand-off, the question with it.
Cannot: refuse a call whose arguments are cut (it closes the JSON and runs the tool with what is there); end its requests when its task is cancelled, for
which `cancel_run` is there.
hardened: client time-out; tools checked by pydantic's `validate_call`; an agent of one's own whose `take_step` asks for a retry after an empty reply
(`AgentOutput.retry_messages`).
"""

from collections.abc import Awaitable, Callable

from llama_index.core.llms import ChatMessage
from llama_index.core.workflow import Context, Event, StartEvent, StopEvent, Workflow, step

from agentgauge import Prepared, Terms
from agentgauge.plan import Plan
from agentgauge.shapes import PLANNER, adapter_of, synthesis_system, synthesis_text, worker_terms
from rows.llamaindex_idiomatic import idiomatic
from rows.llamaindex_parts import agent_of, asking, chat_model, finished, functions_of


def plain_agent(terms: Terms) -> Callable[[str], Awaitable[str]]:
    """One agent with all tools, whose every run is a conversation of its own."""
    return asking(terms, agent_of(terms, functions_of(terms, terms.tools), terms.system_text))


def single(terms: Terms) -> Prepared:
    ask = plain_agent(terms)
    return Prepared(lambda: ask(terms.user_text))


class HandedOut(Event):
    subtask: str


class Found(Event):
    report: str


class Division(Workflow):
    def __init__(self, terms: Terms) -> None:
        super().__init__(timeout=None)
        self.terms = terms
        self.llm = chat_model(terms)
        self.work = plain_agent(worker_terms(terms))

    @step
    async def plan(self, ctx: Context, ev: StartEvent) -> HandedOut | None:
        planned = await self.llm.as_structured_llm(Plan).achat([ChatMessage(role="system", content=PLANNER), ChatMessage(self.terms.user_text)])
        await ctx.store.set("parts", len(planned.raw.subtasks))
        for subtask in planned.raw.subtasks:
            ctx.send_event(HandedOut(subtask=subtask))
        return None

    @step(num_workers=16)
    async def find(self, ev: HandedOut) -> Found:
        return Found(report=await self.work(ev.subtask))

    @step
    async def join(self, ctx: Context, ev: Found) -> StopEvent | None:
        found = ctx.collect_events(ev, [Found] * await ctx.store.get("parts"))
        if found is None:
            return None
        told = ChatMessage(synthesis_text(self.terms, [each.report for each in found]))
        reply = await self.llm.achat([ChatMessage(role="system", content=synthesis_system(self.terms)), told])
        return StopEvent(result=reply.message.content)


def dag(terms: Terms) -> Prepared:
    division = Division(terms)
    return Prepared(lambda: finished(division.run()))


adapter = adapter_of(single, idiomatic=idiomatic, dag=dag)
