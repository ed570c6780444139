"""Shape `dag` of AutoGen, autogen-core 0.7.5.

Followed: a mixture of agents (microsoft.github.io/autogen/stable/user-guide/core-user-guide/design-patterns/mixture-of-agents): an orchestrator that sends each
worker its subtask at once, through the runtime of autogen-core; the planner a `create` with a `json_output`, each worker the agent of `single`. (`GraphFlow`
must know its nodes before it runs.)
Set and hardened: as in autogen.py.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

from autogen_core import AgentId, CancellationToken, MessageContext, RoutedAgent, SingleThreadedAgentRuntime, message_handler
from autogen_core.models import SystemMessage, UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient

from agentgauge import Prepared, Terms
from agentgauge.plan import Plan
from agentgauge.shapes import PLANNER, synthesis_system, synthesis_text, worker_terms
from rows.autogen_parts import assistant, client_of, until_cancelled


@dataclass
class Told:
    text: str


class Worker(RoutedAgent):
    def __init__(self, terms: Terms, client: OpenAIChatCompletionClient) -> None:
        super().__init__("worker")
        self.agent = assistant(worker_terms(terms), client, "worker")

    @message_handler
    async def work(self, message: Told, ctx: MessageContext) -> Told:
        result = await self.agent.run(task=message.text, cancellation_token=ctx.cancellation_token)
        return Told(result.messages[-1].to_text())


class Orchestrator(RoutedAgent):
    def __init__(self, terms: Terms, client: OpenAIChatCompletionClient) -> None:
        super().__init__("orchestrator")
        self.terms, self.client = terms, client

    async def ask(self, system: str, text: str, token: CancellationToken, **more: Any) -> str:
        messages = [SystemMessage(content=system), UserMessage(content=text, source="user")]
        return str((await self.client.create(messages, cancellation_token=token, **more)).content)

    @message_handler
    async def divide(self, message: Told, ctx: MessageContext) -> Told:
        token = ctx.cancellation_token
        plan = Plan.model_validate_json(await self.ask(PLANNER, message.text, token, json_output=Plan))
        sent = [
            self.send_message(Told(subtask), AgentId("worker", f"{self.id.key}/{at}"), cancellation_token=token) for at, subtask in enumerate(plan.subtasks)
        ]
        # All are waited for, also when one fails: nobody may go on asking behind the back of a run that has ended.
        done = await asyncio.gather(*sent, return_exceptions=True)
        reports: list[str] = []
        for one in done:
            if isinstance(one, BaseException):
                raise one
            reports.append(one.text)
        return Told(await self.ask(synthesis_system(self.terms), synthesis_text(self.terms, reports), token))


async def dag(terms: Terms) -> Prepared:
    client = client_of(terms)
    runtime = SingleThreadedAgentRuntime()
    await Worker.register(runtime, "worker", lambda: Worker(terms, client))
    await Orchestrator.register(runtime, "orchestrator", lambda: Orchestrator(terms, client))

    async def run() -> str:
        runtime.start()
        told = await until_cancelled(lambda token: runtime.send_message(Told(terms.user_text), AgentId("orchestrator", "default"), cancellation_token=token))
        return str(told.text)

    async def close() -> None:
        await runtime.stop()
        await client.close()

    return Prepared(run, close)
