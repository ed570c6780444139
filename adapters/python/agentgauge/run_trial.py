"""One trial inside the worker: reset the peak, prepare, run, measure. Only `run` stands between the two clock readings."""

import sys
import time
from asyncio import CancelledError
from typing import Any

from agentgauge.memory import read_peak, reset_peak
from agentgauge.messages import Message
from agentgauge.terms import Model, Prepared, Shape, Terms
from agentgauge.tool_client import ToolClient, TrialTools


async def run_trial(shape: Shape, start: Message, message: Message, tools: ToolClient) -> Message:
    """Never raises an Exception: what an adapter raises is the trial's error. Ends after `close`, so that no trial overlaps the next."""
    reset_peak()
    trial_tools = tools.of_trial(message["trialId"])
    setup_start = time.monotonic()
    try:
        built = shape(_terms_of(start, message, trial_tools))
        prepared = built if isinstance(built, Prepared) else await built
    except (Exception, CancelledError) as error:
        return {**_end(message), "setupMs": _ms_since(setup_start), "error": _error_of(error, "prepare")}
    setup_ms = _ms_since(setup_start)

    outcome: dict[str, Any]
    cpu_before = time.process_time()
    start_ms = time.monotonic() * 1000
    try:
        output: object = await prepared.run()
        end_ms = time.monotonic() * 1000
        # Nothing but text would survive the border; anything else is the adapter's defect and stays visible as one.
        outcome = {"output": output} if isinstance(output, str) else {"error": _not_text(output)}
    except (Exception, CancelledError) as error:
        end_ms = time.monotonic() * 1000
        outcome = {"error": _error_of(error, "run")}
    end = {
        **_end(message),
        **outcome,
        "startMs": start_ms,
        "endMs": end_ms,
        "setupMs": setup_ms,
        "cpuMs": (time.process_time() - cpu_before) * 1000,
        "stubWallMs": trial_tools.wall_ms,
        **read_peak(),
    }
    await _close_quietly(prepared)
    return end


def _end(message: Message) -> dict[str, Any]:
    return {"type": "trial-end", "trialId": message["trialId"]}


def _terms_of(start: Message, message: Message, tools: TrialTools) -> Terms:
    model = message["model"]
    return Terms(
        settings=start["settings"],
        system_text=message["systemText"],
        user_text=message["userText"],
        tools=tuple(tools.tool(schema) for schema in message["tools"]),
        model=Model(start["modelUrl"], _key_of(message["trialId"]), model["name"], model["temperature"], model["maxTokens"], model["timeoutMs"] / 1000),
        agent_cap=message["agentCap"],
        cap_literal=message.get("capLiteral"),
        configuration=start.get("configuration"),
    )


def _key_of(trial_id: int) -> str:
    """What a framework sends after the trial's end bears that trial's key. The address stays: langchain-openai keeps one HTTP client for each."""
    return f"key-of-trial-{trial_id}"


async def _close_quietly(prepared: Prepared) -> None:
    try:
        await prepared.close()
    except (Exception, CancelledError) as error:
        # The trial has its outcome already; what closing has to say is the framework's noise.
        print(f"worker: close failed: {error!r}", file=sys.stderr)


def _ms_since(start: float) -> float:
    return (time.monotonic() - start) * 1000


def _not_text(output: object) -> dict[str, str]:
    return {"name": "TypeError", "message": f"run gave {type(output).__name__} instead of text", "phase": "run", "code": "OUTPUT_NOT_TEXT"}


def _error_of(error: BaseException, phase: str) -> dict[str, str]:
    code = getattr(error, "code", None)
    described = {"name": type(error).__name__, "message": _with_causes(error), "phase": phase}
    return {**described, "code": code} if isinstance(code, str) else described


def _with_causes(error: BaseException) -> str:
    """A framework's wrapper often hides the reason in its cause; the message carries it over the border, at most four deep."""
    messages = [str(error)]
    cause = _cause_of(error)
    for _ in range(4):
        if cause is None:
            break
        if str(cause) and not any(str(cause) in message for message in messages):
            messages.append(str(cause))
        cause = _cause_of(cause)
    return "; cause: ".join(messages)


def _cause_of(error: BaseException) -> BaseException | None:
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)
