"""What the host says and what it is told: one event loop for the life of the process, one trial at a time."""

import asyncio
import os
import platform
import shutil
import socket
import sys
import time
from pathlib import Path
from typing import Final, NoReturn

from agentgauge.load_adapter import LoadedAdapter, LoadFailure, load_adapter
from agentgauge.messages import MAX_FRAME_BYTES, PROTOCOL_VERSION, FrameProblem, Message, decode, encode
from agentgauge.run_trial import run_trial
from agentgauge.tool_client import ToolClient

EXIT_PROTOCOL: Final = 76
"""Exit code when host and worker do not understand each other (sysexits.h, EX_PROTOCOL)."""


async def serve(channel: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=channel, limit=MAX_FRAME_BYTES)
    host = HostChannel(writer)
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            host.refuse(FrameProblem(f"frame should be at most {MAX_FRAME_BYTES} bytes, found more"))
            continue
        except ConnectionError:
            line = b""
        if not line.endswith(b"\n"):
            _leave()
        try:
            message = decode(line)
        except FrameProblem as problem:
            host.refuse(problem)
            continue
        if message is not None:
            await host.obey(message)


class HostChannel:
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._loaded: tuple[LoadedAdapter, Message, ToolClient] | None = None
        self._running: tuple[int, asyncio.Task[None]] | None = None

    async def obey(self, message: Message) -> None:
        match message["type"]:
            case "start":
                self._start(message)
            case "trial-start":
                self._trial(message)
                # A task that is cancelled before its first step never runs, and its trial would never end.
                await asyncio.sleep(0)
            case "trial-cancel":
                if self._running is not None and self._running[0] == message["trialId"]:
                    self._running[1].cancel()
            case "clock-probe":
                self._send({"type": "clock-reading", "probe": message["probe"], "atMs": time.monotonic() * 1000})
            case "stop":
                self._send({"type": "worker-stopped"})
                await self._writer.drain()
                exit_now(0)
        await self._writer.drain()

    def refuse(self, problem: FrameProblem) -> None:
        if problem.trial_id is not None:
            self._send(_not_run(problem.trial_id, "BAD_MESSAGE", str(problem)))
            return
        print(f"worker: {problem}", file=sys.stderr)
        exit_now(EXIT_PROTOCOL)

    def _send(self, message: Message) -> None:
        self._writer.write(encode(message))

    def _start(self, message: Message) -> None:
        if message["protocolVersion"] != PROTOCOL_VERSION:
            self.refuse(FrameProblem(f"start: field protocolVersion should be {PROTOCOL_VERSION}, found {message['protocolVersion']}"))
        try:
            loaded = load_adapter(message)
        except LoadFailure as failure:
            named = {} if failure.package is None else {"package": failure.package}
            self._send({"type": "worker-failed", "code": failure.code, "message": str(failure), **named})
            return
        self._loaded = (loaded, message, ToolClient(message["toolUrl"]))
        self._send(
            {
                "type": "worker-ready",
                "protocolVersion": PROTOCOL_VERSION,
                "versions": loaded.versions,
                "runtime": f"python {platform.python_version()}",
                "importMs": loaded.import_ms,
                "rssAfterImportBytes": loaded.rss_after_import_bytes,
            }
        )

    def _trial(self, message: Message) -> None:
        trial_id = message["trialId"]
        if self._loaded is None:
            self._send(_not_run(trial_id, "NOT_STARTED", "trial-start came before a successful start"))
        elif self._running is not None:
            self._send(_not_run(trial_id, "TRIAL_RUNNING", f"trial {self._running[0]} is still running"))
        else:
            self._running = (trial_id, asyncio.create_task(self._run(message, *self._loaded)))

    async def _run(self, message: Message, loaded: LoadedAdapter, start: Message, tools: ToolClient) -> None:
        end = await run_trial(loaded.shape, start, message, tools)
        sys.stdout.flush()
        self._running = None
        self._send(end)


def exit_now(code: int) -> NoReturn:
    """At once: a framework's threads and exporters may hold up an ordinary exit for minutes."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _leave() -> NoReturn:
    """A lost channel: nobody is left to work for, nor to remove the folder that was made for this process."""
    folder = Path.cwd()
    if str(folder) == os.environ.get("HOME") and folder.name.startswith("agentgauge-worker-"):
        shutil.rmtree(folder, ignore_errors=True)
    exit_now(0)


def _not_run(trial_id: int, code: str, message: str) -> Message:
    return {"type": "trial-end", "trialId": trial_id, "setupMs": 0, "error": {"name": "ProtocolError", "message": message, "phase": "prepare", "code": code}}
