"""The client for asyncio."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Optional, Union

from . import _requests as requests
from ._async_http import AsyncHttpTransport
from ._async_stdio import AsyncStdioTransport
from ._failure import Failure
from ._find import spawn
from ._http import Address
from ._outcome import Input, Outcome, check_fits, denial, read_outcome

_Path = Union[str, "os.PathLike[str]"]


class AsyncClient:
    """Asks hookbox what an agent may do, from one asyncio event loop.

        async with hookbox_client.AsyncClient() as client:
            outcome = await client.pre_tool("bash", {"command": "ls"})
            if outcome.decision == "allow":
                await run(outcome.input["tool_input"])

    The options are those of `Client`. A task that is cancelled tells hookbox so, and CancelledError passes.
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
        """See `Client`."""
        self._project = None if project is None else os.path.abspath(project)
        self._deadline = deadline
        self._transport: Union[AsyncStdioTransport, AsyncHttpTransport]
        if connect is not None:
            self._transport = AsyncHttpTransport(Address.parse(connect, token, token_file))
        else:
            start = partial(spawn, binary, list(args), cwd, None if env is None else dict(env))
            self._transport = AsyncStdioTransport(start, start_timeout)
        weakref.finalize(self, self._transport.drop)

    async def decide(
        self, input: Union[Input, Mapping[str, Any]], *, project: Optional[_Path] = None, deadline: Optional[float] = None
    ) -> Outcome:
        """Asks about an event of any kind."""
        try:
            where = self._project if project is None else os.fspath(project)
            members, end = requests.prepare(input, where, self._deadline if deadline is None else deadline)
            # The caller may change its Input while this waits.
            asked = dict(input)
            outcome = read_outcome(await self._transport.ask(members, end))
            check_fits(asked, outcome)
            self._transport.worked()
            return outcome
        except Failure as failure:
            return denial(failure, requests.event_of(input))
        # CancelledError is not an Exception, and passes.
        except Exception as error:
            return denial(Failure("internal", f"the client failed: {error!r}"), requests.event_of(input))

    async def pre_tool(
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
        return await self.decide(input, project=project, deadline=deadline)

    async def post_tool(
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
        return await self.decide(input, project=project, deadline=deadline)

    async def pre_message(
        self, message: str, *, project: Optional[_Path] = None, deadline: Optional[float] = None, **members: Any
    ) -> Outcome:
        """Asks before a message of the user is sent. `outcome.input["message"]` is what to send."""
        return await self.decide(requests.pre_message(message, members), project=project, deadline=deadline)

    async def aclose(self) -> None:
        """Ends the server that this client started. Calls in flight, and all later ones, are denied."""
        await self._transport.close(requests.PATIENCE)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.aclose()
