"""smolagents 1.26.0, the framework in which the field runs GAIA.

Followed: single = `ToolCallingAgent` (huggingface.co/docs/smolagents/guided_tour), tools as classes of `Tool` (…/tutorials/tools), `OpenAIModel`
(…/reference/models).
idiomatic = managed agents (…/examples/multiagents): a manager without tools of its own, who calls each specialist like a tool and gets its report.
Set: model, temperature, max tokens, tools, instructions; `max_steps` to one less than the model calls, since a run that has used its steps asks once more,
without tools. Left: a system prompt of 3.8 kB, `tool_choice: required`, stop words, history as plain text, its printing, two retries of the client and its own
waits after 429.
Cannot: answer in plain text (only its tool `final_answer` counts); keep the model's turn of a step that failed (its error alone is told); be interrupted
within a step; take an integral float for an integer; tell broken JSON where a tool has one text parameter (the tool runs with it as it is); count the steps
of several agents together (`max_steps` is each agent's; the gateway has the sum).
hardened: client time-out. The rest of the list is told to the model by default; the cap has `max_steps`, and an empty reply is an error that is told.
"""

from collections.abc import Sequence
from typing import Any

from smolagents import OpenAIModel, Tool, ToolCallingAgent

from agentgauge import Prepared, Terms
from agentgauge import Tool as GivenTool
from agentgauge.shapes import WORKER, adapter_of, coworkers_for
from agentgauge.threads import in_thread
from agentgauge.tool_functions import blocking_function


def tool_of(given: GivenTool) -> Tool:
    required = given.parameters["required"]
    inputs = {name: {**parameter, **({} if name in required else {"nullable": True})} for name, parameter in given.parameters["properties"].items()}
    forward = staticmethod(blocking_function(given))
    fields = {"name": given.name, "description": given.description, "inputs": inputs, "output_type": "string", "forward": forward}
    made: Tool = type(given.name, (Tool,), fields)()
    return made


def language_model(terms: Terms) -> OpenAIModel:
    model = terms.model
    timeout: dict[str, Any] = {"client_kwargs": {"timeout": model.timeout_s}} if terms.hardened else {}
    return OpenAIModel(
        model_id=model.name,
        api_base=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        **timeout,
    )


def agent_of(terms: Terms, llm: OpenAIModel, tools: Sequence[GivenTool], instructions: str, **more: Any) -> ToolCallingAgent:
    steps = terms.cap(lambda calls: calls - 1)
    return ToolCallingAgent(tools=[tool_of(tool) for tool in tools], model=llm, instructions=instructions or None, max_steps=steps, **more)


def prepared(terms: Terms, llm: OpenAIModel, agent: ToolCallingAgent) -> Prepared:
    def work() -> str:
        answer = agent.run(terms.user_text)
        return "" if answer is None else str(answer)

    def interrupt() -> None:
        for each in [agent, *agent.managed_agents.values()]:
            each.interrupt()

    async def close() -> None:
        llm.client.close()

    return Prepared(lambda: in_thread(work, interrupt), close)


def single(terms: Terms) -> Prepared:
    llm = language_model(terms)
    return prepared(terms, llm, agent_of(terms, llm, terms.tools, terms.system_text))


def idiomatic(terms: Terms) -> Prepared:
    llm = language_model(terms)
    managed = [
        agent_of(terms, llm, one.tools, WORKER, name=f"{one.name}_specialist", description=one.about, provide_run_summary=False)
        for one in coworkers_for(terms.tools)
    ]
    return prepared(terms, llm, agent_of(terms, llm, [], terms.system_text, managed_agents=managed))


adapter = adapter_of(single, idiomatic=idiomatic)
