"""What the tests share: scratch folders, the fake servers, and the cases that all clients have in common."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Optional

from hookbox_client import AsyncClient, Client, Outcome

CLIENTS = Path(__file__).resolve().parents[2]
TESTING = CLIENTS / "testing"
CASES = json.loads((CLIENTS / "conformance.json").read_text())
HOOKBOX = os.environ.get("HOOKBOX_BIN")


class AsyncAdapter:
    """An AsyncClient that is used like a Client, in an event loop of its own."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._runner = asyncio.new_event_loop()
        self._client = AsyncClient(*args, **options)

    def __enter__(self) -> AsyncAdapter:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run_until_complete(self._client.aclose())
        self._runner.close()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)
        return lambda *args, **options: self._runner.run_until_complete(method(*args, **options))


KINDS = {"sync": Client, "async": AsyncAdapter}


class Scratch(unittest.TestCase):
    """A test with a folder of its own, which is also the home directory of servers."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="hookbox-client-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"

    def fake(self, kind: str = "sync", *extra: str, **options: Any) -> Any:
        """A client of the fake server."""
        args = ["--log", str(self.log), "--state", str(self.folder / "state"), *extra]
        return KINDS[kind](TESTING / "fake_server.py", args=args, **options)

    def real(self, kind: str = "sync", **options: Any) -> Any:
        """A client of the real hookbox."""
        env = {**os.environ, "HOME": str(self.folder)}
        return KINDS[kind](HOOKBOX, args=["--config", str(TESTING / "hooks.toml")], env=env, cwd=self.folder, **options)

    def starts(self) -> int:
        """How often the fake server was started."""
        return self.log.read_text().count('"ping"')

    def is_cancelled(self) -> bool:
        """Whether the call that gets no answer, and no other, was cancelled."""
        requests = [json.loads(line) for line in self.log.read_text().splitlines()]
        slow = [request["id"] for request in requests if "slow" in json.dumps(request.get("input"))]
        return len(slow) == 1 and slow == [request["cancel"] for request in requests if "cancel" in request]

    @contextmanager
    def http_server(self, mode: str, address: Optional[str] = None) -> Iterator[str]:
        """A fake HTTP server, and its address."""
        path = f"unix:{self.folder}/socket"
        command = [sys.executable, str(TESTING / "fake_http.py"), address or path, mode, "--log", str(self.log)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                said = server.stdout.readline().strip()
                yield path if address is None else address.replace(":0", f":{said}")
            finally:
                server.kill()
                (self.folder / "socket").unlink(missing_ok=True)

    def check(self, outcome: Outcome, expect: dict[str, Any]) -> None:
        """Compares an Outcome with what a case expects."""
        for key, value in expect.items():
            if key == "reason_contains":
                self.assertIn(value, outcome.reason or "")
            elif key == "warning_code":
                self.assertIn(value, [warning.code for warning in outcome.warnings])
            elif key == "record_code":
                self.assertIn(value, [record.code for record in outcome.hooks])
            elif key == "input" and value is None:
                self.assertEqual(outcome.input, {})
            else:
                self.assertEqual(getattr(outcome, key), value, f"{key} of {outcome}")
        self.assertEqual(outcome.allowed, expect["decision"] == "allow")
        if outcome.code is not None:
            self.assertEqual(outcome.decision, "deny")
            self.assertEqual(outcome.input, {})


def call(client: Any, case: dict[str, Any]) -> tuple[Outcome, float]:
    """Makes the call of a case, and measures it in milliseconds."""
    deadline = case["deadline_ms"] / 1000 if "deadline_ms" in case else None
    started = time.monotonic()
    if "input" in case:
        outcome = client.decide(case["input"], deadline=deadline)
    else:
        outcome = client.pre_tool("bash", {"command": "x" * case.get("size", 2)}, deadline=deadline)
    return outcome, (time.monotonic() - started) * 1000
