"""LlamaIndex for Python, llama-index-core 0.14.25 with llama-index-llms-openai-like 0.8.1.

Followed: single = `FunctionAgent` (developers.llamaindex.ai/python/framework/understanding/agent), tools as annotated functions
(…/module_guides/deploying/agents/tools), `OpenAILike` for another server than OpenAI's (…/examples/llm/openai_like).
idiomatic = an `AgentWorkflow` of specialists that hand off to each other (…/understanding/agent/multi_agent, the first pattern), with the one who looks up as
its root. No query engine over an index: the terms' tools give text, and an engine that reads it would be a model call that no other row makes.
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

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from llama_index.core.agent.workflow import AgentOutput, AgentWorkflow, FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.workflow import Context, Event, StartEvent, StopEvent, Workflow, step
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel, validate_call

from agentgauge import Prepared, Terms, Tool
from agentgauge.shapes import PLANNER, specialists_for, synthesis_system, synthesis_text, with_system, worker_terms
from agentgauge.tool_functions import async_function


class AsksAgain(FunctionAgent):
    async def take_step(self, *args: Any, **kwargs: Any) -> AgentOutput:
        output = await super().take_step(*args, **kwargs)
        if not output.tool_calls and not output.response.content:
            output.retry_messages = [ChatMessage(role="user", content="Your reply was empty. Call a tool, or answer.")]
        return output


def chat_model(terms: Terms) -> OpenAILike:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    return OpenAILike(
        model=model.name,
        api_base=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        is_chat_model=True,
        is_function_calling_model=True,
        should_use_structured_outputs=True,
        **timeout,
    )


def agent_of(terms: Terms, tools: tuple[Tool, ...], system_text: str, **more: Any) -> FunctionAgent:
    functions = [async_function(tool, annotated=True) for tool in tools]
    return (AsksAgain if terms.hardened else FunctionAgent)(
        tools=[validate_call(function) for function in functions] if terms.hardened else functions,
        llm=chat_model(terms),
        system_prompt=system_text or None,
        **more,
    )


async def finished(handler: Any) -> str:
    try:
        return str(await asyncio.shield(handler))
    except asyncio.CancelledError:
        await handler.cancel_run()
        raise


def asking(terms: Terms, agent: FunctionAgent | AgentWorkflow) -> Callable[[str], Awaitable[str]]:
    limit = terms.cap(lambda calls: calls + 1)
    return lambda user_text: finished(agent.run(user_text, max_iterations=limit))


def single(terms: Terms) -> Prepared:
    ask = asking(terms, agent_of(terms, terms.tools, terms.system_text))
    return Prepared(lambda: ask(terms.user_text))


def idiomatic(terms: Terms) -> Prepared:
    if not terms.tools:
        return single(terms)
    agents = [
        agent_of(
            terms,
            one.tools,
            with_system(terms, f"You are the {one.name} agent. {one.about} When the question needs tools that you lack, hand off to an agent that has them."),
            name=one.name,
            description=one.about,
        )
        for one in sorted(specialists_for(terms.tools), key=lambda one: one.name == "calculation")
    ]
    ask = asking(terms, AgentWorkflow(agents=agents, root_agent=agents[0].name))
    return Prepared(lambda: ask(terms.user_text))


class Plan(BaseModel):
    subtasks: list[str]


class HandedOut(Event):
    subtask: str


class Found(Event):
    report: str


class Division(Workflow):
    def __init__(self, terms: Terms) -> None:
        super().__init__(timeout=None)
        self.terms = terms
        self.llm = chat_model(terms)
        self.work = asking(terms, agent_of(terms, terms.tools, worker_terms(terms).system_text))

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
    if not terms.tools:
        return single(terms)
    division = Division(terms)
    return Prepared(lambda: finished(division.run()))


adapter = {"single": single, "idiomatic": idiomatic, "dag": dag}
