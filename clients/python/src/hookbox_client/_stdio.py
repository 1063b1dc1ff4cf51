"""A server that the client starts, and talks to over pipes, for threads."""

from __future__ import annotations

import os
import select
import subprocess
import threading
import time
from contextlib import suppress
from typing import Any, Callable, Optional

from ._failure import Backoff, Failure
from ._find import Tail, death
from ._wire import HELLO, Session, check_hello, read_answer, server_deadline

_CHUNK = 1 << 16
# How long a server may take to end after its last sign of life, in seconds.
_DEATH = 0.2


class _Call:
    """A thread that waits for its answer. A bare lock is the cheapest thing to wait for."""

    __slots__ = ("answer", "failure", "_done")

    def __init__(self) -> None:
        self.answer: Optional[dict[str, Any]] = None
        self.failure: Optional[Failure] = None
        self._done = threading.Lock()
        self._done.acquire()

    def wait(self, seconds: float) -> bool:
        return self._done.acquire(timeout=min(max(seconds, 0.0), threading.TIMEOUT_MAX))

    def finish(self) -> None:
        self._done.release()


class _Server:
    """One running server. Once `failure` is set, it is not used again."""

    def __init__(self, process: subprocess.Popen[bytes], backoff: Backoff) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self.failure: Optional[Failure] = None
        self.is_ready = threading.Event()
        self.started = time.monotonic()
        self._has_greeted = False
        self._process = process
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._backoff = backoff
        self._session: Session[_Call] = Session()
        self._tail = Tail()
        self._writing = threading.Lock()
        self._ending = threading.Lock()
        os.set_blocking(self._stdin.fileno(), False)
        self._drain = threading.Thread(target=self._read_stderr, name="hookbox-stderr", daemon=True)
        self._drain.start()
        threading.Thread(target=self._read_stdout, name="hookbox-stdout", daemon=True).start()
        with suppress(Failure):
            self._write(HELLO, time.monotonic() + 1.0)

    def is_hung(self) -> bool:
        """Whether it no longer answers. It is ended then."""
        if self.failure is None and self._session.is_hung():
            self.end(Failure("deadline", "hookbox no longer answers and was ended"))
        return self.failure is not None

    def ask(self, members: bytes, end: float) -> dict[str, Any]:
        """Sends a request and waits for its answer until `end`."""
        call = _Call()
        id = self._session.issue(call)
        if self.failure is not None:
            raise self.failure
        try:
            try:
                left = end - time.monotonic()
                self._write(b'{"id":%d,%b,%b}\n' % (id, server_deadline(left), members), end)
            except Failure:
                self._session.forget(id)
                raise
            is_done = self.wait(call.wait, end)
        except Failure:
            raise
        except BaseException:
            self._abandon(id, time.monotonic() + 0.1)
            raise
        if not is_done:
            self._abandon(id, end)
            self.is_hung()
            raise Failure("deadline", "hookbox did not answer in time")
        if call.failure is not None:
            raise call.failure
        assert call.answer is not None
        return call.answer

    def wait(self, event: Callable[[float], bool], end: float) -> bool:
        """Waits for the server until `end`. Notices its death even if a process that it started keeps its output open."""
        while not event(min(end - time.monotonic(), _DEATH)):
            if time.monotonic() >= end:
                return False
            if self.failure is None and self._process.poll() is not None:
                # What it wrote before its death may not be read yet.
                if event(min(end - time.monotonic(), _DEATH)):
                    return True
                self.end(self._death())
        return True

    def end(self, failure: Failure, patience: float = 0.0) -> None:
        """Ends the server, and every call that waits for it. With patience, it may end by itself."""
        with self._ending:
            if self.failure is not None:
                return
            self.failure = failure
        if failure.code != "closed":
            self._backoff.failed(failure)
        died = failure if failure.code != "deadline" else Failure("died", failure.message)
        for call in self._session.take_waiting():
            call.failure = died
            call.finish()
        self.is_ready.set()
        if patience > 0:
            self._close_stdin(patience)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        if self._process.poll() is None:
            self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
        self._close_stdin(1.0)

    def _close_stdin(self, patience: float) -> None:
        # Not while another thread uses the descriptor: its number may be somebody else's a moment later.
        if self._writing.acquire(timeout=patience):
            with suppress(OSError):
                self._stdin.close()
            self._writing.release()

    def forget_after_fork(self) -> None:
        """Lets go of a server that belongs to the parent process."""
        self.failure = Failure("died", "the server belongs to the parent process")
        self._process.returncode = 0
        for pipe in (self._stdin, self._stdout, self._stderr):
            with suppress(OSError):
                pipe.close()

    def _abandon(self, id: int, end: float) -> None:
        cancel = self._session.abandon(id)
        if cancel is not None:
            with suppress(Failure):
                self._write(cancel, end)

    def _write(self, data: bytes, end: float) -> None:
        """Writes a whole line, or ends the server: half a line would be read together with the next one."""
        if not self._writing.acquire(timeout=min(max(end - time.monotonic(), 0.0), threading.TIMEOUT_MAX)):
            raise Failure("deadline", "hookbox does not read its requests")
        sent = 0
        trouble = Failure("died", "the write of a request was interrupted")
        try:
            while sent < len(data):
                sent += self._write_some(data[sent:] if sent else data, end)
        except Failure as failure:
            trouble = failure
            raise
        except (OSError, ValueError):
            trouble = self._death()
            sent = max(sent, 1)
            raise trouble from None
        finally:
            self._writing.release()
            if 0 < sent < len(data):
                self.end(trouble)

    def _write_some(self, data: bytes, end: float) -> int:
        with suppress(BlockingIOError):
            return os.write(self._stdin.fileno(), data)
        poll = select.poll()
        poll.register(self._stdin.fileno(), select.POLLOUT)
        left = end - time.monotonic()
        if left <= 0:
            raise Failure("deadline", "hookbox does not read its requests")
        poll.poll(min(left, 60.0) * 1000)
        return 0

    def _death(self) -> Failure:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_DEATH)
            self._drain.join(_DEATH)
        return death(self._process.poll(), self._has_greeted, self._tail)

    def _read_stdout(self) -> None:
        try:
            descriptor = self._stdout.fileno()
            while self.failure is None and (data := os.read(descriptor, _CHUNK)):
                for line in self._session.lines(data):
                    self._take(line)
            self.end(self._death())
        except Failure as failure:
            self.end(failure)
        except Exception as error:
            self.end(Failure("internal", f"cannot read the answers of hookbox: {error!r}"))
        with suppress(OSError):
            self._stdout.close()

    def _take(self, line: bytes) -> None:
        if not self._has_greeted:
            check_hello(line)
            self._has_greeted = True
            self.is_ready.set()
            return
        call, answer = self._session.match(line)
        if call is not None:
            call.answer = answer
            call.finish()

    def _read_stderr(self) -> None:
        with suppress(OSError, ValueError):
            while data := os.read(self._stderr.fileno(), _CHUNK):
                self._tail.add(data)
        with suppress(OSError):
            self._stderr.close()


class StdioTransport:
    """Starts a server for the first call, and again after it ended."""

    def __init__(self, spawn: Callable[[], subprocess.Popen[bytes]], start_timeout: float) -> None:
        self._spawn = spawn
        self._start_timeout = start_timeout
        self._backoff = Backoff()
        self._starting = threading.Lock()
        self._server: Optional[_Server] = None
        self._is_closed = False

    def ask(self, members: bytes, end: float) -> Any:
        """The Outcome to a request, not yet checked. Failure if there is none by `end`."""
        server = self._server
        if server is None or server.is_hung() or not server.is_ready.is_set():
            server = self._running(end)
        return read_answer(server.ask(members, end))

    def worked(self) -> None:
        """Says that the Outcome was a good one."""
        self._backoff.worked()

    def close(self, patience: float) -> None:
        """Ends the server. What it is doing now may take as long as `patience`, in seconds."""
        self._is_closed = True
        server = self._server
        if server is not None:
            server.end(Failure("closed", "the client is closed"), patience)

    def after_fork(self) -> None:
        """In a child process: the next call starts a server of its own."""
        server, self._server = self._server, None
        self._starting = threading.Lock()
        self._backoff = Backoff()
        if server is not None:
            server.forget_after_fork()

    def _running(self, end: float) -> _Server:
        if not self._starting.acquire(timeout=min(max(end - time.monotonic(), 0.0), threading.TIMEOUT_MAX)):
            raise Failure("deadline", "hookbox has not started in time")
        try:
            if self._is_closed:
                raise Failure("closed", "the client is closed")
            if self._server is None or self._server.failure is not None:
                self._backoff.check()
                try:
                    self._server = _Server(self._spawn(), self._backoff)
                except Failure as failure:
                    self._backoff.failed(failure)
                    raise
            server = self._server
        finally:
            self._starting.release()
        # Another thread may have closed the client before it could see this server.
        if self._is_closed:
            server.end(Failure("closed", "the client is closed"))
        last = server.started + self._start_timeout
        if not server.wait(server.is_ready.wait, min(end, last)) and time.monotonic() >= last:
            server.end(Failure("spawn", f"hookbox did not start within {self._start_timeout:g} s"))
        if server.failure is not None:
            raise server.failure
        if not server.is_ready.is_set():
            raise Failure("deadline", "hookbox has not started in time")
        return server
