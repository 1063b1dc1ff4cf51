"""What hookbox decided about an event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, Optional, TypedDict

from ._failure import Failure

Decision = Literal["allow", "deny", "ask"]

_DECISIONS = frozenset(("allow", "deny", "ask"))


class _EventOnly(TypedDict):
    event: str


class ToolResult(TypedDict):
    """What a tool returned."""

    is_error: bool
    content: str


class Input(_EventOnly, total=False):
    """An event as hookbox reads it. Only `event` is required, and lifecycle events have more members than these."""

    session_id: str
    pwd: str
    tool_name: str
    tool_input: Any
    tool_use_id: str
    tool_result: ToolResult
    message: str
    mode_name: str
    turn: int


@dataclass(frozen=True)
class HookWarning:
    """Something that the user should know, although the event goes on."""

    hook: str
    """The hook or config file that the warning is about."""
    code: str
    """The stable code, such as "E101"."""
    message: str
    """What happened and what the consequence is."""


@dataclass(frozen=True)
class HookRecord:
    """What one hook did."""

    name: str
    """The hook's name."""
    kind: str
    """How it was run: "component", "script", "shell", "native" or "config"."""
    source: str
    """Where it comes from: "user", "project" or another label."""
    decision: str
    """The hook's decision ("modify" is one of them), or what its failure counted as."""
    duration_us: int
    """The total time of its answers, in microseconds."""
    code: Optional[str] = None
    """Why it failed, if it did."""
    is_async: bool = False
    """Whether it was only started in the background."""


@dataclass(frozen=True)
class Outcome:
    """The decision about one event.

    An Outcome has no truth value, because every object is true and a deny would pass for an allow:
    `if client.pre_tool(…)` raises TypeError. Compare `decision`, or use `allowed`.
    """

    decision: Decision
    """The most restrictive decision of all hooks."""
    code: Optional[str] = None
    """Why there is no verdict, if there is none: "spawn", "connect", "deadline", "died", "garbage", "version", "input",
    "refused", "closed" or "internal", or the server's own code, such as "E113". None if the hooks decided."""
    reason: Optional[str] = None
    """Why it was denied, or why the user should decide."""
    denied_by: Optional[str] = None
    """The hook that denied."""
    asked_by: Optional[str] = None
    """The first hook that asked."""
    input: dict[str, Any] = field(default_factory=dict)
    """The Input as the hooks left it. If the event may happen, it must happen in this form. Empty only with "deny"."""
    modified: bool = False
    """Whether the hooks changed the Input."""
    system_prompt_additions: list[str] = field(default_factory=list)
    """Text for the system prompt."""
    additional_context: list[str] = field(default_factory=list)
    """Text for the model."""
    system_messages: list[str] = field(default_factory=list)
    """Text for the user."""
    permission: Optional[Decision] = None
    """A hook's answer in place of the user's. If both this and `decision` are "allow", the user need not be asked."""
    permission_reason: Optional[str] = None
    """Why the hook gave this permission."""
    stop: bool = False
    """Whether a hook wants the agent to stop its loop."""
    stop_reason: Optional[str] = None
    """Why the agent should stop."""
    warnings: list[HookWarning] = field(default_factory=list)
    """What the user should know."""
    hooks: list[HookRecord] = field(default_factory=list)
    """One record for each hook that was asked."""

    @property
    def allowed(self) -> bool:
        """Whether the event may happen, in the form of `input`. An ask is not an allow."""
        return self.decision == "allow"

    def __bool__(self) -> NoReturn:
        raise TypeError("an Outcome has no truth value: use `outcome.allowed` or compare `outcome.decision`")


def denial(failure: Failure, event: object) -> Outcome:
    """The Outcome of a call without a verdict. Where an event cannot be stopped, the failure is a warning, too."""
    warnings = [] if is_gating(event) else [HookWarning("hookbox", failure.code, failure.message)]
    return Outcome("deny", code=failure.code, reason=f"{failure.code}: {failure.message}", warnings=warnings)


def is_gating(event: object) -> bool:
    """Whether an answer can stop this event."""
    return isinstance(event, str) and (
        event.startswith(("pre_", "before_")) or event in ("permission_request", "stop", "config_change")
    )


def read_outcome(value: object) -> Outcome:
    """Reads an Outcome. Failure if it is not well-formed in every member: half of an answer must not become an allow."""
    if not isinstance(value, dict):
        raise Failure("garbage", "the answer of hookbox has no Outcome")
    decision = value.get("decision")
    if not isinstance(decision, str) or decision not in _DECISIONS:
        raise Failure("garbage", f"the answer of hookbox has an unknown decision: {decision!r:.80}")
    input = value.get("input")
    if input is not None or decision != "deny":
        _check_input(input)
    permission = _optional(value, "permission", str)
    if permission is not None and permission not in _DECISIONS:
        raise _wrong("permission")
    return Outcome(
        decision=decision,  # type: ignore[arg-type]
        reason=_optional(value, "reason", str),
        denied_by=_optional(value, "denied_by", str),
        asked_by=_optional(value, "asked_by", str),
        input={} if input is None else input,
        modified=_required(value, "modified", bool),
        system_prompt_additions=_texts(value, "system_prompt_additions"),
        additional_context=_texts(value, "additional_context"),
        system_messages=_texts(value, "system_messages"),
        permission=permission,
        permission_reason=_optional(value, "permission_reason", str),
        stop=_optional(value, "stop", bool) or False,
        stop_reason=_optional(value, "stop_reason", str),
        warnings=[_warning(item) for item in _required(value, "warnings", list)],
        hooks=[_record(item) for item in _required(value, "hooks", list)],
    )


def check_fits(asked: Mapping[str, Any], outcome: Outcome) -> None:
    """Failure if an Outcome lets something else happen than what was asked about."""
    if outcome.decision == "deny":
        return
    got = outcome.input
    if any(got.get(key) != asked.get(key) for key in ("event", "tool_name")):
        raise Failure("garbage", "the answer of hookbox is about another event or another tool")
    if any(asked.get(key) is not None and got.get(key) is None for key in ("tool_input", "tool_result", "message")):
        raise Failure("garbage", "the Input in the answer of hookbox lacks what was asked about")


def _check_input(input: object) -> None:
    if not isinstance(input, dict) or not input:
        raise _wrong("input")
    for key in ("event", "session_id", "pwd", "tool_name", "tool_use_id", "message", "mode_name"):
        _optional(input, key, str)
    result = _optional(input, "tool_result", dict)
    if result is not None:
        _required(result, "is_error", bool)
        _required(result, "content", str)


def _warning(value: object) -> HookWarning:
    if not isinstance(value, dict):
        raise _wrong("warnings")
    return HookWarning(
        _required(value, "hook", str), _required(value, "code", str), _required(value, "message", str)
    )


def _record(value: object) -> HookRecord:
    if not isinstance(value, dict):
        raise _wrong("hooks")
    return HookRecord(
        _required(value, "name", str),
        _required(value, "kind", str),
        _required(value, "source", str),
        _required(value, "decision", str),
        _required(value, "duration_us", int),
        _optional(value, "code", str),
        _optional(value, "async", bool) or False,
    )


def _required(value: dict[str, Any], key: str, kind: type) -> Any:
    # Not isinstance: True is an int.
    if type(member := value.get(key)) is not kind:
        raise _wrong(key)
    return member


def _optional(value: dict[str, Any], key: str, kind: type) -> Any:
    member = value.get(key)
    if member is not None and type(member) is not kind:
        raise _wrong(key)
    return member


def _texts(value: dict[str, Any], key: str) -> list[str]:
    texts = value.get(key, [])
    if type(texts) is not list or not all(type(text) is str for text in texts):
        raise _wrong(key)
    return texts


def _wrong(key: str) -> Failure:
    return Failure("garbage", f"`{key}` in the answer of hookbox is missing or has the wrong type")
