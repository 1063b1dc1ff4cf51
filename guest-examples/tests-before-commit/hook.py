"""Stops commits and pushes of code that was changed after the last test run that passed.

The store of the project has `edits`, how often code may have changed, `green`, what that was when the tests began that passed last, and
`runs`, the same for tests that are under way.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, Optional

import hookbox
from hookbox import store

Command = dict[str, Any]

DEFAULTS: dict[str, Any] = {
    "tests": ["cargo test", "go test ./...", "npm test", "pytest"],
    "changes": [
        "cargo fmt", "git am *", "git apply *", "git checkout *", "git cherry-pick *", "git merge *", "git pull*", "git rebase *",
        "git reset *", "git restore *", "git revert *", "git stash*", "git switch *", "patch *",
    ],
    "exempt": ["*.md", "docs/*"],
    "failed": ["FAILED", "Exit code: 1", "npm ERR!"],
    "unsure": ["cursor"],
    "otherwise": "deny",
}

# What git puts its own words behind, as `git -C other commit` does.
_OPTIONS_WITH_VALUE = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--attr-source")

# How many test runs may be under way.
_MOST_RUNS = 20


@hookbox.hook
def judge(input: hookbox.Input) -> hookbox.Action:
    settings = _settings(input.settings)
    tool = input.facts()
    values = store.open()
    is_test = _is_test(tool, settings["tests"])
    if not is_test and _may_change_code(tool, settings):
        values.increment("edits")
    if is_test and input.event == "pre_tool":
        _begin(values, _run(input, tool))
    if is_test and input.event == "post_tool":
        _end(values, _run(input, tool), _passed(input, settings))
    if input.event != "pre_tool":
        return hookbox.allow()
    return _before(tool, values, settings)


def _before(tool: hookbox.Tool, values: store.Store, settings: dict[str, Any]) -> hookbox.Action:
    """Judges what may be a commit."""
    if tool.kind != "shell" or _number(values, "edits") <= _number(values, "green"):
        return hookbox.allow()
    commits = [_commits(command) for command in tool.commands or []]
    why = f"the code was changed after the last test run that passed: run `{settings['tests'][0]}` in a call of its own first"
    if True in commits:
        return hookbox.Action(settings["otherwise"], why)
    if None in commits or tool.commands is None or tool.unknown:
        return hookbox.ask(f"this may be a commit, and {why}")
    return hookbox.allow()


def _commits(command: Command) -> Optional[bool]:
    """Whether the command commits or pushes. None if that is not known."""
    name = command.get("name")
    if name != "git":
        return None if name is None else False
    words = iter(command.get("argv", [])[1:])
    for word in words:
        if not isinstance(word, str):
            return None
        if word in _OPTIONS_WITH_VALUE:
            next(words, None)
        elif not word.startswith("-"):
            return word in ("commit", "push")
    return False


def _is_test(tool: hookbox.Tool, tests: list[str]) -> bool:
    """Whether the call does nothing but run the tests, so that its success is theirs: `cd app && cargo test`."""
    commands = tool.commands
    if tool.kind != "shell" or not commands or tool.shells or tool.unknown:
        return False
    text = (tool.command or "").replace("&&", "")
    # Each of these hides the status of the tests, or what it is the status of.
    if any(sign in text for sign in "|;!&`\n"):
        return False
    known = [_text(command) for command in commands]
    *before, last = known
    return _matches(last, tests) and all(text is not None and (text.startswith("cd ") or _matches(text, tests)) for text in before)


def _may_change_code(tool: hookbox.Tool, settings: dict[str, Any]) -> bool:
    """Whether the call may change code of the project."""
    if any(_matches(_text(command), settings["changes"]) for command in tool.commands or []):
        return True
    root = (tool.cwd or "").rstrip("/") + "/"

    def is_exempt(path: str) -> bool:
        return _matches(path[len(root):] if path.startswith(root) else path, settings["exempt"])

    def is_code(path: hookbox.ToolPath) -> bool:
        return not (is_exempt(path.path) and is_exempt(path.real or path.path))

    changed = [path for path in tool.paths if path.access in ("write", "create", "delete") and path.place == "project"]
    return any(map(is_code, changed))


def _text(command: Command) -> Optional[str]:
    """The command's words, if all of them are known."""
    words = [command.get("name"), *command.get("argv", [])[1:]]
    known = [word for word in words if isinstance(word, str)]
    return " ".join(known) if len(known) == len(words) else None


def _matches(text: Optional[str], patterns: list[str]) -> bool:
    return text is not None and any(fnmatchcase(text, pattern) for pattern in patterns)


def _passed(input: hookbox.Input, settings: dict[str, Any]) -> bool:
    """Whether the tests passed. Some agents do not say with which status a command ended."""
    result = input.tool_result
    if result is None or result.is_error or input.all.get("agent") in settings["unsure"]:
        return False
    return not any(text in result.content for text in settings["failed"])


def _run(input: hookbox.Input, tool: hookbox.Tool) -> str:
    """What a test run is recognized by when it ends. Another hook may have rewritten its command by then."""
    return (input.tool_use_id or tool.command or "").replace("\n", " ")[:200]


def _begin(values: store.Store, run: str) -> None:
    line = f"{_number(values, 'edits')} {run}"

    values.update_text("runs", lambda runs: "\n".join([*_lines(runs), line][-_MOST_RUNS:]))


def _end(values: store.Store, run: str, passed: bool) -> None:
    ended = [line for line in _lines(values.get_text("runs")) if line.split(" ", 1)[1] == run]
    values.update_text("runs", lambda runs: "\n".join(line for line in _lines(runs) if line not in ended))
    if passed and ended:
        began = min(int(line.split(" ", 1)[0]) for line in ended)
        values.update_text("green", lambda green: str(max(began, int(green or "0"))))


def _lines(runs: Optional[str]) -> list[str]:
    return runs.split("\n") if runs else []


def _number(values: store.Store, key: str) -> int:
    return int(values.get_text(key) or "0")


def _settings(given: Any) -> dict[str, Any]:
    settings = {**DEFAULTS, **given}
    for name, value in settings.items():
        default = DEFAULTS.get(name)
        if default is None:
            raise ValueError(f"there is no setting `{name}`")
        if isinstance(default, list) and not (isinstance(value, list) and all(isinstance(text, str) and text for text in value)):
            raise ValueError(f"`{name}` must be a list of texts")
    if settings["otherwise"] not in ("deny", "ask"):
        raise ValueError("`otherwise` must be \"deny\" or \"ask\"")
    if not settings["tests"]:
        raise ValueError("`tests` must name a command")
    return settings
