"""The cases that all clients have in common, for both clients."""

from __future__ import annotations

import time
import unittest
from collections.abc import Iterator
from typing import Any

from support import CASES, HOOKBOX, KINDS, Scratch, call


class Conformance(Scratch):
    """Each case has a client of its own."""

    def run_case(self, client: Any, case: dict[str, Any]) -> None:
        with client:
            outcome, took = call(client, case)
            self.check(outcome, case["expect"])
            self.assertLess(took, case.get("at_most_ms", 10_000))
            if "next" in case:
                time.sleep(case.get("pause_ms", 0) / 1000)
                again = {key: value for key, value in case.items() if key != "deadline_ms"}
                if case["next"]["decision"] == "deny":
                    again = case
                self.check(call(client, again)[0], case["next"])

    def each(self, group: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for kind in KINDS:
            for case in CASES[group]:
                self.log.unlink(missing_ok=True)
                (self.folder / "state").unlink(missing_ok=True)
                yield kind, case

    @unittest.skipUnless(HOOKBOX, "HOOKBOX_BIN does not name a hookbox")
    def test_real(self) -> None:
        for kind, case in self.each("real"):
            with self.subTest(kind=kind, case=case["name"]):
                self.run_case(self.real(kind), case)

    def test_answers(self) -> None:
        for kind, case in self.each("answers"):
            with self.subTest(kind=kind, case=case["name"]):
                self.run_case(self.fake(kind, "--say", case["say"]), case)

    def test_faults(self) -> None:
        for kind, case in self.each("faults"):
            with self.subTest(kind=kind, case=case["name"]):
                self.run_case(self.fake(kind, "--fake", case["mode"]), case)
                if "starts" in case:
                    self.assertEqual(self.starts(), case["starts"])

    def test_http(self) -> None:
        for kind, case in self.each("http"):
            with self.subTest(kind=kind, case=case["name"]), self.http_server(case["mode"]) as address:
                self.run_case(KINDS[kind](connect=address), case)

    def test_events(self) -> None:
        for kind, case in self.each("events"):
            with self.subTest(kind=kind, event=case["event"]), KINDS[kind](self.folder / "missing") as client:
                outcome = client.decide({"event": case["event"]})
                self.check(outcome, {"decision": "deny", "code": "spawn"})
                self.assertEqual([w.code for w in outcome.warnings], ["spawn"] if case["has_warning"] else [])


if __name__ == "__main__":
    unittest.main()
