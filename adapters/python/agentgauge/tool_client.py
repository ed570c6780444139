"""The way to the broker: a call posts its arguments and gives back the text. It checks and repairs nothing.

Connections are kept for the life of the worker, one for each call that is open at once. Written on plain sockets, since an HTTP library
would be measured as part of every row.
"""

import asyncio
import json
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from agentgauge.terms import Tool

_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class ToolClient:
    def __init__(self, tool_url: str) -> None:
        parts = urlsplit(tool_url)
        self._host, self._port, self._path = parts.hostname or "127.0.0.1", parts.port or 80, parts.path
        self._idle: list[_Streams] = []
        self._idle_sockets: list[socket.socket] = []
        self._stub_wall_ms = 0.0

    def tool(self, schema: Mapping[str, Any]) -> Tool:
        name = schema["name"]

        async def call(arguments: Any) -> str:
            return await self._timed(name, lambda: self._post(name, arguments))

        def call_blocking(arguments: Any) -> str:
            start = time.monotonic()
            status, text = self._post_blocking(name, arguments)
            self._stub_wall_ms += (time.monotonic() - start) * 1000
            return _text_of(name, status, text)

        return Tool(name, schema["description"], schema["parameters"], call, call_blocking)

    def take_stub_wall_ms(self) -> float:
        """Time inside stubs since the last asking, summed over calls; the host takes the broker's own time off."""
        taken, self._stub_wall_ms = self._stub_wall_ms, 0.0
        return taken

    async def _timed(self, name: str, post: Callable[[], Any]) -> str:
        start = time.monotonic()
        status, text = await post()
        self._stub_wall_ms += (time.monotonic() - start) * 1000
        return _text_of(name, status, text)

    async def _post(self, name: str, arguments: Any) -> tuple[int, str]:
        reader, writer = self._idle.pop() if self._idle else await asyncio.open_connection(self._host, self._port)
        try:
            writer.write(self._request(name, arguments))
            status, length = _parse_head(await reader.readuntil(b"\r\n\r\n"))
            body = await reader.readexactly(length)
        except BaseException:
            writer.close()
            raise
        self._idle.append((reader, writer))
        return status, body.decode()

    def _post_blocking(self, name: str, arguments: Any) -> tuple[int, str]:
        connection = self._idle_sockets.pop() if self._idle_sockets else socket.create_connection((self._host, self._port))
        try:
            connection.sendall(self._request(name, arguments))
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

    def _request(self, name: str, arguments: Any) -> bytes:
        body = json.dumps(arguments).encode()
        head = f"POST {self._path}/tools/{quote(name, safe='')} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n"
        return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def _parse_head(head: bytes) -> tuple[int, int]:
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(status_line.split(" ")[1]), int(headers["content-length"])


def _text_of(name: str, status: int, text: str) -> str:
    if 200 <= status < 300:
        return text
    raise RuntimeError(text or f"tool {name} failed with status {status}")
