"""Makes calls for `cargo xtask bench`, which starts it as `ask.py CONFIG [ADDRESS TOKEN_FILE]`.

The first line of stdin is an Input. Each line after it is a number of calls, and is answered with the nanoseconds of one.
"""

import json
import sys
import time

from hookbox_client import Client


def main() -> None:
    config, *server = sys.argv[1:]
    options = {"connect": server[0], "token_file": server[1]} if server else {"args": ["--config", config]}
    event = json.loads(sys.stdin.readline())
    with Client(**options) as client:
        for line in sys.stdin:
            calls = int(line)
            started = time.perf_counter_ns()
            for _ in range(calls):
                outcome = client.decide(event)
                if outcome.decision != "allow":
                    raise SystemExit(f"not allowed: {outcome}")
            print((time.perf_counter_ns() - started) / calls, flush=True)


main()
