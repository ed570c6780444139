"""OpenAI Agents SDK for Python, openai-agents 0.24.0 with openai 3.57.0.

Followed: single = one `Agent` and `Runner.run` (openai.github.io/openai-agents-python/running_agents), tools by `function_tool` (…/tools), a client of one's
own (…/models). idiomatic = triage with hand-offs (…/quickstart and …/handoffs, as in the repository's examples/customer_service): an agent without tools that
hands the conversation to a specialist, and specialists that can hand it back; the recommended prompt prefix stands before each one's instructions.
Set: model, temperature, max tokens, tools, instructions; `max_turns` to the model calls (of all agents together); tracing off. Endpoint: Responses, the SDK's
default.
Left: two retries of the client; tool errors and bad arguments go to the model as one fixed sentence; an unknown tool or hand-off ends the run; strict tools.
Cannot: in either setting, tell an empty last reply from an answer (no hook stands between the reply and the end of the run).
hardened: client time-out; `tool_not_found_behavior="return_error_to_model"` (…/running_agents); a `failure_error_function` (…/tools) that tells the model what
a tool's error or the check of its arguments says.
"""

from collections.abc import Sequence
from typing import Any

from agents import Agent, ModelSettings, OpenAIProvider, RunConfig, Runner, function_tool
from agents.extensions.handoff_prompt import prompt_with_handoff_instructions
from openai import AsyncOpenAI

from agentgauge import Prepared, Terms, Tool
from agentgauge.shapes import adapter_of, specialists_for, with_system
from agentgauge.tool_functions import async_function


def error_text(context: Any, error: Exception) -> str:
    return f"Error: {error}"


HAND_BACK = "When the question needs tools that you lack, transfer back to the triage agent."
TRIAGE = "You are a triage agent: hand the question to whichever agent has the tools for what is to be done next."


def options(terms: Terms, instructions: str, tools: Sequence[Tool]) -> dict[str, Any]:
    model = terms.model
    telling: dict[str, Any] = {"failure_error_function": error_text} if terms.hardened else {}
    return {
        "instructions": instructions or None,
        "model": model.name,
        "model_settings": ModelSettings(temperature=model.temperature, max_tokens=model.max_tokens),
        "tools": [function_tool(async_function(tool), **telling) for tool in tools],
    }


def prepared(terms: Terms, agent: Agent[None]) -> Prepared:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    client = AsyncOpenAI(base_url=model.base_url, api_key=model.api_key, **timeout)
    not_found: dict[str, Any] = {"tool_not_found_behavior": "return_error_to_model"} if terms.hardened else {}
    config = RunConfig(model_provider=OpenAIProvider(openai_client=client), tracing_disabled=True, **not_found)

    async def run() -> str:
        result = await Runner.run(agent, terms.user_text, max_turns=terms.cap(), run_config=config)
        return str(result.final_output or "")

    return Prepared(run, client.close)


def single(terms: Terms) -> Prepared:
    return prepared(terms, Agent(name="Assistant", **options(terms, terms.system_text, terms.tools)))


def idiomatic(terms: Terms) -> Prepared:
    def agent(name: str, about: str, part: str, tools: Sequence[Tool]) -> Agent[None]:
        instructions = prompt_with_handoff_instructions(with_system(terms, part))
        return Agent(name=f"{name} agent", handoff_description=about or None, **options(terms, instructions, tools))

    specialists = [agent(one.name, one.about, f"You are the {one.name} agent. {one.about} {HAND_BACK}", one.tools) for one in specialists_for(terms.tools)]
    triage = agent("Triage", "", TRIAGE, [])
    triage.handoffs.extend(specialists)
    for specialist in specialists:
        specialist.handoffs.append(triage)
    return prepared(terms, triage)


adapter = adapter_of(single, idiomatic=idiomatic)
