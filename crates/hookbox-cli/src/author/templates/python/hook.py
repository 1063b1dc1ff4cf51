"""Files that no tool may write."""

import hookbox


@hookbox.hook
def judge(input: hookbox.Input) -> hookbox.Action:
    files = input.settings.get("files", [".env", "id_rsa"])
    if not isinstance(files, list):
        raise TypeError("settings.files must be a list of strings")
    # What the call means, whichever agent makes it. Without it, this raises, and then the tool does not run.
    tool = input.facts()
    for path in tool.paths:
        if path.access in ("read", "list"):
            continue
        # A link may lead to another file.
        for name in (place.rsplit("/", 1)[-1] for place in (path.path, path.real or path.path)):
            if name in files:
                # A text that may be a path, in a call of a tool that hookbox does not know, is a question.
                stop = hookbox.deny if path.certain else hookbox.ask
                return stop(f"`{name}` is protected")
    # Without `facts = ["commands"]` in hooks.toml, the facts do not say which files a shell command changes.
    is_unread = not tool.complete or (tool.kind == "shell" and tool.commands is None)
    if tool.kind in ("write", "edit", "delete", "shell") and is_unread:
        return hookbox.ask("which files may this change?")
    return hookbox.allow()
