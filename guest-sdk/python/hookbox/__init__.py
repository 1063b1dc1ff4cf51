"""Hooks for AI agents in Python: what a hook reads, what it answers, and how it says which function it is.

    import hookbox

    @hookbox.hook
    def judge(input: hookbox.Input) -> hookbox.Action:
        tool = input.facts()
        if tool.command is not None and "rm -rf" in tool.command:
            return hookbox.deny("`rm -rf` is not allowed here")
        return hookbox.allow()

An exception says that the hook itself failed; what it guards then does not happen. Each event has a fresh instance, so
nothing that a hook keeps in a variable is there at the next one. Import at the top of the module: what is not imported when
the component is built is not in it.

`from hookbox import log, store, http` for what a hook can do beside judging.

On your machine this is an ordinary package: call `judge` with an `Input` in your tests, or `run` with JSON text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Callable, Optional

from ._json import Number, dumps, loads

__all__ = [
    "Action", "Input", "Number", "Tool", "ToolPath", "ToolResult", "allow", "ask", "deny", "dumps", "hook", "loads",
    "modify_message", "modify_tool_input", "modify_tool_result", "run",
]


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()


@dataclass(frozen=True)
class ToolResult:
    """What a tool gave back."""

    content: str = ""
    """What the model sees."""
    is_error: bool = False
    """Whether the tool failed."""


@dataclass(frozen=True)
class ToolPath:
    """A path that a tool call names."""

    path: str
    """The absolute path, without ".", ".." and repeated slashes."""
    access: str
    """What happens to it: "read", "write", "create", "delete" or "list"."""
    place: str = "other"
    """Where it leads: "project", "home", "temp", "hookbox", "agent-config" or "other"."""
    real: Optional[str] = None
    """The path with all links followed, as far as it exists. None if that could not be found out."""
    as_written: str = ""
    """The path as the tool call spells it."""
    certain: bool = True
    """Whether it is surely a path. A tool that hookbox does not know may take any text of its call for one: ask where you
    would deny or ask about a certain one."""


@dataclass(frozen=True)
class Tool:
    """What a tool call means, in words that are the same for every agent."""

    kind: str
    """What the tool does: "shell", "read", "write", "edit", "delete", "search", "fetch", "mcp", "agent" or "other"."""
    command: Optional[str] = None
    """The command that a shell would run."""
    argv: Optional[list[str]] = None
    """The command as a list of arguments, if the tool call has it as one."""
    shells: list[dict[str, Any]] = field(default_factory=list)
    """The command lines, if the call has several, each a dict with "command" and perhaps "argv": each runs in a shell of its
    own, and is to be judged by itself."""
    cwd: Optional[str] = None
    """The absolute path of the directory that the tool runs in."""
    home: Optional[str] = None
    """The absolute path of the user's home directory."""
    paths: list[ToolPath] = field(default_factory=list)
    """The paths that the tool call names. For a shell tool, only with facts = ["commands"]."""
    added_text: list[str] = field(default_factory=list)
    """The texts that would be written into files."""
    urls: list[str] = field(default_factory=list)
    """The URLs that the tool call names."""
    server: Optional[str] = None
    """The MCP server whose tool this is."""
    tool: Optional[str] = None
    """The server's name for the tool."""
    commands: Optional[list[dict[str, Any]]] = None
    """The simple commands that the command would run, with facts = ["commands"]. A word of a command is a str if every
    character is known, else a dict."""
    unknown: list[str] = field(default_factory=list)
    """What could not be found out, in words."""
    complete: bool = False
    """Whether everything that the tool call does is in these facts. If not, do not treat it as harmless. Without
    `commands`, it says nothing about what a shell command does."""


@dataclass(frozen=True)
class Input:
    """An event with all that a hook may know of it. What the event does not have is None."""

    event: str
    """The point in the agent's loop: "pre_tool", "post_tool", "pre_message", "post_message", or another."""
    session_id: Optional[str] = None
    """The agent's session."""
    hook_name: Optional[str] = None
    """The name of the event as the agent spells it."""
    pwd: Optional[str] = None
    """The agent's working directory."""
    tool_name: Optional[str] = None
    """The tool that is called."""
    tool_input: Any = None
    """The tool's input, as `loads` reads it: mostly a dict."""
    tool_result: Optional[ToolResult] = None
    """What the tool gave back."""
    tool: Optional[Tool] = None
    """What the tool call means. `facts` is the same, and never None."""
    message: Optional[str] = None
    """The message of the user or of the assistant."""
    mode_name: Optional[str] = None
    """The agent's mode, where it has modes."""
    tool_use_id: Optional[str] = None
    """The model's id of this tool call."""
    turn: Optional[int] = None
    """The number of the turn."""
    now: Optional[str] = None
    """The time as RFC 3339: a hook has no clock."""
    settings: Any = field(default_factory=dict)
    """This hook's settings from hooks.toml; an empty dict if there are none."""
    all: dict[str, Any] = field(default_factory=dict)
    """The whole Input, for the fields of other events: input.all.get("iteration")."""

    def get(self, name: str, default: Any = None) -> Any:
        """The member of the tool's input with this name."""
        return self.tool_input.get(name, default) if isinstance(self.tool_input, dict) else default

    def facts(self) -> Tool:
        """What the tool call means, whichever agent makes it. LookupError if the event has no tool, or if hookbox is older than
        these facts: let it go, so that the tool does not run."""
        if self.tool is None:
            raise LookupError("the Input has no facts about a tool call")
        return self.tool

    def text(self, name: str) -> Optional[str]:
        """The text that the tool's input has under this name. TypeError if what stands there is no text, or if the tool's input
        is no object: let it go, so that the tool does not run."""
        if self.tool_input is not None and not isinstance(self.tool_input, dict):
            raise TypeError("the tool's input is no object")
        value = self.get(name, ABSENT)
        if value is ABSENT:
            return None
        if not isinstance(value, str):
            raise TypeError(f"`{name}` of the tool's input is no text")
        return value


@dataclass
class Action:
    """What a hook answers. One without anything allows and changes nothing."""

    decision: str = "allow"
    """"allow", "deny", "ask" or "modify"."""
    reason: Optional[str] = None
    """Why, for the user and the model."""
    modified_tool_input: Any = ABSENT
    """The tool's new input (pre_tool)."""
    modified_message: Optional[str] = None
    """The new message, not empty (pre_message, post_message)."""
    modified_tool_result: Optional[ToolResult] = None
    """The tool's new result (post_tool)."""
    updated_input: Optional[dict[str, Any]] = None
    """Members that take the place of those of the tool's input (pre_tool)."""
    updated_messages: Optional[list[Any]] = None
    """The messages that the model sees (before_llm_call)."""
    updated_tool_response: Optional[str] = None
    """The new content of the tool's result."""
    summary: Optional[str] = None
    """The summary to use (before_compaction)."""
    permission: Optional[str] = None
    """"allow", "ask" or "deny": the answer to the question whether the tool may run. "allow" spares the user the question."""
    permission_reason: Optional[str] = None
    """Why."""
    system_prompt_append: Optional[str] = None
    """Text for the system prompt (pre_message)."""
    additional_context: Optional[str] = None
    """Text for the model."""
    system_message: Optional[str] = None
    """Text for the user."""
    stop: bool = False
    """The agent should stop its loop."""
    stop_reason: Optional[str] = None
    """Why."""


def allow() -> Action:
    """Go on."""
    return Action()


def deny(reason: str) -> Action:
    """Stop, for this reason."""
    return Action("deny", reason)


def ask(reason: str) -> Action:
    """Let the user decide, for this reason."""
    return Action("ask", reason)


def modify_tool_input(tool_input: Any) -> Action:
    """Go on with another input for the tool."""
    return Action("modify", modified_tool_input=tool_input)


def modify_message(message: str) -> Action:
    """Go on with another message."""
    return Action("modify", modified_message=message)


def modify_tool_result(content: str, is_error: bool = False) -> Action:
    """Go on with another result of the tool."""
    return Action("modify", modified_tool_result=ToolResult(content, is_error))


Hook = Callable[[Input], Action]
_registered: Optional[Hook] = None


def hook(judge: Hook) -> Hook:
    """Says which function is the hook. It stays an ordinary function."""
    global _registered
    if _registered is not None:
        raise RuntimeError("@hookbox.hook stands on two functions; a component is one hook")
    _registered = judge
    return judge


_TEXTS = ("event", "session_id", "hook_name", "pwd", "tool_name", "message", "mode_name", "tool_use_id", "now")


def parse_input(text: str) -> Input:
    """Reads an Input, strictly. ValueError if it is none."""
    try:
        given = loads(text)
    except ValueError as error:
        raise ValueError(f"the Input is not strict JSON: {error}") from None
    if not isinstance(given, dict):
        raise ValueError("the Input is not an object")
    known = {key: given[key] for key in _TEXTS if given.get(key) is not None}
    for key, value in known.items():
        if not isinstance(value, str):
            raise ValueError(f"the Input is not usable: `{key}` has the wrong type")
    if not known.get("event"):
        raise ValueError("the Input is not usable: it has no `event`")
    turn = given.get("turn")
    if turn is not None and (type(turn) is not int or not 0 <= turn < 1 << 64):
        raise ValueError("the Input is not usable: `turn` has the wrong type")
    settings = given.get("settings")
    return Input(
        **known,
        turn=turn,
        tool_input=given.get("tool_input"),
        tool_result=_tool_result(given.get("tool_result")),
        tool=_tool(given.get("tool")),
        settings={} if settings is None else settings,
        all=given,
    )


def _tool_result(value: Any) -> Optional[ToolResult]:
    if value is None:
        return None
    if isinstance(value, dict):
        content, is_error = value.get("content", ""), value.get("is_error", False)
        if isinstance(content, str) and isinstance(is_error, bool):
            return ToolResult(content, is_error)
    raise ValueError("the Input is not usable: `tool_result` has the wrong type")


def _tool(value: Any) -> Optional[Tool]:
    if value is None:
        return None
    try:
        known = _known(value, _FACTS)
        if not all(isinstance(text, str) for name in _LISTS for text in known.get(name, [])):
            raise TypeError
        return Tool(**{**known, "paths": [ToolPath(**_known(path, _PATH)) for path in known.get("paths", [])]})
    except TypeError:
        raise ValueError("the Input is not usable: `tool` has the wrong type") from None


def _known(value: Any, types: dict[str, type]) -> dict[str, Any]:
    """The members of an object that have these names. TypeError if one has another type."""
    if not isinstance(value, dict):
        raise TypeError
    known = {name: value[name] for name in types if value.get(name) is not None}
    if not all(isinstance(member, types[name]) for name, member in known.items()):
        raise TypeError
    return known


_PATH: dict[str, type] = {"path": str, "access": str, "place": str, "real": str, "as_written": str, "certain": bool}
_FACTS: dict[str, type] = {
    "kind": str, "command": str, "argv": list, "shells": list, "cwd": str, "home": str, "paths": list, "added_text": list, "urls": list,
    "server": str, "tool": str, "commands": list, "unknown": list, "complete": bool,
}
_LISTS = ("argv", "added_text", "urls", "unknown")
_FIELDS = tuple(item.name for item in fields(Action))


def _action_text(action: Any) -> str:
    if not isinstance(action, Action):
        raise TypeError(f"the hook returned {type(action).__name__}, not an Action such as hookbox.allow()")
    # A misspelled attribute would leave the decision unchanged, which is allow.
    for name in vars(action).keys() - set(_FIELDS):
        raise TypeError(f"an Action has no `{name}`")
    out = {}
    for name in _FIELDS:
        value = getattr(action, name)
        if value is ABSENT or (value is None and name not in ("decision", "modified_tool_input")):
            continue
        if isinstance(value, ToolResult):
            value = {"is_error": value.is_error, "content": value.content}
        # Any other False is kept so that the engine refuses it. Without a decision, an Action would allow.
        if name != "stop" or value is not False:
            out[name] = value
    return dumps(out)


def run(text: str) -> str:
    """Hands an Input to the hook, as JSON text, and gives its Action as JSON text: for tests on your machine."""
    if _registered is None:
        raise RuntimeError("there is no hook: put @hookbox.hook on a function")
    return _action_text(_registered(parse_input(text)))


# The folder of this package, with the slash behind it.
_HERE = __file__[: -len("__init__.py")]


def describe(error: BaseException) -> str:
    """What failed and where, in one line, for the person who runs the hook."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    place, at = "", error.__traceback__
    # The line of the hook's own code that was reached last. Not by the module `traceback`, which looks for source files.
    while at is not None:
        path = at.tb_frame.f_code.co_filename
        name = path.rsplit("/", 1)[-1]
        is_ours = path.startswith(_HERE) or name == "hookbox_component.py"
        if not is_ours and not path.startswith(("<", "/python", "/world/")) and "/lib/python" not in path:
            place = f" at {name}:{at.tb_lineno}"
        at = at.tb_next
    return what + place
