"""Frames of adapters/protocol.ts, checked by hand: one JSON object a line. What is wrong is said as the Node worker says it."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

PROTOCOL_VERSION: Final = 1
MAX_FRAME_BYTES: Final = 16 * 1024 * 1024

Message = Mapping[str, Any]
_Check = tuple[str, Callable[[Any], bool]]

_TEXT: _Check = ("a string", lambda value: isinstance(value, str))
_FINITE: _Check = ("a finite number", lambda value: isinstance(value, int | float) and not isinstance(value, bool))
_WHOLE: _Check = ("a whole number from 0", lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0)
_LIST: _Check = ("a list", lambda value: isinstance(value, list))
_OBJECT: _Check = ("an object", lambda value: isinstance(value, dict))

_FIELDS: Final[Mapping[str, Mapping[str, _Check]]] = {
    "start": {
        "protocolVersion": _WHOLE,
        "adapterModule": _TEXT,
        "exportName": _TEXT,
        "shape": _TEXT,
        "settings": _TEXT,
        "packages": _LIST,
        "modelUrl": _TEXT,
        "toolUrl": _TEXT,
    },
    "trial-start": {"trialId": _WHOLE, "systemText": _TEXT, "userText": _TEXT, "tools": _LIST, "model": _OBJECT, "agentCap": _WHOLE},
    "trial-cancel": {"trialId": _WHOLE},
    "clock-probe": {"probe": _WHOLE},
    "stop": {},
}
_MODEL: Final[Mapping[str, _Check]] = {"name": _TEXT, "temperature": _FINITE, "maxTokens": _WHOLE, "timeoutMs": _FINITE}
_TOOL: Final[Mapping[str, _Check]] = {"name": _TEXT, "description": _TEXT, "parameters": _OBJECT}


class FrameProblem(Exception):
    """What was wrong with a frame. `trial_id` is set when it was the start of a trial that can be answered."""

    def __init__(self, message: str, trial_id: int | None = None) -> None:
        super().__init__(message)
        self.trial_id = trial_id


def decode(line: bytes) -> Message | None:
    """None for a well-formed frame of a type that we do not know: ignored, so that a later version may say more."""
    try:
        frame = json.loads(line)
    except ValueError:
        raise FrameProblem(f"frame should be a JSON object on one line, found {_shown(line.decode(errors='replace').rstrip())}") from None
    if not isinstance(frame, dict):
        raise FrameProblem(f"frame should be a JSON object, found {_shown(json.dumps(frame))}")
    kind = frame.get("type")
    if not isinstance(kind, str):
        raise FrameProblem(f"field type should be a string, found {_found(kind)}")
    if kind not in _FIELDS:
        return None
    problem = _problem_in(kind, frame)
    if problem is None:
        return frame
    trial_id = frame.get("trialId")
    raise FrameProblem(f"{kind}: {problem}", trial_id if kind == "trial-start" and isinstance(trial_id, int) else None)


def encode(message: Message) -> bytes:
    # A lone surrogate has no UTF-8: escaped, as JSON.stringify does, it reaches the host.
    return json.dumps(message, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _problem_in(kind: str, frame: Message) -> str | None:
    problem = _first_problem(frame, _FIELDS[kind], "")
    if problem is None and kind == "trial-start":
        problem = _first_problem(frame["model"], _MODEL, "model.")
        for place, tool in enumerate(frame["tools"]):
            if problem is None:
                path = f"tools[{place}]"
                problem = _first_problem(tool, _TOOL, f"{path}.") if isinstance(tool, dict) else f"field {path} should be an object, found {_found(tool)}"
    return problem


def _first_problem(value: Message, fields: Mapping[str, _Check], path: str) -> str | None:
    for name, (expected, check) in fields.items():
        if name not in value or not check(value[name]):
            return f"field {path}{name} should be {expected}, found {_found(value.get(name))}"
    return None


def _found(value: object) -> str:
    return "nothing" if value is None else _shown(json.dumps(value))


def _shown(text: str) -> str:
    return f"{text[:80]}… ({len(text)} characters)" if len(text) > 80 else text
