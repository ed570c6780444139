"""Tools as Python frameworks want them: annotated functions with a docstring, made from the one JSON schema.

They are really ordinary functions, as the tutorials write them: a wrong call is the interpreter's own TypeError.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from agentgauge.terms import Tool

_TYPES: Final[Mapping[str, str]] = {"string": "str", "number": "float", "integer": "int", "boolean": "bool"}


def async_function(tool: Tool, *, annotated: bool = False) -> Callable[..., Any]:
    """`async def NAME(door: str, floor: int | None = None) -> str`, with the parameters in its docstring."""
    return _function(tool, "async ", "await ", tool.call, annotated=annotated)


def blocking_function(tool: Tool, *, annotated: bool = False) -> Callable[..., Any]:
    """The same for frameworks that call their tools without an event loop."""
    return _function(tool, "", "", tool.call_blocking, annotated=annotated)


def json_tool(tool: Tool) -> dict[str, Any]:
    """An entry of the field `tools` of Chat Completions, for the floors."""
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}}


def _function(tool: Tool, async_word: str, await_word: str, call: Callable[..., Any], *, annotated: bool) -> Callable[..., Any]:
    required, optional = _split(tool)
    properties = tool.parameters["properties"]
    words = [f"{name}: {_TYPES[properties[name]['type']]}" for name in required]
    words += [f"{name}: {_TYPES[properties[name]['type']]} | None = None" for name in optional]
    arguments = ", ".join(f"{name!r}: {name}" for name in required)
    given = ", ".join(f"{name!r}: {name}" for name in optional)
    source = f"{async_word}def {tool.name}({', '.join(words)}) -> str:\n    return {await_word}_call({{{arguments}}} | _given({{{given}}}))\n"
    scope: dict[str, Any] = {"_call": call, "_given": _given}
    # As `dataclasses` does it; the names are those of our own schemas.
    exec(source, scope)
    function: Callable[..., Any] = scope[tool.name]
    function.__doc__ = tool.description if annotated else _docstring(tool, [*required, *optional])
    if annotated:
        hints = function.__annotations__
        function.__annotations__ = {name: Annotated[hint, properties[name]["description"]] if name in properties else hint for name, hint in hints.items()}
    return function


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    """Of optional parameters: a plain function has None where the call had nothing."""
    return {name: value for name, value in arguments.items() if value is not None}


def _split(tool: Tool) -> tuple[list[str], list[str]]:
    names = list(tool.parameters["properties"])
    required = set(tool.parameters["required"])
    return [name for name in names if name in required], [name for name in names if name not in required]


def _docstring(tool: Tool, names: list[str]) -> str:
    lines = [f"    {name}: {tool.parameters['properties'][name]['description']}" for name in names]
    return "\n".join([tool.description, *(["", "Args:", *lines] if lines else [])])
