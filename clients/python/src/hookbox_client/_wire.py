"""The lines that a client and `hookbox serve --stdio` exchange, without any input or output."""

from __future__ import annotations

import json
import math
import os
import random
import re
import threading
import time
from collections.abc import Mapping
from typing import Any, Generic, Optional, TypeVar

from ._failure import Failure

PROTOCOL = "0.1"
"""The versions of hookbox that this client understands: 0.1.x."""

MAX_INPUT = 1 << 20
"""The longest Input that hookbox reads, in bytes."""

MAX_ANSWER = 16 << 20
"""The longest answer that a client reads, in bytes."""

GRACE = 1.0
"""How long a server may be silent after a deadline has passed, before it counts as hung, in seconds."""

MAX_ABANDONED = 256
"""How many calls a server may leave unanswered after their deadline, before it counts as hung."""

MAX_DEPTH = 128
"""More than hookbox lets an Input have, which is 64."""

HELLO = b'{"id":0,"ping":true}\n'

Waiter = TypeVar("Waiter")


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _float(text: str) -> float:
    number = float(text)
    # 1e999 is JSON, but infinity cannot be written as JSON.
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(members)
    if len(made) != len(members):
        raise ValueError("an object has the same key twice")
    return made


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=_float, object_pairs_hook=_object)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
# The quote that ends a text is optional, so that the expression never has to go back in one that has no end.
_BRACKETS = re.compile(rb'"(?:[^"\\]+|\\.)*"?|([\[{])|([\]}])', re.DOTALL)


def _check_depth(data: bytes) -> None:
    """The decoder would use up the stack of a program that has raised its recursion limit."""
    # Counting costs much less than a walk, which most answers do not need.
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for match in _BRACKETS.finditer(data):
        depth += 1 if match[1] else -1 if match[2] else 0
        if depth > MAX_DEPTH:
            raise ValueError("it is nested too deeply")


def decode(data: bytes) -> Any:
    """Reads one JSON value strictly: UTF-8, and no key twice, since either value could be the one that counts."""
    try:
        _check_depth(data)
        return _DECODER.decode(data.decode())
    except (ValueError, RecursionError) as error:
        raise Failure("garbage", f"hookbox sent something that is not JSON: {error}") from None


def encode_members(input: Mapping[str, Any], project: Optional[str]) -> bytes:
    """Writes the members of a request that do not depend on the transport."""
    try:
        if not isinstance(input, dict):
            input = dict(input)
        text = _ENCODER.encode(input).encode()
        if len(text) > MAX_INPUT:
            raise Failure("input", f"the Input has {len(text)} bytes, and hookbox reads at most {MAX_INPUT}")
        if project is None and not input.get("pwd") and not input.get("cwd"):
            # The server's own directory is the one that it was started in, which may be another by now.
            project = os.getcwd()
        if project is None:
            return b'"input":' + text
        return b'"input":' + text + b',"project":' + _ENCODER.encode(os.path.abspath(project)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise Failure("input", f"the Input cannot be written as JSON: {error}") from None
    except OSError as error:
        raise Failure("input", f"the working directory is unknown: {error}") from None


def server_deadline(seconds: float) -> bytes:
    """The deadline that the server is told, as a member: a little earlier, so that its answer, which says more, arrives."""
    # No chain runs for longer than a day, and a larger number may not fit what the server reads it into.
    milliseconds = min(seconds, 86_400.0) * 1000
    return b'"deadline_ms":%d' % max(1, int(milliseconds - min(100.0, milliseconds / 10)))


def read_answer(answer: dict[str, Any]) -> Any:
    """Takes the Outcome out of an answer. An error is a deny, whatever else the answer has."""
    if "error" in answer:
        raise _refusal(answer["error"])
    return answer.get("outcome")


def _refusal(error: object) -> Failure:
    if isinstance(error, dict):
        code, message = error.get("code"), error.get("message")
        if isinstance(code, str) and code and isinstance(message, str):
            return Failure(code, message)
    return Failure("refused", "hookbox refused the call without a code")


def check_hello(line: bytes) -> None:
    """Checks the first answer of a server, which says its version."""
    answer = decode(line)
    if not isinstance(answer, dict) or answer.get("id") != 0 or answer.get("pong") is not True:
        raise Failure("garbage", "what was started does not answer like `hookbox serve`")
    version = answer.get("version")
    if not isinstance(version, str) or not version.startswith(PROTOCOL + "."):
        raise Failure("version", f"this client needs hookbox {PROTOCOL}.x, and the server is {version!r:.40}")


class Session(Generic[Waiter]):
    """The state of one running server: which ids wait for an answer, and whether it still answers."""

    def __init__(self) -> None:
        # An answer may arrive while another thread gives up waiting for it.
        self._lock = threading.Lock()
        self._last_id = 0
        self._waiting: dict[int, Optional[Waiter]] = {}
        self._abandoned = 0
        self._overdue: Optional[float] = None
        self._parts: list[bytes] = []
        self._length = 0

    def issue(self, waiter: Optional[Waiter]) -> int:
        """Takes an id for a request."""
        with self._lock:
            # Not the next number: a server that answers a call which it has not read must not guess the id.
            self._last_id += 1 + random.getrandbits(20)
            self._waiting[self._last_id] = waiter
            return self._last_id

    def forget(self, id: int) -> None:
        """Gives back the id of a request that was not sent."""
        with self._lock:
            self._waiting.pop(id, None)

    def abandon(self, id: int) -> Optional[bytes]:
        """Gives up a request that was sent. Returns the line that cancels it, or None if it has been answered."""
        with self._lock:
            if self._waiting.get(id) is None:
                return None
            # The server still answers it once. Nobody waits for that any more.
            self._waiting[id] = None
            self._abandoned += 1
            if self._overdue is None:
                self._overdue = time.monotonic()
        return b'{"id":%d,"cancel":%d}\n' % (self.issue(None), id)

    def is_hung(self) -> bool:
        """Whether a deadline has passed without a sign of life since."""
        overdue = self._overdue
        return (overdue is not None and time.monotonic() - overdue > GRACE) or self._abandoned > MAX_ABANDONED

    def take_waiting(self) -> list[Waiter]:
        """Takes everyone who waits for an answer."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        return [waiter for waiter in waiting.values() if waiter is not None]

    def lines(self, data: bytes) -> list[bytes]:
        """Splits what arrived into whole lines. The search for a line's end never starts again from its beginning."""
        self._overdue = None
        *ends, rest = data.split(b"\n")
        lines = []
        for end in ends:
            if self._length:
                self._parts.append(end)
                end = b"".join(self._parts)
                self._parts.clear()
                self._length = 0
            lines.append(end)
        self._length += len(rest)
        if self._length > MAX_ANSWER:
            raise Failure("garbage", f"hookbox sent a line of more than {MAX_ANSWER} bytes")
        if rest:
            self._parts.append(rest)
        return lines

    def match(self, line: bytes) -> tuple[Optional[Waiter], dict[str, Any]]:
        """Finds who waits for this answer; None if nobody does any more. Failure if no answer can be trusted any more."""
        answer = decode(line)
        if not isinstance(answer, dict):
            raise Failure("garbage", "hookbox sent an answer that is not an object")
        id = answer.get("id")
        if id is None and "error" in answer:
            raise _refusal(answer["error"])
        with self._lock:
            # Not isinstance: True is an int, and equal to 1.
            if type(id) is not int or id not in self._waiting:
                raise Failure("garbage", f"hookbox answered a call that was not made: {id!r:.40}")
            waiter = self._waiting.pop(id)
            if waiter is None and "cancelled" not in answer:
                self._abandoned -= 1
        return waiter, answer
