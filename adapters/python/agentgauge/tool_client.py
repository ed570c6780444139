"""The way to the broker: a call posts its arguments and gives back the text. It checks and repairs nothing.

Connections are kept for the life of the worker, one for each call that is open at once. Written on plain sockets, since an HTTP library
would be measured as part of every row.
"""

import asyncio
import json
import socket
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from agentgauge.terms import Tool

_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class ToolClient:
    """One worker's way to the broker."""

    def __init__(self, tool_url: str) -> None:
        parts = urlsplit(tool_url)
        self._host, self._port, self._path = parts.hostname or "127.0.0.1", parts.port or 80, parts.path
        self._idle: list[_Streams] = []
        self._idle_sockets: list[socket.socket] = []

    def of_trial(self, trial_id: int) -> "TrialTools":
        return TrialTools(self, trial_id)

    async def post(self, target: str, arguments: Any) -> tuple[int, str]:
        reader, writer = self._idle.pop() if self._idle else await asyncio.open_connection(self._host, self._port)
        try:
            writer.write(self._request(target, arguments))
            status, length = _parse_head(await reader.readuntil(b"\r\n\r\n"))
            body = await reader.readexactly(length)
        except BaseException:
            writer.close()
            raise
        self._idle.append((reader, writer))
        return status, body.decode()

    def post_blocking(self, target: str, arguments: Any) -> tuple[int, str]:
        connection = self._idle_sockets.pop() if self._idle_sockets else socket.create_connection((self._host, self._port))
        try:
            connection.sendall(self._request(target, arguments))
            with connection.makefile("rb") as file:
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    line = file.readline()
                    if line == b"":
                        raise ConnectionError("the broker closed the connection")
                    head += line
                status, length = _parse_head(head)
                body = file.read(length)
        except BaseException:
            connection.close()
            raise
        self._idle_sockets.append(connection)
        return status, body.decode()

    def _request(self, target: str, arguments: Any) -> bytes:
        body = json.dumps(arguments).encode()
        head = f"POST {self._path}{target} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
        return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class TrialTools:
    """What one trial has: a call that a framework makes after its trial's end is refused at that trial's address, and its time is no other trial's."""

    def __init__(self, client: ToolClient, trial_id: int) -> None:
        self._client, self._trial_id = client, trial_id
        self.wall_ms = 0.0
        """Time inside its tools so far, summed over calls; the host takes the broker's own time off."""

    def tool(self, schema: Mapping[str, Any]) -> Tool:
        name = schema["name"]
        target = f"/t/{self._trial_id}/tools/{quote(name, safe='')}"

        async def call(arguments: Any) -> str:
            start = time.monotonic()
            status, text = await self._client.post(target, arguments)
            self._add(start)
            return _text_of(name, status, text)

        def call_blocking(arguments: Any) -> str:
            start = time.monotonic()
            status, text = self._client.post_blocking(target, arguments)
            self._add(start)
            return _text_of(name, status, text)

        return Tool(name, schema["description"], schema["parameters"], call, call_blocking)

    def _add(self, start: float) -> None:
        self.wall_ms += (time.monotonic() - start) * 1000


def _parse_head(head: bytes) -> tuple[int, int]:
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(status_line.split(" ")[1]), int(headers["content-length"])


def _text_of(name: str, status: int, text: str) -> str:
    if 200 <= status < 300:
        return text
    raise RuntimeError(text or f"tool {name} failed with status {status}")
