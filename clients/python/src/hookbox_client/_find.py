"""Where the `hookbox` binary is, and what the client knows of a process that has ended."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from typing import Optional, Union

from ._failure import Failure

_TAIL = 4096


def find_binary(binary: Optional[Union[str, os.PathLike[str]]]) -> str:
    """Finds `hookbox`: as told, else $HOOKBOX_BIN, else beside this Python's scripts, else on PATH."""
    told = os.fspath(binary) if binary is not None else os.environ.get("HOOKBOX_BIN")
    if told:
        return told
    beside = os.path.join(sysconfig.get_path("scripts"), "hookbox")
    # A relative or empty entry of PATH leads to the current directory, which anyone may have written to.
    folders = os.pathsep.join(filter(os.path.isabs, os.get_exec_path()))
    found = beside if os.access(beside, os.X_OK) else shutil.which("hookbox", path=folders)
    if found is None:
        raise Failure("spawn", "`hookbox` is neither named by $HOOKBOX_BIN nor on PATH")
    return found


def spawn(
    binary: Optional[Union[str, os.PathLike[str]]],
    args: Sequence[str],
    cwd: Optional[Union[str, os.PathLike[str]]],
    env: Optional[dict[str, str]],
) -> subprocess.Popen[bytes]:
    """Starts `hookbox serve --stdio`. It has a session of its own, so that Ctrl-C in a terminal does not end it."""
    found = find_binary(binary)
    try:
        return subprocess.Popen(
            [found, "serve", "--stdio", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
    except (OSError, ValueError, TypeError, subprocess.SubprocessError) as error:
        raise Failure("spawn", f"cannot start {found}: {error}") from None


class Tail:
    """The end of a server's stderr. All of it is read, since a server with a full pipe would stop."""

    def __init__(self) -> None:
        self._kept = b""

    def add(self, data: bytes) -> None:
        """Keeps the end of what was written so far."""
        self._kept = (self._kept + data)[-_TAIL:]

    def last_line(self) -> str:
        """The last line with text in it, in printable characters."""
        lines = self._kept.decode(errors="replace").strip().splitlines()
        return "".join(c if c.isprintable() else " " for c in lines[-1])[:300] if lines else ""


def death(status: Optional[int], is_ready: bool, tail: Tail) -> Failure:
    """What to say of a server that ended. Before its first answer, it was never started properly."""
    if status is None:
        how = "closed its output"
    else:
        how = f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
    said = tail.last_line()
    return Failure("died" if is_ready else "spawn", f"hookbox {how}" + (f": {said}" if said else ""))
