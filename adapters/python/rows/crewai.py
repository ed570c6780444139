"""CrewAI, crewai 1.15.30.

Followed: single = a crew of one agent and one task, `Crew.akickoff` (docs.crewai.com/en/concepts/crews, …/agents, …/tasks), tools by `@tool`
(…/concepts/tools), `LLM` with a base URL (…/concepts/llms). The system text is the backstory; role and goal are the plainest that there are.
Set: model, temperature, max tokens, tools; `max_iter` to one less than the model calls, since a crew that has used them asks once more, without tools. Off:
telemetry, tracing and version check by its switches; its cache of tool results (`cache=False`), which would answer for the tools.
Left: its prompts, its three layers of retries (client 2, rate limit 3, agent 2), five identical calls as the end of a run.
Cannot: end its requests when its task is cancelled (they run in threads); bring back a large result whole (it keeps it in a file and offers a reader).
hardened: client time-out. All else of the list is told to the model or asked again by default; the cap has `max_iter`.
"""

from typing import Any

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool

from agentgauge import Prepared, Terms
from agentgauge.tool_functions import blocking_function


def single(terms: Terms) -> Prepared:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    llm = LLM(
        model=f"openai/{model.name}",
        base_url=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        **timeout,
    )
    agent = Agent(
        role="Assistant",
        goal="Answer the question.",
        backstory=terms.system_text,
        llm=llm,
        tools=[tool(each.name)(blocking_function(each)) for each in terms.tools],
        max_iter=terms.cap(lambda calls: calls - 1),
        cache=False,
    )
    task = Task(description=terms.user_text, expected_output="The answer.", agent=agent)
    crew = Crew(agents=[agent], tasks=[task], tracing=False, cache=False)

    async def run() -> str:
        return str((await crew.akickoff()).raw)

    return Prepared(run)


adapter = {"single": single}
