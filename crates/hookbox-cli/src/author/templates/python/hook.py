"""Files that no tool may write."""

import hookbox


@hookbox.hook
def judge(input: hookbox.Input) -> hookbox.Action:
    files = input.settings.get("files", [".env", "id_rsa"])
    if not isinstance(files, list):
        raise TypeError("settings.files must be a list of strings")
    # Tools name their file under one of these keys.
    for key in ("file_path", "path"):
        path = input.text(key)
        name = path.rsplit("/", 1)[-1] if path is not None else None
        if name in files:
            return hookbox.deny(f"`{name}` is protected")
    return hookbox.allow()
