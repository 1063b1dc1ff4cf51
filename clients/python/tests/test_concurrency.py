"""Threads, tasks, interrupts and forks."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

from hookbox_client import AsyncClient
from hookbox_client._stdio import _Server
from support import TESTING, Scratch


class Threads(Scratch):
    def test_each_thread_gets_its_own_answer(self) -> None:
        with self.fake() as client, ThreadPoolExecutor(16) as pool:
            outcomes = list(pool.map(lambda n: (n, client.pre_tool("bash", {"n": n})), range(1000)))
        for n, outcome in outcomes:
            self.check(outcome, {"decision": "allow", "code": None})
            self.assertEqual(outcome.input["tool_input"], {"n": n})
        self.assertEqual(self.starts(), 1)

    def test_answers_in_another_order(self) -> None:
        with self.fake("sync", "--fake", "reversed") as client, ThreadPoolExecutor(2) as pool:
            for n, outcome in enumerate(pool.map(lambda n: client.pre_tool("bash", {"n": n}), range(2))):
                self.assertEqual(outcome.input["tool_input"], {"n": n})

    def test_a_call_without_an_answer_stops_nobody_else(self) -> None:
        with self.fake() as client, ThreadPoolExecutor(1) as pool:
            slow = pool.submit(client.pre_tool, "bash", {"command": "slow"}, deadline=1.5)
            end = time.monotonic() + 1.2
            while time.monotonic() < end:
                self.check(client.pre_tool("bash", {}), {"decision": "allow"})
            self.check(slow.result(), {"decision": "deny", "code": "deadline"})
            self.check(client.pre_tool("bash", {}), {"decision": "allow"})
        self.assertEqual(self.starts(), 1)

    def test_all_in_flight_are_denied_at_death(self) -> None:
        with self.fake() as client, ThreadPoolExecutor(8) as pool:
            calls = [pool.submit(client.pre_tool, "bash", {"command": "slow"}) for _ in range(8)]
            while self.log.exists() is False or self.log.read_text().count("slow") < 8:
                time.sleep(0.01)
            os.kill(client._transport._server._process.pid, signal.SIGKILL)
            for call in calls:
                self.check(call.result(2), {"decision": "deny", "code": "died", "reason_contains": "signal 9"})
            self.check(client.pre_tool("bash", {}), {"decision": "allow"})

    def test_an_answer_counts_that_was_written_before_death(self) -> None:
        process = SimpleNamespace(poll=lambda: 0)
        server: Any = SimpleNamespace(failure=None, _process=process, _death=lambda: None, end=self.fail)
        is_answered = iter([False, True])
        self.assertTrue(_Server.wait(server, lambda seconds: next(is_answered), time.monotonic() + 60))

    def test_close_denies_what_is_in_flight(self) -> None:
        client = self.fake()
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(client.pre_tool, "bash", {"command": "slow"})
            while self.log.exists() is False or "slow" not in self.log.read_text():
                time.sleep(0.01)
            client.close()
            self.check(call.result(1), {"decision": "deny", "code": "closed"})

    def test_close_ends_a_server_that_is_being_started(self) -> None:
        client = self.fake()
        spawn = client._transport._spawn

        def spawn_and_close() -> subprocess.Popen[bytes]:
            process = spawn()
            client.close()
            return process

        client._transport._spawn = spawn_and_close
        self.check(client.pre_tool("bash", {}), {"decision": "deny", "code": "closed"})
        # It raises an error if the process goes on.
        client._transport._server._process.wait(60)

    def test_an_interrupt_passes(self) -> None:
        # A shell starts what is in the background with this signal ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with self.fake() as client:
            self.check(client.pre_tool("bash", {}), {"decision": "allow"})
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                client.pre_tool("bash", {"command": "slow"})
            self.check(client.pre_tool("bash", {}), {"decision": "allow"})
            self.assertTrue(self.is_cancelled())
            self.assertEqual(self.starts(), 1)

    def test_a_child_process_has_its_own_server(self) -> None:
        with self.fake() as client:
            self.check(client.pre_tool("bash", {"n": 1}), {"decision": "allow"})
            child = os.fork()
            if child == 0:
                outcome = client.pre_tool("bash", {"n": 2})
                os._exit(0 if outcome.allowed and outcome.input["tool_input"] == {"n": 2} else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(self.starts(), 2)
            self.check(client.pre_tool("bash", {"n": 3}), {"decision": "allow"})
            self.assertEqual(self.starts(), 2)

    def test_a_lost_client_ends_its_server(self) -> None:
        client = self.fake()
        client.pre_tool("bash", {})
        process = client._transport._server._process
        del client
        gc.collect()
        self.assertIsNotNone(process.returncode)

    def test_an_exit_does_not_wait(self) -> None:
        # The client is neither closed nor forgotten when the program ends.
        program = (
            "import hookbox_client, sys; client = hookbox_client.Client(sys.argv[1]); "
            "assert client.pre_tool('bash', {}).allowed"
        )
        subprocess.run([sys.executable, "-c", program, TESTING / "fake_server.py"], check=True, timeout=10)


class Tasks(Scratch):
    def test_each_task_gets_its_own_answer(self) -> None:
        async def run() -> None:
            async with self.client() as client:
                outcomes = await asyncio.gather(*(client.pre_tool("bash", {"n": n}) for n in range(1000)))
            for n, outcome in enumerate(outcomes):
                self.check(outcome, {"decision": "allow", "code": None})
                self.assertEqual(outcome.input["tool_input"], {"n": n})

        asyncio.run(run())
        self.assertEqual(self.starts(), 1)

    def test_large_inputs_at_once(self) -> None:
        async def run() -> None:
            async with self.client() as client:
                outcomes = await asyncio.gather(*(client.pre_tool("bash", {"n": f"{n}" * 300_000}) for n in range(10)))
            for n, outcome in enumerate(outcomes):
                self.assertEqual(outcome.input["tool_input"], {"n": f"{n}" * 300_000})

        asyncio.run(run())

    def test_a_cancelled_task_tells_the_server(self) -> None:
        async def run() -> None:
            async with self.client() as client:
                await client.pre_tool("bash", {})
                task = asyncio.ensure_future(client.pre_tool("bash", {"command": "slow"}))
                await asyncio.sleep(0.1)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.check(await client.pre_tool("bash", {}), {"decision": "allow"})

        asyncio.run(run())
        self.assertTrue(self.is_cancelled())
        self.assertEqual(self.starts(), 1)

    def test_wait_for_of_the_caller(self) -> None:
        async def run() -> None:
            async with self.client() as client:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.pre_tool("bash", {"command": "slow"}), 0.2)

        asyncio.run(run())

    def test_one_loop_after_another(self) -> None:
        client = self.client()

        async def run() -> None:
            self.check(await client.pre_tool("bash", {}), {"decision": "allow"})

        asyncio.run(run())
        asyncio.run(run())
        self.assertEqual(self.starts(), 2)

        async def nested() -> None:
            self.check(await client.pre_tool("bash", {}), {"decision": "allow"})
            with ThreadPoolExecutor(1) as pool:
                other = pool.submit(asyncio.run, client.pre_tool("bash", {}))
                self.check(other.result(), {"decision": "deny", "code": "closed"})
            await client.aclose()

        asyncio.run(nested())

    def test_all_in_flight_are_denied_at_death(self) -> None:
        async def run() -> None:
            async with self.client() as client:
                await client.pre_tool("bash", {})
                calls = [asyncio.ensure_future(client.pre_tool("bash", {"command": "slow"})) for _ in range(8)]
                await asyncio.sleep(0.1)
                os.kill(client._transport._server.process.pid, signal.SIGKILL)  # type: ignore[union-attr]
                for call in calls:
                    self.check(await call, {"decision": "deny", "code": "died", "reason_contains": "signal 9"})
                self.check(await client.pre_tool("bash", {}), {"decision": "allow"})

        asyncio.run(run())

    def test_a_lost_client_ends_its_server(self) -> None:
        async def run() -> None:
            client = self.client()
            await client.pre_tool("bash", {})
            self.process = client._transport._server.process  # type: ignore[union-attr]
            client._transport.drop()

        asyncio.run(run())
        self.assertEqual(self.process.returncode, 0)

    def client(self) -> AsyncClient:
        return AsyncClient(TESTING / "fake_server.py", args=["--log", str(self.log)])


if __name__ == "__main__":
    unittest.main()
