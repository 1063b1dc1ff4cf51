"""The client for threads."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Optional, Union

from . import _requests as requests
from ._failure import Failure
from ._find import spawn
from ._http import Address, HttpTransport
from ._outcome import Input, Outcome, check_fits, denial, read_outcome
from ._stdio import StdioTransport

_Path = Union[str, "os.PathLike[str]"]


class Client:
    """Asks hookbox what an agent may do.

        with hookbox_client.Client() as client:
            outcome = client.pre_tool("bash", {"command": "ls"})
            if outcome.decision == "allow":
                run(outcome.input["tool_input"])

    Without `connect`, the first call starts `hookbox serve --stdio`, and a later one starts it again if it ended. `connect` is
    the address of a server that already runs: "unix:PATH", or "127.0.0.1:PORT" with its token.

    No method raises because of hookbox: a call without a verdict is a deny with its code. All of them may be used from any
    thread, and in a child process after a fork.
    """

    def __init__(
        self,
        binary: Optional[_Path] = None,
        *,
        args: Sequence[str] = (),
        env: Optional[Mapping[str, str]] = None,
        cwd: Optional[_Path] = None,
        connect: Optional[str] = None,
        token: Optional[str] = None,
        token_file: Optional[_Path] = None,
        project: Optional[_Path] = None,
        deadline: float = requests.DEADLINE,
        start_timeout: float = requests.START_TIMEOUT,
    ) -> None:
        """`binary` is where hookbox is (default: $HOOKBOX_BIN, then beside Python's scripts, then PATH), `args` are options
        of `hookbox serve` such as ["--config", "hooks.toml"], `env` and `cwd` are those of the server. `project` is the agent's
        working directory (default: that of the Input, then the current one); `deadline` is how long a call may take, in
        seconds."""
        self._project = None if project is None else os.path.abspath(project)
        self._deadline = deadline
        self._transport: Union[StdioTransport, HttpTransport]
        if connect is not None:
            self._transport = HttpTransport(Address.parse(connect, token, token_file))
        else:
            start = partial(spawn, binary, list(args), cwd, None if env is None else dict(env))
            self._transport = StdioTransport(start, start_timeout)
        _clients.add(self)
        weakref.finalize(self, self._transport.close, 0.5)

    def decide(
        self, input: Union[Input, Mapping[str, Any]], *, project: Optional[_Path] = None, deadline: Optional[float] = None
    ) -> Outcome:
        """Asks about an event of any kind."""
        try:
            where = self._project if project is None else os.fspath(project)
            members, end = requests.prepare(input, where, self._deadline if deadline is None else deadline)
            # Another thread may change the caller's Input while this waits.
            asked = dict(input)
            outcome = read_outcome(self._transport.ask(members, end))
            check_fits(asked, outcome)
            self._transport.worked()
            return outcome
        except Failure as failure:
            return denial(failure, requests.event_of(input))
        except Exception as error:
            return denial(Failure("internal", f"the client failed: {error!r}"), requests.event_of(input))

    def pre_tool(
        self,
        tool_name: str,
        tool_input: Any,
        *,
        project: Optional[_Path] = None,
        deadline: Optional[float] = None,
        **members: Any,
    ) -> Outcome:
        """Asks before a tool call. `members` are more members of the Input, such as session_id, pwd and tool_use_id."""
        input = requests.pre_tool(tool_name, tool_input, members)
        return self.decide(input, project=project, deadline=deadline)

    def post_tool(
        self,
        tool_name: str,
        tool_input: Any,
        content: str,
        *,
        is_error: bool = False,
        project: Optional[_Path] = None,
        deadline: Optional[float] = None,
        **members: Any,
    ) -> Outcome:
        """Asks after a tool returned `content`. `outcome.input["tool_result"]` is what the model may see."""
        input = requests.post_tool(tool_name, tool_input, content, is_error, members)
        return self.decide(input, project=project, deadline=deadline)

    def pre_message(
        self, message: str, *, project: Optional[_Path] = None, deadline: Optional[float] = None, **members: Any
    ) -> Outcome:
        """Asks before a message of the user is sent. `outcome.input["message"]` is what to send."""
        return self.decide(requests.pre_message(message, members), project=project, deadline=deadline)

    def close(self) -> None:
        """Ends the server that this client started. Calls in flight, and all later ones, are denied."""
        self._transport.close(requests.PATIENCE)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


_clients: weakref.WeakSet[Client] = weakref.WeakSet()


def _after_fork() -> None:
    for client in list(_clients):
        client._transport.after_fork()


os.register_at_fork(after_in_child=_after_fork)
