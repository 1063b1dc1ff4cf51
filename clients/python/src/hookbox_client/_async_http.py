"""A server that is already there, over HTTP/1.1, for asyncio."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any, Optional

from ._failure import Failure
from ._http import _CHUNK, _IDLE_SECONDS, _MAX_IDLE, Address, Response


class _Reader(asyncio.StreamReader):
    """Counts what has arrived, since a StreamReader does not say whether it holds something that nobody has asked for."""

    arrived = 0

    def feed_data(self, data: Any) -> None:
        """Takes what has arrived."""
        self.arrived += len(data)
        super().feed_data(data)


_Streams = tuple[_Reader, asyncio.StreamWriter]


class AsyncHttpTransport:
    """Connections to a server, kept open between calls."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        # With each, what had arrived when it was kept.
        self._idle: list[tuple[float, int, _Streams]] = []
        self._is_closed = False

    async def ask(self, members: bytes, end: float) -> Any:
        """The Outcome to a request, not yet checked. Failure if there is none by `end`."""
        if self._is_closed:
            raise Failure("closed", "the client is closed")
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self.drop()
            self._loop = loop
        left = end - time.monotonic()
        request = self._address.request(members, left)
        try:
            return await asyncio.wait_for(self._ask(request), left)
        except asyncio.TimeoutError:
            raise Failure("deadline", "hookbox did not answer in time") from None

    def worked(self) -> None:
        """Nothing to note: a connection is not started with back-off."""

    async def close(self, patience: float) -> None:
        """Closes the connections."""
        self._is_closed = True
        self.drop()

    def drop(self) -> None:
        """Closes the connections."""
        idle, self._idle = self._idle, []
        for _, _, (_, writer) in idle:
            # The loop of these connections may have ended.
            with suppress(RuntimeError):
                writer.close()

    async def _ask(self, request: bytes) -> Any:
        while True:
            kept = self._take_idle()
            streams = kept if kept is not None else await self._connect()
            response = Response()
            is_kept = False
            try:
                await _exchange(streams, request, response)
                outcome = response.outcome()
                is_kept = response.keeps_alive
                return outcome
            except OSError as error:
                # A connection that was kept may have been closed since by the server, which then has not seen the call.
                if kept is None or response.has_begun:
                    raise Failure("died", f"the connection to hookbox ended: {error}") from None
            finally:
                if is_kept and not self._is_closed and len(self._idle) < _MAX_IDLE:
                    self._idle.append((time.monotonic(), streams[0].arrived, streams))
                else:
                    streams[1].close()

    async def _connect(self) -> _Streams:
        address = self._address
        address.check_owner()
        loop = asyncio.get_running_loop()
        reader = _Reader(loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        transport: asyncio.Transport
        try:
            if address.path is not None:
                transport, _ = await loop.create_unix_connection(lambda: protocol, address.path)
            else:
                host = "::1" if address.host == "[::1]" else "127.0.0.1"
                transport, _ = await loop.create_connection(lambda: protocol, host, address.port)
        except (OSError, ValueError) as error:
            raise Failure("connect", f"cannot connect to hookbox: {error}") from None
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    def _take_idle(self) -> Optional[_Streams]:
        while self._idle:
            since, arrived, streams = self._idle.pop()
            # What a server says unasked must not be taken for the response to the next request.
            is_quiet = streams[0].arrived == arrived and not streams[0].at_eof()
            if time.monotonic() - since < _IDLE_SECONDS and is_quiet:
                return streams
            streams[1].close()
        return None


async def _exchange(streams: _Streams, request: bytes, response: Response) -> None:
    reader, writer = streams
    with suppress(BrokenPipeError, ConnectionResetError):
        # A server that refuses a request need not read all of it.
        writer.write(request)
        await writer.drain()
    is_whole = False
    while not is_whole:
        data = await reader.read(_CHUNK)
        if not data:
            raise ConnectionError("closed before the whole response was there")
        is_whole = response.add(data)
