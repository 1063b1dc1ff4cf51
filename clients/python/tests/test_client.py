"""What both clients do beside the common cases."""

from __future__ import annotations

import json
import math
import os
import unittest
from typing import Any

from hookbox_client import AsyncClient, Client, Outcome
from support import KINDS, TESTING, Scratch


class Truth(unittest.TestCase):
    def test_an_outcome_has_no_truth_value(self) -> None:
        for decision in ("allow", "deny", "ask"):
            with self.assertRaises(TypeError):
                bool(Outcome(decision))  # type: ignore[arg-type]
            with self.assertRaises(TypeError):
                not Outcome(decision)  # type: ignore[arg-type]

    def test_only_an_allow_is_allowed(self) -> None:
        self.assertEqual([Outcome(d).allowed for d in ("allow", "deny", "ask")], [True, False, False])  # type: ignore[arg-type]

    def test_an_outcome_cannot_be_changed(self) -> None:
        with self.assertRaises(AttributeError):
            Outcome("deny").decision = "allow"  # type: ignore[misc]


class Both(Scratch):
    def test_helpers(self) -> None:
        for kind in KINDS:
            with self.subTest(kind=kind), self.fake(kind) as client:
                before = client.pre_tool("bash", {"command": "ls"}, session_id="s", pwd="/x", tool_use_id="u")
                self.assertEqual(before.input, {
                    "event": "pre_tool", "session_id": "s", "pwd": "/x", "tool_use_id": "u", "tool_name": "bash",
                    "tool_input": {"command": "ls"},
                })
                after = client.post_tool("bash", {"command": "ls"}, "files", is_error=True)
                self.assertEqual(after.input["tool_result"], {"is_error": True, "content": "files"})
                self.assertEqual(client.pre_message("hi").input, {"event": "pre_message", "message": "hi"})
                self.assertEqual(client.pre_tool("bash", {"command": "deny"}).decision, "deny")
                self.assertEqual(client.pre_tool("bash", {"command": "ask"}).decision, "ask")

    def test_what_cannot_be_sent_is_denied(self) -> None:
        circle: list[Any] = []
        circle.append(circle)
        wrong = (math.nan, math.inf, {1, 2}, object(), "\ud800", circle, b"x", {("a",): 1})
        for kind in KINDS:
            with self.fake(kind) as client:
                for value in wrong:
                    with self.subTest(kind=kind, value=type(value)):
                        self.check(client.pre_tool("bash", value), {"decision": "deny", "code": "input"})
                for value in (None, 1, "pre_tool", [1]):
                    with self.subTest(kind=kind, input=value):
                        self.check(client.decide(value), {"decision": "deny", "code": "input"})
                self.check(client.pre_tool("bash", {}), {"decision": "allow", "code": None})
                self.assertEqual(self.starts(), 1)
            self.log.unlink()

    def test_no_time(self) -> None:
        for kind in KINDS:
            with self.fake(kind) as client:
                for deadline in (0, -1, math.nan, -math.inf):
                    outcome = client.pre_tool("bash", {}, deadline=deadline)
                    self.check(outcome, {"decision": "deny", "code": "deadline"})
                self.check(client.pre_tool("bash", {}, deadline=math.inf), {"decision": "allow"})
                self.check(client.pre_tool("bash", {}, deadline="soon"), {"decision": "deny", "code": "internal"})

    def test_no_binary(self) -> None:
        for kind in KINDS:
            for binary in (self.folder / "missing", self.folder, TESTING / "hooks.toml", "\0"):
                with self.subTest(kind=kind, binary=binary), KINDS[kind](binary) as client:
                    self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "spawn"})

    def test_found_by_the_environment(self) -> None:
        before = os.environ.get("HOOKBOX_BIN"), os.environ["PATH"]
        try:
            os.environ["HOOKBOX_BIN"] = str(TESTING / "fake_server.py")
            for kind in KINDS:
                with KINDS[kind]() as client:
                    self.check(client.pre_tool("bash", {}), {"decision": "allow"})
            del os.environ["HOOKBOX_BIN"]
            (self.folder / "hookbox").symlink_to(TESTING / "fake_server.py")
            os.environ["PATH"] = f"{self.folder}:{before[1]}"
            with Client() as client:
                self.check(client.pre_tool("bash", {}), {"decision": "allow"})
            os.environ["PATH"] = "/nowhere"
            with Client() as client:
                self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "spawn"})
            # A project that an agent works in may have a program of this name.
            self.addCleanup(os.chdir, os.getcwd())
            os.chdir(self.folder)
            nowhere = {"decision": "deny", "code": "spawn", "reason_contains": "nor on PATH"}
            for path in (":/nowhere", "/nowhere:.", f"../{self.folder.name}"):
                os.environ["PATH"] = path
                with self.subTest(path=path), Client() as client:
                    self.check(client.pre_tool("bash", {}), nowhere)
        finally:
            os.environ.pop("HOOKBOX_BIN", None)
            if before[0] is not None:
                os.environ["HOOKBOX_BIN"] = before[0]
            os.environ["PATH"] = before[1]

    def test_what_the_server_is_told(self) -> None:
        for kind in KINDS:
            self.log.unlink(missing_ok=True)
            with self.fake(kind) as client:
                client.pre_tool("bash", {}, deadline=2)
                client.pre_tool("bash", {}, pwd="/x")
                client.pre_tool("bash", {}, project="/p", deadline=1e9)
            requests = [json.loads(line) for line in self.log.read_text().splitlines()]
            ids = [request["id"] for request in requests]
            self.assertTrue(ids == sorted(set(ids)) and ids[0] == 0, ids)
            self.assertTrue(1000 < requests[1]["deadline_ms"] <= 1900, requests[1])
            self.assertEqual(requests[1]["project"], os.getcwd())
            self.assertNotIn("project", requests[2])
            self.assertEqual(requests[3]["project"], "/p")
            self.assertEqual(requests[3]["deadline_ms"], 86_400_000 - 100)

    def test_back_off(self) -> None:
        for kind in KINDS:
            self.log.unlink(missing_ok=True)
            with self.fake(kind, "--fake", "die") as client:
                for _ in range(20):
                    self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "died"})
            self.assertLess(self.starts(), 6)

    def test_closed(self) -> None:
        for kind in KINDS:
            with self.fake(kind) as client:
                self.check(client.pre_tool("bash", {}), {"decision": "allow"})
            self.assertEqual(self.starts(), 1)
            self.log.unlink()
        client = self.fake()
        client.pre_tool("bash", {})
        process = client._transport._server._process
        client.close()
        client.close()
        self.assertEqual(process.returncode, 0)
        self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "closed"})
        self.assertEqual(self.starts(), 1)

    def test_a_late_answer_is_nobody_elses(self) -> None:
        for kind in KINDS:
            self.log.unlink(missing_ok=True)
            with self.fake(kind, "--fake", "slow-answer") as client:
                first = client.pre_tool("bash", {"command": "deny"}, deadline=0.2)
                self.check(first, {"decision": "deny", "code": "deadline"})
                second = client.pre_tool("bash", {"command": "two"})
                self.check(second, {"decision": "allow", "code": None})
                self.assertEqual(second.input["tool_input"], {"command": "two"})
                self.assertEqual(self.starts(), 1)


class Addresses(Scratch):
    def test_refused_addresses(self) -> None:
        for kind in (Client, AsyncClient):
            for address in ("", "unix:", "example.org:80", "0.0.0.0:80", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", "::1:80"):
                with self.assertRaises(ValueError):
                    kind(connect=address, token="t")
            for options in ({}, {"token": "t", "token_file": "f"}):
                with self.assertRaises(ValueError):
                    kind(connect="127.0.0.1:80", **options)  # type: ignore[arg-type]

    def test_tcp_with_a_token(self) -> None:
        token = self.folder / "token"
        token.write_text("abc123\n")
        for kind in KINDS:
            self.log.unlink(missing_ok=True)
            with self.http_server("ok", "127.0.0.1:0") as address:
                with KINDS[kind](connect=address, token_file=token) as client:
                    self.check(client.pre_tool("bash", {}), {"decision": "allow"})
                    self.check(client.pre_tool("bash", {}), {"decision": "allow"})
                with KINDS[kind](connect=address, token_file=self.folder / "none") as client:
                    self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "connect"})
                with KINDS[kind](connect=address, token="a\r\nX: y") as client:
                    self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "connect"})
            heads = self.log.read_text()
            self.assertEqual(heads.count("Authorization: Bearer abc123"), 2)
            self.assertEqual(heads.count(f"Host: {address}"), 2)

    def test_no_deadline(self) -> None:
        for kind in KINDS:
            with self.http_server("ok") as address, KINDS[kind](connect=address, deadline=math.inf) as client:
                self.check(client.pre_tool("bash", {}), {"decision": "allow", "code": None})

    def test_no_server(self) -> None:
        with open(self.folder / "socket", "w"):
            pass
        for kind in KINDS:
            for path in ("socket", "none", "x" * 200):
                with self.subTest(kind=kind, path=path), KINDS[kind](connect=f"unix:{self.folder}/{path}") as client:
                    self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "connect"})

    @unittest.skipUnless(os.getuid() == 0, "only root can give a file away")
    def test_the_socket_of_another_user(self) -> None:
        for kind in KINDS:
            with self.http_server("ok") as address, KINDS[kind](connect=address) as client:
                os.chown(self.folder / "socket", 12345, 12345)
                self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "connect"})

    def test_closed(self) -> None:
        for kind in KINDS:
            with self.http_server("ok") as address:
                with KINDS[kind](connect=address) as client:
                    self.check(client.pre_tool("bash", {}), {"decision": "allow"})
                if kind == "sync":
                    self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "closed"})


if __name__ == "__main__":
    unittest.main()
