"""A server that the client starts, and talks to over pipes, for asyncio."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
import time
from contextlib import suppress
from typing import Any, Callable, Optional, Union

from ._failure import Backoff, Failure
from ._find import Tail, death
from ._wire import HELLO, Session, check_hello, read_answer, server_deadline

_CHUNK = 1 << 16
# How long a server may take to end after its last sign of life, in seconds.
_DEATH = 0.2
_MAX_UNSENT = 8 << 20

# None says that the time is up.
_Result = Union[None, Failure, "dict[str, Any]"]


def _set(future: asyncio.Future[_Result], result: _Result) -> None:
    if not future.done():
        future.set_result(result)


class _Server:
    """One running server. Once `failure` is set, it is not used again."""

    def __init__(self, process: subprocess.Popen[bytes], backoff: Backoff) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self.loop = asyncio.get_running_loop()
        self.failure: Optional[Failure] = None
        self.started = time.monotonic()
        self.is_ready = False
        self.ready: asyncio.Future[_Result] = self.loop.create_future()
        self.process = process
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        self._backoff = backoff
        self._session: Session[asyncio.Future[_Result]] = Session()
        self._tail = Tail()
        self._unsent = bytearray()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self.loop.add_reader(self._stdout, self._read_stdout)
        self.loop.add_reader(self._stderr, self._read_stderr)
        with suppress(Failure):
            self._send(HELLO)

    def is_hung(self) -> bool:
        """Whether it no longer answers. It is ended then."""
        if self.failure is None and self._session.is_hung():
            self.end(Failure("deadline", "hookbox no longer answers and was ended"))
        return self.failure is not None

    async def ask(self, members: bytes, end: float) -> dict[str, Any]:
        """Sends a request and waits for its answer until `end`."""
        future: asyncio.Future[_Result] = self.loop.create_future()
        left = end - time.monotonic()
        id = self._session.issue(future)
        self._send(b'{"id":%d,%b,%b}\n' % (id, server_deadline(left), members))
        timer = self.loop.call_later(min(left, _DEATH), self._look_again, future, end)
        try:
            result = await future
        except BaseException:
            self._abandon(id)
            raise
        finally:
            timer.cancel()
        if result is None:
            self._abandon(id)
            self.is_hung()
            raise Failure("deadline", "hookbox did not answer in time")
        if isinstance(result, Failure):
            raise result
        return result

    def look(self) -> None:
        """Notices the death of the server even if a process that it started keeps its output open."""
        if self.failure is None and self.process.poll() is not None:
            self.loop.call_later(_DEATH, self._wait_for_death, 0)

    def _look_again(self, future: asyncio.Future[_Result], end: float) -> None:
        left = end - time.monotonic()
        if left <= 0:
            _set(future, None)
        elif not future.done():
            self.look()
            self.loop.call_later(min(left, _DEATH), self._look_again, future, end)

    def end(self, failure: Failure) -> None:
        """Ends the server, and every call that waits for it."""
        if self.let_go(failure):
            if self.process.poll() is None:
                self.process.kill()
            # A killed process is gone soon, but this loop does not wait for it.
            threading.Thread(target=self.process.wait, name="hookbox-wait", daemon=True).start()

    def let_go(self, failure: Failure) -> bool:
        """Closes the pipes, which ends a server that works. False if that was done before."""
        if self.failure is not None:
            return False
        self.failure = failure
        if failure.code != "closed":
            self._backoff.failed(failure)
        if not self.loop.is_closed():
            died = failure if failure.code != "deadline" else Failure("died", failure.message)
            for future in self._session.take_waiting():
                _set(future, died)
            _set(self.ready, failure)
            self.loop.remove_writer(self._stdin)
            self.loop.remove_reader(self._stdout)
            self.loop.remove_reader(self._stderr)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        return True

    def _abandon(self, id: int) -> None:
        cancel = self._session.abandon(id)
        if cancel is not None and self.failure is None:
            with suppress(Failure):
                self._send(cancel)

    def _send(self, data: bytes) -> None:
        """Writes a line, later if the server does not read now. What has begun is written whole, whatever becomes of its call."""
        if self._unsent:
            if len(self._unsent) + len(data) > _MAX_UNSENT:
                self.end(Failure("deadline", "hookbox does not read its requests"))
                raise Failure("deadline", "hookbox does not read its requests")
            self._unsent += data
            return
        sent = self._write(data)
        if sent < len(data) and self.failure is None:
            self._unsent += data[sent:]
            self.loop.add_writer(self._stdin, self._flush)
        if self.failure is not None:
            raise self.failure

    def _flush(self) -> None:
        del self._unsent[: self._write(self._unsent)]
        if not self._unsent and self.failure is None:
            self.loop.remove_writer(self._stdin)

    def _write(self, data: Union[bytes, bytearray]) -> int:
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError:
            self.end(death(self.process.poll(), self.is_ready, self._tail))
            return 0

    def _read_stdout(self) -> None:
        try:
            data = os.read(self._stdout, _CHUNK)
            if not data:
                self.loop.remove_reader(self._stdout)
                self._wait_for_death(20)
                return
            for line in self._session.lines(data):
                self._take(line)
        except BlockingIOError:
            pass
        except Failure as failure:
            self.end(failure)
        except Exception as error:
            self.end(Failure("internal", f"cannot read the answers of hookbox: {error!r}"))

    def _take(self, line: bytes) -> None:
        if not self.is_ready:
            check_hello(line)
            self.is_ready = True
            _set(self.ready, None)
            return
        future, answer = self._session.match(line)
        if future is not None:
            _set(future, answer)

    def _wait_for_death(self, tries: int) -> None:
        # A process closes its output a moment before it ends, and its status says more.
        if self.failure is not None:
            return
        if self.process.poll() is None and tries > 0:
            self.loop.call_later(0.01, self._wait_for_death, tries - 1)
            return
        self._read_stderr()
        self.end(death(self.process.poll(), self.is_ready, self._tail))

    def _read_stderr(self) -> None:
        try:
            data = os.read(self._stderr, _CHUNK)
        except OSError:
            return
        if data:
            self._tail.add(data)
        else:
            self.loop.remove_reader(self._stderr)


class AsyncStdioTransport:
    """Starts a server for the first call, and again after it ended."""

    def __init__(self, spawn: Callable[[], subprocess.Popen[bytes]], start_timeout: float) -> None:
        self._spawn = spawn
        self._start_timeout = start_timeout
        self._backoff = Backoff()
        self._server: Optional[_Server] = None
        self._is_closed = False

    async def ask(self, members: bytes, end: float) -> Any:
        """The Outcome to a request, not yet checked. Failure if there is none by `end`."""
        server = self._running()
        if not server.is_ready:
            await self._wait_until_ready(server, end)
        return read_answer(await server.ask(members, end))

    def worked(self) -> None:
        """Says that the Outcome was a good one."""
        self._backoff.worked()

    async def close(self, patience: float) -> None:
        """Ends the server. What it is doing now may take as long as `patience`, in seconds."""
        self._is_closed = True
        server = self._server
        if server is None or not server.let_go(Failure("closed", "the client is closed")):
            return
        end = time.monotonic() + patience
        try:
            while server.process.poll() is None and time.monotonic() < end:
                await asyncio.sleep(0.005)
        finally:
            if server.process.poll() is None:
                server.process.kill()
                server.process.wait()

    def drop(self) -> None:
        """Lets go of the server when nobody uses the client any more."""
        server, self._server = self._server, None
        if server is not None and server.let_go(Failure("closed", "the client is closed")):
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(0.5)
                return
            server.process.kill()
            server.process.wait()

    def _running(self) -> _Server:
        if self._is_closed:
            raise Failure("closed", "the client is closed")
        server = self._server
        if server is not None and server.loop is not asyncio.get_running_loop():
            if not server.loop.is_closed():
                raise Failure("closed", "this AsyncClient belongs to another event loop")
            self.drop()
            server = None
        if server is None or server.is_hung():
            self._backoff.check()
            try:
                process = self._spawn()
            except Failure as failure:
                self._backoff.failed(failure)
                raise
            server = self._server = _Server(process, self._backoff)
        return server

    async def _wait_until_ready(self, server: _Server, end: float) -> None:
        last = server.started + self._start_timeout
        while not server.ready.done() and (left := min(end, last) - time.monotonic()) > 0:
            # Not wait_for, which would cancel the future for everyone.
            await asyncio.wait((server.ready,), timeout=min(left, _DEATH))
            server.look()
        if not server.ready.done() and time.monotonic() >= last:
            server.end(Failure("spawn", f"hookbox did not start within {self._start_timeout:g} s"))
        if server.failure is not None:
            raise server.failure
        if not server.is_ready:
            raise Failure("deadline", "hookbox has not started in time")
