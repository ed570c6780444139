"""The whole of what an adapter sees and gives; adapters/adapter.ts in Python."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the framework may call it. Both ways post to the broker over a kept connection and give its text.

    They raise RuntimeError when the broker refused the arguments or its back end is dead.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    call: Callable[[Any], Awaitable[str]]
    call_blocking: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Model:
    base_url: str
    api_key: str
    name: str
    temperature: float
    max_tokens: int
    timeout_s: float
    """Client time-out of one request; set only in `hardened` rows and where a client demands one."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Equal terms of one trial: every row gets the same, and the wire audit checks that it used them."""

    settings: str
    system_text: str
    user_text: str
    tools: tuple[Tool, ...]
    model: Model
    agent_cap: int
    cap_literal: int | None = None
    configuration: str | None = None

    @property
    def hardened(self) -> bool:
        return self.settings == "hardened"

    def cap(self, calls: Callable[[int], int] = lambda cap: cap) -> int:
        """What the framework's own option is given: the literal number, or what allows exactly `agent_cap` model calls."""
        return calls(self.agent_cap) if self.cap_literal is None else self.cap_literal


async def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Prepared:
    """One agent, built and ready. `run` is what is measured, and is cancelled as a task is; `close` is outside."""

    run: Callable[[], Awaitable[str]]
    close: Callable[[], Awaitable[None]] = _nothing


Shape = Callable[[Terms], Prepared | Awaitable[Prepared]]
Adapter = Mapping[str, Shape]
"""Shapes by name (`single`, `idiomatic`, `dag`); a shape that the framework cannot have is absent."""
