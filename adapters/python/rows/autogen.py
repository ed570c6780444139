"""AutoGen, autogen-agentchat 0.7.5 with autogen-ext 0.7.5.

Followed: single = `AssistantAgent.run` (microsoft.github.io/autogen/stable/user-guide/agentchat-user-guide/tutorial/agents.html), tools as `FunctionTool`
(…/core-user-guide/components/tools.html), `OpenAIChatCompletionClient` with the `model_info` that another server than OpenAI's needs (…/tutorial/models.html).
idiomatic = two agents in conversation (…/tutorial/teams.html): a `RoundRobinGroupChat` of a primary agent, who has the tools, and a critic, whose APPROVE
ends it (`TextMentionTermination`). The answer is the primary's last message. The system text stands before the critic's words too.
dag = a mixture of agents (…/core-user-guide/design-patterns/mixture-of-agents): an orchestrator that sends each worker its subtask at once, through the runtime
of autogen-core; the planner a `create` with a `json_output`, each worker the agent of `single`. (`GraphFlow` must know its nodes before it runs.)
Set: model, temperature, max tokens, tools, system message; `max_tool_iterations` to the model calls (its default, 1, hands back the first tool's text).
Left: two retries and 10 min of the client; unknown tools, broken JSON, bad arguments and tool errors, which it tells the model.
Cannot: tell a run that has used its iterations, whose answer is the last tools' text, or an empty reply, from an answer: no option and no hook does. Nor
count the calls of two agents together: `max_tool_iterations` is a turn's, `max_turns` the team's, and the gateway has the sum.
hardened: client time-out; nothing else of the list has an option, or it is so by default.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import AgentId, CancellationToken, MessageContext, RoutedAgent, SingleThreadedAgentRuntime, message_handler
from autogen_core.models import ModelFamily, SystemMessage, UserMessage
from autogen_core.tools import FunctionTool
from autogen_ext.models.openai import OpenAIChatCompletionClient
from pydantic import BaseModel

from agentgauge import Prepared, Terms
from agentgauge.shapes import PLANNER, synthesis_system, synthesis_text, with_system, worker_terms
from agentgauge.tool_functions import async_function

CRITIC = (
    "You are a critic: review the answer of your colleague, who has tools, and give constructive feedback. Respond with 'APPROVE' when the answer is right."
)


def client_of(terms: Terms) -> OpenAIChatCompletionClient:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    return OpenAIChatCompletionClient(
        model=model.name,
        base_url=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        model_info={"vision": False, "function_calling": True, "json_output": True, "structured_output": True, "family": ModelFamily.UNKNOWN},
        **timeout,
    )


def assistant(terms: Terms, client: OpenAIChatCompletionClient, name: str) -> AssistantAgent:
    tools: Any = [FunctionTool(async_function(tool, annotated=True), description=tool.description, name=tool.name) for tool in terms.tools]
    return AssistantAgent(name, model_client=client, system_message=terms.system_text or None, tools=tools, max_tool_iterations=terms.cap())


async def until_cancelled(work: Callable[[CancellationToken], Awaitable[Any]]) -> Any:
    """What runs in a runtime is stopped by its token, and not by the end of the task that waits for it."""
    token = CancellationToken()
    running = asyncio.ensure_future(work(token))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        token.cancel()
        await asyncio.wait([running])
        raise


def single(terms: Terms) -> Prepared:
    client = client_of(terms)
    agent = assistant(terms, client, "assistant")

    async def run() -> str:
        result = await agent.run(task=terms.user_text)
        return result.messages[-1].to_text()

    return Prepared(run, client.close)


def idiomatic(terms: Terms) -> Prepared:
    if not terms.tools:
        return single(terms)
    client = client_of(terms)
    critic = AssistantAgent("critic", model_client=client, system_message=with_system(terms, CRITIC))
    team = RoundRobinGroupChat([assistant(terms, client, "primary"), critic], termination_condition=TextMentionTermination("APPROVE"), max_turns=terms.cap())

    async def run() -> str:
        result = await until_cancelled(lambda token: team.run(task=terms.user_text, cancellation_token=token))
        return next((message.to_text() for message in reversed(result.messages) if message.source == "primary"), "")

    return Prepared(run, client.close)


class Plan(BaseModel):
    subtasks: list[str]


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
    if not terms.tools:
        return single(terms)
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


adapter = {"single": single, "idiomatic": idiomatic, "dag": dag}
