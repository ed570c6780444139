"""AutoGen, autogen-agentchat 0.7.5 with autogen-ext 0.7.5.

Followed: single = `AssistantAgent.run` (microsoft.github.io/autogen/stable/user-guide/agentchat-user-guide/tutorial/agents.html), tools as `FunctionTool`
(…/core-user-guide/components/tools.html), `OpenAIChatCompletionClient` with the `model_info` that another server than OpenAI's needs (…/tutorial/models.html).
idiomatic = two agents in conversation (…/tutorial/teams.html): a `RoundRobinGroupChat` of a primary agent, who has the tools, and a critic, whose APPROVE
ends it (`TextMentionTermination`). The answer is the primary's last message. The system text stands before the critic's words too.
dag = a mixture of agents on the core runtime: autogen_dag.py.
Set: model, temperature, max tokens, tools, system message; `max_tool_iterations` to the model calls (its default, 1, hands back the first tool's text).
Left: two retries and 10 min of the client; unknown tools, broken JSON, bad arguments and tool errors, which it tells the model.
Cannot: tell a run that has used its iterations, whose answer is the last tools' text, or an empty reply, from an answer: no option and no hook does. Nor
count the calls of two agents together: `max_tool_iterations` is a turn's, `max_turns` the team's, and the gateway has the sum.
hardened: client time-out; nothing else of the list has an option, or it is so by default.
"""

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import TextMentionTermination
from autogen_agentchat.teams import RoundRobinGroupChat

from agentgauge import Prepared, Terms
from agentgauge.shapes import adapter_of, with_system
from rows.autogen_dag import dag
from rows.autogen_parts import assistant, client_of, until_cancelled

CRITIC = (
    "You are a critic: review the answer of your colleague, who has tools, and give constructive feedback. Respond with 'APPROVE' when the answer is right."
)


def single(terms: Terms) -> Prepared:
    client = client_of(terms)
    agent = assistant(terms, client, "assistant")

    async def run() -> str:
        result = await agent.run(task=terms.user_text)
        return result.messages[-1].to_text()

    return Prepared(run, client.close)


def idiomatic(terms: Terms) -> Prepared:
    client = client_of(terms)
    critic = AssistantAgent("critic", model_client=client, system_message=with_system(terms, CRITIC))
    team = RoundRobinGroupChat([assistant(terms, client, "primary"), critic], termination_condition=TextMentionTermination("APPROVE"), max_turns=terms.cap())

    async def run() -> str:
        result = await until_cancelled(lambda token: team.run(task=terms.user_text, cancellation_token=token))
        return next((message.to_text() for message in reversed(result.messages) if message.source == "primary"), "")

    return Prepared(run, client.close)


adapter = adapter_of(single, idiomatic=idiomatic, dag=dag)
