"""How a floor runs one call of the model: the textbook's two lines in `default`; in `hardened` what goes wrong is told to the model."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agentgauge.terms import Terms

RunCall = Callable[[Mapping[str, Any]], Awaitable[str]]


def floor_calls(terms: Terms) -> RunCall:
    """@returns a function from a call's name and argument text to what goes back to the model; in `default` it raises what the textbook's loop raises"""
    functions = {tool.name: tool.call for tool in terms.tools}

    async def textbook(call: Mapping[str, Any]) -> str:
        return await functions[call["name"]](json.loads(call["arguments"]))

    async def telling(call: Mapping[str, Any]) -> str:
        if call["name"] not in functions:
            return f"Error: there is no tool {call['name']}; there are: {', '.join(functions)}"
        try:
            return await textbook(call)
        except Exception as error:
            return f"Error: {error}"

    return telling if terms.hardened else textbook


def opening(terms: Terms) -> list[dict[str, Any]]:
    user = {"role": "user", "content": terms.user_text}
    return [user] if terms.system_text == "" else [{"role": "system", "content": terms.system_text}, user]
