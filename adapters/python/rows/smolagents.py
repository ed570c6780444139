"""smolagents 1.26.0, the framework in which the field runs GAIA.

Followed: single = `ToolCallingAgent` (huggingface.co/docs/smolagents/guided_tour), tools as classes of `Tool` (…/tutorials/tools), `OpenAIModel`
(…/reference/models).
Set: model, temperature, max tokens, tools, instructions; `max_steps` to one less than the model calls, since a run that has used its steps asks once more,
without tools. Left: a system prompt of 3.8 kB, `tool_choice: required`, stop words, history as plain text, its printing, two retries of the client and its own
waits after 429.
Cannot: answer in plain text (only its tool `final_answer` counts); keep the model's turn of a step that failed (its error alone is told); be interrupted
within a step; take an integral float for an integer; tell broken JSON where a tool has one text parameter (the tool runs with it as it is).
hardened: client time-out. The rest of the list is told to the model by default; the cap has `max_steps`, and an empty reply is an error that is told.
"""

from typing import Any

from smolagents import OpenAIModel, Tool, ToolCallingAgent

from agentgauge import Prepared, Terms
from agentgauge import Tool as GivenTool
from agentgauge.threads import in_thread
from agentgauge.tool_functions import blocking_function


def tool_of(given: GivenTool) -> Tool:
    required = given.parameters["required"]
    inputs = {name: {**parameter, **({} if name in required else {"nullable": True})} for name, parameter in given.parameters["properties"].items()}
    forward = staticmethod(blocking_function(given))
    fields = {"name": given.name, "description": given.description, "inputs": inputs, "output_type": "string", "forward": forward}
    made: Tool = type(given.name, (Tool,), fields)()
    return made


def single(terms: Terms) -> Prepared:
    model = terms.model
    timeout: dict[str, Any] = {"client_kwargs": {"timeout": model.timeout_s}} if terms.hardened else {}
    llm = OpenAIModel(
        model_id=model.name,
        api_base=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        **timeout,
    )
    agent = ToolCallingAgent(
        tools=[tool_of(tool) for tool in terms.tools],
        model=llm,
        instructions=terms.system_text or None,
        max_steps=terms.cap(lambda calls: calls - 1),
    )

    def work() -> str:
        answer = agent.run(terms.user_text)
        return "" if answer is None else str(answer)

    async def close() -> None:
        llm.client.close()

    return Prepared(lambda: in_thread(work, agent.interrupt), close)


adapter = {"single": single}
