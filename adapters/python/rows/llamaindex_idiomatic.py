"""Shape `idiomatic` of LlamaIndex for Python, llama-index-core 0.14.25.

Followed: for documents, an agent whose reading tools are query engines: `OnDemandLoaderTool` (developers.llamaindex.ai/python/examples/tools/ondemandloadertool
and …/framework/module_guides/deploying/agents/tools), which loads when it is called, makes an index of what came back and lets the index's query engine answer;
the index is a `SummaryIndex` (…/module_guides/indexing/index_guide), whose engine reads all of the text. Its other tools are functions.
Everywhere else an `AgentWorkflow` of specialists that hand off to each other (…/understanding/agent/multi_agent, the first pattern), with the one who looks up
as its root. Its memory is three quarters of the window of 3,900 tokens: two pages of the web fill it, and who is handed the conversation then sees neither
pages nor question (open68-web-021, in `clean`).
Set: as in llamaindex.py, and the model once more in `Settings`, where query engines look for it. Left: the engine's prompts; splitter (1,024 tokens) and
synthesizer (`compact`): of the window of 3,900 tokens the most tokens of an answer (2,000) and the prompt are taken off, so a text of over some 1,700 tokens is
read piece by piece, and each piece after the first may rewrite the answer.
Cannot: what llamaindex.py says; wait for a loader without holding up the event loop; count a query engine's calls with the agent's (the gateway has the sum).
hardened: what llamaindex.py says; loaders are checked as the other tools are. Query engines have no option for any fault of the list.
"""

from collections.abc import Callable
from typing import Any

from llama_index.core import Document, Settings, SummaryIndex
from llama_index.core.agent.workflow import AgentWorkflow
from llama_index.core.readers.base import BaseReader
from llama_index.core.tools.ondemand_loader_tool import OnDemandLoaderTool
from llama_index.core.tools.utils import create_schema_from_function
from pydantic import Field, create_model

from agentgauge import Prepared, Terms, Tool
from agentgauge.shapes import specialists_for, with_system
from agentgauge.tool_functions import blocking_function
from rows.llamaindex_parts import agent_of, asking, chat_model, checked, functions_of


class Loader(BaseReader):
    def __init__(self, read: Callable[..., str]) -> None:
        self.read = read

    def load_data(self, *args: Any, **kwargs: Any) -> list[Document]:
        return [Document(text=self.read(*args, **kwargs))]


def query_tool(terms: Terms, tool: Tool) -> OnDemandLoaderTool:
    read = blocking_function(tool, annotated=True)
    asked = {"query": (str, Field(description="What to find out from the text."))}
    return OnDemandLoaderTool.from_defaults(
        Loader(checked(terms, read)),
        index_cls=SummaryIndex,
        query_str_kwargs_key="query",
        name=tool.name,
        description=f"{tool.description} Answers a query about the text.",
        fn_schema=create_model(tool.name, __base__=create_schema_from_function(tool.name, read), **asked),
    )


def query_agent(terms: Terms, reads: list[Tool]) -> Prepared:
    Settings.llm = chat_model(terms)
    others = functions_of(terms, [tool for tool in terms.tools if tool not in reads])
    ask = asking(terms, agent_of(terms, [*(query_tool(terms, tool) for tool in reads), *others], terms.system_text))
    return Prepared(lambda: ask(terms.user_text))


def specialists(terms: Terms) -> Prepared:
    agents = [
        agent_of(
            terms,
            functions_of(terms, one.tools),
            with_system(terms, f"You are the {one.name} agent. {one.about} When the question needs tools that you lack, hand off to an agent that has them."),
            name=one.name,
            description=one.about,
        )
        for one in sorted(specialists_for(terms.tools), key=lambda one: one.name == "calculation")
    ]
    ask = asking(terms, AgentWorkflow(agents=agents, root_agent=agents[0].name))
    return Prepared(lambda: ask(terms.user_text))


def idiomatic(terms: Terms) -> Prepared:
    reads = [tool for tool in terms.tools if tool.name.startswith("read_")]
    return query_agent(terms, reads) if reads else specialists(terms)
