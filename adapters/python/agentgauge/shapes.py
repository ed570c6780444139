"""What shapes of several agents share: the words of ../../prompts.ts and the specialists of ../../specialists.ts, from the file that is written from them."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from agentgauge.terms import Adapter, Shape, Terms, Tool

_WORDS: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))

PLANNER: Final[str] = _WORDS["planner"]
WORKER: Final[str] = _WORDS["worker"]
PLAN_SCHEMA: Final[dict[str, Any]] = _WORDS["planSchema"]


def adapter_of(single: Shape, **divided: Shape) -> Adapter:
    """Without tools there is nothing to divide: every shape is the one agent, once."""

    def where_tools(shape: Shape) -> Shape:
        return lambda terms: shape(terms) if terms.tools else single(terms)

    return {"single": single, **{name: where_tools(shape) for name, shape in divided.items()}}


@dataclass(frozen=True, slots=True)
class Specialist:
    name: str
    """One word, for names of agents and tools."""
    about: str
    """What whoever chooses among them is told."""
    tools: tuple[Tool, ...]


def specialists_for(tools: Sequence[Tool]) -> list[Specialist]:
    """Each with the tools of its kind; a kind without tools is absent."""
    kinds = _WORDS["specialists"]
    kind_of = {tool.name: next(kind["name"] for kind in kinds if re.search(kind["has"], tool.name)) for tool in tools}
    made = [Specialist(kind["name"], kind["about"], tuple(tool for tool in tools if kind_of[tool.name] == kind["name"])) for kind in kinds]
    return [specialist for specialist in made if specialist.tools]


def coworkers_for(tools: Sequence[Tool]) -> list[Specialist]:
    """Specialists who work on a part alone and report: each can compute too, since nobody else would finish the part."""
    made = specialists_for(tools)
    computing = next((one.tools for one in made if one.name == "calculation"), ())
    return [one if one.name == "calculation" else replace(one, tools=(*one.tools, *computing)) for one in made]


def worker_terms(terms: Terms, user_text: str = "") -> Terms:
    """The terms of an agent that works on a part: all tools, and the worker's words in place of the system text."""
    return replace(terms, system_text=WORKER, user_text=user_text)


def synthesis_system(terms: Terms) -> str:
    return with_system(terms, _WORDS["synthesis"])


def with_system(terms: Terms, part: str) -> str:
    return part if terms.system_text == "" else f"{terms.system_text}\n\n{part}"


def synthesis_text(terms: Terms, findings: Sequence[str]) -> str:
    """As `JSON.stringify` writes it."""
    return f"{terms.user_text}{_WORDS['findings']}{json.dumps(findings, ensure_ascii=False, separators=(',', ':'))}"
