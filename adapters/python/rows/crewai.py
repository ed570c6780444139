"""CrewAI, crewai 1.15.30.

Followed: single = a crew of one agent and one task, `Crew.akickoff` (docs.crewai.com/en/concepts/crews, …/agents, …/tasks), tools by `@tool`
(…/concepts/tools), `LLM` with a base URL (…/concepts/llms). The system text is the backstory; role and goal are the plainest that there are.
idiomatic = a hierarchical crew (…/en/learn/hierarchical-process): a manager of one's own, who has the two tools of delegation alone, and a specialist for each
kind of tools, who can compute too and reports; the task is the manager's. The system text is the manager's backstory.
Set: model, temperature, max tokens, tools; `max_iter` to one less than the model calls, since a crew that has used them asks once more, without tools. Off:
telemetry, tracing and version check by its switches; its cache of tool results (`cache=False`), which would answer for the tools.
Left: its prompts, its three layers of retries (client 2, rate limit 3, agent 2), five identical calls as the end of a run.
Cannot: end its requests when its task is cancelled (they run in threads); bring back a large result whole (it keeps it in a file and offers a reader);
let two coworkers work at once; count the calls of several agents together (`max_iter` is each agent's, and the gateway has the sum).
hardened: client time-out. All else of the list is told to the model or asked again by default; the cap has `max_iter`.
"""

from collections.abc import Sequence
from typing import Any

from crewai import LLM, Agent, Crew, Process, Task
from crewai.tools import tool

from agentgauge import Prepared, Terms, Tool
from agentgauge.shapes import WORKER, adapter_of, coworkers_for
from agentgauge.tool_functions import blocking_function


def language_model(terms: Terms) -> LLM:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    return LLM(
        model=f"openai/{model.name}",
        base_url=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        **timeout,
    )


def agent_of(terms: Terms, llm: LLM, tools: Sequence[Tool], **words: str) -> Agent:
    given = [tool(each.name)(blocking_function(each)) for each in tools]
    return Agent(**words, llm=llm, tools=given, max_iter=terms.cap(lambda calls: calls - 1), cache=False)


def prepared(crew: Crew) -> Prepared:
    async def run() -> str:
        return str((await crew.akickoff()).raw)

    return Prepared(run)


def single(terms: Terms) -> Prepared:
    agent = agent_of(terms, language_model(terms), terms.tools, role="Assistant", goal="Answer the question.", backstory=terms.system_text)
    task = Task(description=terms.user_text, expected_output="The answer.", agent=agent)
    return prepared(Crew(agents=[agent], tasks=[task], tracing=False, cache=False))


def idiomatic(terms: Terms) -> Prepared:
    llm = language_model(terms)
    manager = agent_of(terms, llm, [], role="Manager", goal="Answer the question with what your coworkers find out.", backstory=terms.system_text)
    coworkers = [
        agent_of(terms, llm, each.tools, role=f"{each.name.capitalize()} specialist", goal=each.about, backstory=WORKER) for each in coworkers_for(terms.tools)
    ]
    task = Task(description=terms.user_text, expected_output="The answer.")
    return prepared(Crew(agents=coworkers, tasks=[task], process=Process.hierarchical, manager_agent=manager, tracing=False, cache=False))


adapter = adapter_of(single, idiomatic=idiomatic)
