"""A server that is already there, on a Unix socket or a TCP port, over HTTP/1.1."""

from __future__ import annotations

import os
import re
import select
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._failure import Failure
from ._outcome import read_outcome
from ._wire import MAX_ANSWER, decode, server_deadline

_CHUNK = 1 << 16
_MAX_HEAD = 1 << 16
_MAX_IDLE = 8
# The server closes a connection after 60 s without a request.
_IDLE_SECONDS = 30.0


@dataclass(frozen=True)
class Address:
    """Where a server listens."""

    path: Optional[str] = None
    host: str = "localhost"
    port: int = 0
    token: Optional[str] = None
    token_file: Optional[str] = None

    @classmethod
    def parse(cls, text: str, token: Optional[str], token_file: Union[None, str, os.PathLike[str]]) -> Address:
        """Reads `unix:PATH` or `HOST:PORT`. ValueError if it is neither: TCP is for this machine alone, as the token is not
        encrypted."""
        file = None if token_file is None else os.fspath(token_file)
        if text.startswith("unix:") and len(text) > 5:
            return cls(path=text[5:])
        match = re.fullmatch(r"(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})", text, re.ASCII)
        if match is None or not 0 < int(match[2]) < 65536:
            raise ValueError(f"connect is {text!r}, which is neither unix:PATH nor 127.0.0.1:PORT nor [::1]:PORT")
        if (token is None) == (file is None):
            raise ValueError("a TCP connection needs a token or a token_file")
        return cls(host=match[1], port=int(match[2]), token=token, token_file=file)

    def request(self, members: bytes, left: float) -> bytes:
        """A whole request."""
        body = b"{%b,%b}" % (server_deadline(left), members)
        host = "localhost" if self.path is not None else f"{self.host}:{self.port}"
        lines = ["POST /v1/decide HTTP/1.1", f"Host: {host}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
        if self.path is None:
            lines.append(f"Authorization: Bearer {self._read_token()}")
        return "\r\n".join((*lines, "", "")).encode() + body

    def check_owner(self) -> None:
        """Failure unless the socket belongs to this user or to root: another user's server could allow everything."""
        if self.path is None:
            return
        try:
            owner = os.stat(self.path).st_uid
        except (OSError, ValueError) as error:
            raise Failure("connect", f"cannot connect to hookbox at {self.path}: {error}") from None
        if owner not in (0, os.getuid()):
            raise Failure("connect", f"{self.path} belongs to another user")

    def _read_token(self) -> str:
        token = self.token
        if token is None:
            assert self.token_file is not None
            try:
                with open(self.token_file, encoding="ascii") as file:
                    token = file.read(4096).strip()
            except (OSError, ValueError) as error:
                raise Failure("connect", f"cannot read the token: {error}") from None
        # No other character may reach a header.
        if not re.fullmatch(r"[A-Za-z0-9._~+/=-]+", token):
            raise Failure("connect", "the token is not one that a header can carry")
        return token


class Response:
    """Reads one response. Only what the server sends is understood: a Content-Length, no chunks."""

    def __init__(self) -> None:
        self.has_begun = False
        self.keeps_alive = False
        self._data = bytearray()
        self._body_at = 0
        self._length = 0
        self._status = 0

    def add(self, data: bytes) -> bool:
        """Takes what has arrived. Whether the response is whole."""
        self.has_begun = True
        self._data += data
        if not self._body_at:
            at = self._data.find(b"\r\n\r\n")
            if at < 0:
                if len(self._data) > _MAX_HEAD:
                    raise Failure("garbage", "the header of hookbox's response is too long")
                return False
            self._read_head(bytes(self._data[:at]).decode("latin-1"))
            self._body_at = at + 4
        have = len(self._data) - self._body_at
        if have > self._length:
            raise Failure("garbage", "the server sent more than its response")
        return have == self._length

    def outcome(self) -> Any:
        """The Outcome in the response, not yet checked. Failure if the call was refused."""
        body = bytes(self._data[self._body_at :])
        if self._status == 200:
            return decode(body)
        reason = None
        with suppress(Failure):
            reason = read_outcome(decode(body)).reason
        raise Failure("refused", reason or f"hookbox refused the call with status {self._status}")

    def _read_head(self, head: str) -> None:
        first, *lines = head.split("\r\n")
        match = re.fullmatch(r"HTTP/1\.1 (\d{3})(?: .*)?", first, re.ASCII)
        if match is None:
            raise Failure("garbage", "what answered does not speak HTTP/1.1")
        self._status = int(match[1])
        headers: dict[str, str] = {}
        for line in lines:
            name, colon, value = line.partition(":")
            name = name.lower()
            if not colon or (name == "content-length" and name in headers):
                raise Failure("garbage", "the header of hookbox's response is not valid")
            headers[name] = value.strip()
        length = headers.get("content-length", "")
        if "transfer-encoding" in headers or not re.fullmatch(r"\d{1,12}", length, re.ASCII):
            raise Failure("garbage", "hookbox's response has no length")
        self._length = int(length)
        if self._length > MAX_ANSWER:
            raise Failure("garbage", f"hookbox sent a response of more than {MAX_ANSWER} bytes")
        self.keeps_alive = headers.get("connection", "").lower() != "close"


class HttpTransport:
    """Connections to a server, kept open between calls."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._idle: list[tuple[float, socket.socket]] = []
        self._is_closed = False

    def ask(self, members: bytes, end: float) -> Any:
        """The Outcome to a request, not yet checked. Failure if there is none by `end`."""
        if self._is_closed:
            raise Failure("closed", "the client is closed")
        request = self._address.request(members, end - time.monotonic())
        while True:
            kept = self._take_idle()
            connection = kept if kept is not None else self._connect(end)
            response = Response()
            is_kept = False
            try:
                self._exchange(connection, request, response, end)
                outcome = response.outcome()
                is_kept = response.keeps_alive
                return outcome
            except TimeoutError:
                raise Failure("deadline", "hookbox did not answer in time") from None
            except OSError as error:
                # A connection that was kept may have been closed since by the server, which then has not seen the call.
                if kept is None or response.has_begun:
                    raise Failure("died", f"the connection to hookbox ended: {error}") from None
            finally:
                if is_kept:
                    self._keep(connection)
                else:
                    connection.close()

    def worked(self) -> None:
        """Nothing to note: a connection is not started with back-off."""

    def close(self, patience: float) -> None:
        """Closes the connections."""
        self._is_closed = True
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def after_fork(self) -> None:
        """In a child process: connections are not shared with the parent."""
        self._lock = threading.Lock()
        for _, connection in self._idle:
            connection.close()
        self._idle = []

    def _connect(self, end: float) -> socket.socket:
        address = self._address
        address.check_owner()
        is_unix = address.path is not None
        family = socket.AF_UNIX if is_unix else socket.AF_INET6 if address.host == "[::1]" else socket.AF_INET
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(_left(end))
            if is_unix:
                connection.connect(address.path or "")
            else:
                connection.connect(("::1" if family == socket.AF_INET6 else "127.0.0.1", address.port))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException as error:
            connection.close()
            if isinstance(error, TimeoutError):
                raise Failure("deadline", "the connection to hookbox was not accepted in time") from None
            if isinstance(error, (OSError, ValueError)):
                raise Failure("connect", f"cannot connect to hookbox: {error}") from None
            raise
        return connection

    def _exchange(self, connection: socket.socket, request: bytes, response: Response, end: float) -> None:
        connection.settimeout(_left(end))
        with suppress(BrokenPipeError):
            # A server that refuses a request need not read all of it.
            connection.sendall(request)
        is_whole = False
        while not is_whole:
            connection.settimeout(_left(end))
            data = connection.recv(_CHUNK)
            if not data:
                raise ConnectionError("closed before the whole response was there")
            is_whole = response.add(data)

    def _take_idle(self) -> Optional[socket.socket]:
        with self._lock:
            while self._idle:
                since, connection = self._idle.pop()
                # What a server says unasked, be it only the end, must not be taken for the response to the next request.
                if time.monotonic() - since < _IDLE_SECONDS and not _has_input(connection):
                    return connection
                connection.close()
        return None

    def _keep(self, connection: socket.socket) -> None:
        with self._lock:
            if not self._is_closed and len(self._idle) < _MAX_IDLE:
                self._idle.append((time.monotonic(), connection))
                return
        connection.close()


def _has_input(connection: socket.socket) -> bool:
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    # A socket accepts no infinite timeout. No chain runs for longer than a day.
    return min(left, 86_400.0)
