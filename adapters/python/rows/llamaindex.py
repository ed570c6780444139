"""LlamaIndex for Python, llama-index-core 0.14.25 with llama-index-llms-openai-like 0.8.1.

Followed: single = `FunctionAgent` (developers.llamaindex.ai/python/framework/understanding/agent), tools as annotated functions
(…/module_guides/deploying/agents/tools), `OpenAILike` for another server than OpenAI's (…/examples/llm/openai_like).
Set: model, temperature, max tokens, tools, system prompt; `max_iterations` to one more than the model calls, since the limit is looked at before an answer is
taken.
Left: streaming, three retries and 60 s of its client.
Cannot: refuse a call whose arguments are cut (it closes the JSON and runs the tool with what is there); end its requests when its task is cancelled, for
which `cancel_run` is there.
hardened: client time-out; tools checked by pydantic's `validate_call`; an agent of one's own whose `take_step` asks for a retry after an empty reply
(`AgentOutput.retry_messages`).
"""

import asyncio
from typing import Any

from llama_index.core.agent.workflow import AgentOutput, FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike
from pydantic import validate_call

from agentgauge import Prepared, Terms
from agentgauge.tool_functions import async_function


class AsksAgain(FunctionAgent):
    async def take_step(self, *args: Any, **kwargs: Any) -> AgentOutput:
        output = await super().take_step(*args, **kwargs)
        if not output.tool_calls and not output.response.content:
            output.retry_messages = [ChatMessage(role="user", content="Your reply was empty. Call a tool, or answer.")]
        return output


def single(terms: Terms) -> Prepared:
    model = terms.model
    timeout: dict[str, Any] = {"timeout": model.timeout_s} if terms.hardened else {}
    llm = OpenAILike(
        model=model.name,
        api_base=model.base_url,
        api_key=model.api_key,
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        is_chat_model=True,
        is_function_calling_model=True,
        **timeout,
    )
    functions = [async_function(tool, annotated=True) for tool in terms.tools]
    agent = (AsksAgain if terms.hardened else FunctionAgent)(
        tools=[validate_call(function) for function in functions] if terms.hardened else functions,
        llm=llm,
        system_prompt=terms.system_text or None,
    )

    async def run() -> str:
        handler = agent.run(terms.user_text, max_iterations=terms.cap(lambda calls: calls + 1))
        try:
            return str(await asyncio.shield(handler))
        except asyncio.CancelledError:
            await handler.cancel_run()
            raise

    return Prepared(run)


adapter = {"single": single}
