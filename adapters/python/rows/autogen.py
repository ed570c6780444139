"""AutoGen, autogen-agentchat 0.7.5 with autogen-ext 0.7.5.

Followed: single = `AssistantAgent.run` (microsoft.github.io/autogen/stable/user-guide/agentchat-user-guide/tutorial/agents.html), tools as `FunctionTool`
(…/core-user-guide/components/tools.html), `OpenAIChatCompletionClient` with the `model_info` that another server than OpenAI's needs (…/tutorial/models.html).
Set: model, temperature, max tokens, tools, system message; `max_tool_iterations` to the model calls (its default, 1, hands back the first tool's text).
Left: two retries and 10 min of the client; unknown tools, broken JSON, bad arguments and tool errors, which it tells the model.
Cannot: tell a run that has used its iterations, whose answer is the last tools' text, or an empty reply, from an answer: no option and no hook does.
hardened: client time-out; nothing else of the list has an option, or it is so by default.
"""

from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import ModelFamily
from autogen_core.tools import FunctionTool
from autogen_ext.models.openai import OpenAIChatCompletionClient

from agentgauge import Prepared, Terms
from agentgauge.tool_functions import async_function


def single(terms: Terms) -> Prepared:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    client = OpenAIChatCompletionClient(
        model=model.name,
        base_url=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        model_info={"vision": False, "function_calling": True, "json_output": True, "structured_output": True, "family": ModelFamily.UNKNOWN},
        **timeout,
    )
    tools: Any = [FunctionTool(async_function(tool, annotated=True), description=tool.description, name=tool.name) for tool in terms.tools]
    agent = AssistantAgent("assistant", model_client=client, system_message=terms.system_text or None, tools=tools, max_tool_iterations=terms.cap())

    async def run() -> str:
        result = await agent.run(task=terms.user_text)
        return result.messages[-1].to_text()

    return Prepared(run, client.close)


adapter = {"single": single}
