"""The Inputs of the common events, and the options that both clients take."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Optional

from ._failure import Failure
from ._wire import encode_members

DEADLINE = 30.0
"""How long a call may take unless it is told otherwise, in seconds."""

START_TIMEOUT = 10.0
"""How long a server may take to start, in seconds."""

PATIENCE = 2.0
"""How long a server may take to end after `close`, in seconds."""


def pre_tool(tool_name: str, tool_input: Any, members: Mapping[str, Any]) -> dict[str, Any]:
    """The Input of an event before a tool call."""
    return {**members, "event": "pre_tool", "tool_name": tool_name, "tool_input": tool_input}


def post_tool(
    tool_name: str, tool_input: Any, content: str, is_error: bool, members: Mapping[str, Any]
) -> dict[str, Any]:
    """The Input of an event after a tool returned."""
    result = {"is_error": is_error, "content": content}
    return {
        **members, "event": "post_tool", "tool_name": tool_name, "tool_input": tool_input, "tool_result": result,
    }


def pre_message(message: str, members: Mapping[str, Any]) -> dict[str, Any]:
    """The Input of an event before a message is sent."""
    return {**members, "event": "pre_message", "message": message}


def prepare(input: Mapping[str, Any], project: Optional[str], deadline: float) -> tuple[bytes, float]:
    """The members of the request and the time when it ends."""
    now = time.monotonic()
    # `not >` and not `<=`: a NaN is not a deadline either.
    if not deadline > 0:
        raise Failure("deadline", f"a deadline of {deadline} s leaves no time")
    return encode_members(input, project), now + deadline


def event_of(input: object) -> object:
    """The event of an Input that may be anything."""
    return input.get("event") if isinstance(input, Mapping) else None
