#!/usr/bin/env python3
"""A scripted stand-in for `hookbox serve --stdio`, which misbehaves as its options say.

The suites of all clients start it in place of hookbox. Without options it allows everything, but for commands that are
"deny" or "ask".

    fake_server.py serve --stdio --fake MODE     one of the functions below
    fake_server.py serve --stdio --say LINE      answers each call with LINE; $ID and $INPUT stand for those of the call
    … --log FILE                                 appends each line that it reads to FILE
    … --state FILE                               what `die-once` remembers
"""

import json
import os
import re
import sys
import time


def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


def send(text):
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data):]


def outcome(request):
    given = request["input"]
    decision = "allow"
    tool_input = given.get("tool_input")
    if isinstance(tool_input, dict) and tool_input.get("command") in ("deny", "ask"):
        decision = tool_input["command"]
    return {
        "decision": decision, "input": given, "modified": False, "system_prompt_additions": [], "warnings": [],
        "hooks": [{"name": "fake", "kind": "native", "source": "host", "decision": decision, "duration_us": 1}],
    }


def answer(request):
    send(json.dumps({"id": request["id"], "outcome": outcome(request)}) + "\n")


def sleep(_request=None):
    time.sleep(600)


def die(_request=None):
    sys.stderr.write("the last words\n")
    sys.stderr.flush()
    os._exit(3)


def half(request):
    send('{"id":%d,"outcome":{"decision":"al' % request["id"])


def die_in_line(request):
    half(request)
    die()


def huge(request):
    send('{"id":%d,"outcome":{"reason":"' % request["id"])
    for _ in range(100):
        send(b"x" * 1_000_000)
    send('"}}\n')


def flood(request):
    for _ in range(200):
        os.write(2, b"noise " * 10_000 + b"\n")
    answer(request)


def both(request, other):
    """Two answers, which arrive together."""
    send("".join(json.dumps({"id": id, "outcome": outcome(request)}) + "\n" for id in (request["id"], other)))


def twice(request):
    both(request, request["id"])


held = []


def reversed_pairs(request):
    held.append(request)
    if len(held) == 2:
        for one in reversed(held):
            answer(one)
        held.clear()


def dribble(request):
    for byte in (json.dumps({"id": request["id"], "outcome": outcome(request)}) + "\n").encode():
        send(bytes([byte]))


def die_once(request):
    state = option("--state")
    if not os.path.exists(state):
        with open(state, "w"):
            pass
        die()
    answer(request)


def slow_answer(request):
    time.sleep(0.5)
    answer(request)


def ahead(request):
    """Answers the call, and the one that would come next if ids were counted."""
    both(request, request["id"] + 1)


def nested(request):
    """An allow that is good but for 10,000 levels in its Input."""
    given = json.dumps({**request["input"], "x": 0})[:-2] + "[" * 10_000 + "]" * 10_000 + "}"
    send(json.dumps({"id": request["id"], "outcome": outcome(request)}).replace(json.dumps(request["input"]), given) + "\n")


def with_nul(request):
    send(json.dumps({"id": request["id"], "outcome": outcome(request)}) + "\0\n")


def close_stdout(_request):
    os.close(1)
    sleep()


def orphan(_request):
    """Ends, while a process that it started keeps its output open."""
    if os.fork() == 0:
        time.sleep(5)
        os._exit(0)
    die()


def say(request):
    line = option("--say").replace("$ID", json.dumps(request["id"]))
    send(line.replace("$INPUT", json.dumps(request["input"])) + "\n")


CALLS = {
    "ok": answer,
    "hang": sleep,
    "silent": lambda _request: None,
    "die": die,
    "die-once": die_once,
    "half": half,
    "die-in-line": die_in_line,
    "garbage": lambda _request: send("Segmentation fault\n"),
    "binary": lambda _request: send(b'\xff\xfe{"id":1}\x00\n'),
    "empty-line": lambda _request: send("\n"),
    "list": lambda _request: send("[]\n"),
    "huge": huge,
    "deep": lambda _request: send("[" * 100_000 + "\n"),
    "flood": flood,
    "wrong-id": lambda request: answer({**request, "id": request["id"] + 1000}),
    "text-id": lambda request: answer({**request, "id": str(request["id"])}),
    "true-id": lambda request: answer({**request, "id": True}),
    "float-id": lambda request: send(json.dumps({"id": request["id"] + 0.5, "outcome": outcome(request)}) + "\n"),
    "null-id": lambda request: answer({**request, "id": None}),
    "no-id": lambda request: send(json.dumps({"outcome": outcome(request)}) + "\n"),
    "null-error": lambda _request: send('{"id":null,"error":{"code":"E601","message":"not JSON"}}\n'),
    "twice": twice,
    "ahead": ahead,
    "nested": nested,
    "nul": with_nul,
    "byte-order-mark": lambda request: send(b"\xef\xbb\xbf" + json.dumps({"id": request["id"], "outcome": outcome(request)}).encode() + b"\n"),
    "utf-16": lambda request: send((json.dumps({"id": request["id"], "outcome": outcome(request)}) + "\n").encode("utf-16-le")),
    "close-stdout": close_stdout,
    "orphan": orphan,
    "reversed": reversed_pairs,
    "dribble": dribble,
    "slow-answer": slow_answer,
    "say": say,
}


def main():
    assert sys.argv[1:3] == ["serve", "--stdio"], sys.argv
    mode = "say" if option("--say") is not None else option("--fake") or "ok"
    if mode == "usage":
        sys.stderr.write("error: unrecognized subcommand 'serve'\n")
        sys.exit(2)
    if mode == "never-starts":
        sleep()
    if mode == "slow-start":
        time.sleep(0.7)
    if mode == "hello-garbage":
        send("Welcome!\n")
        sleep()
    log = open(option("--log"), "ab", buffering=0) if option("--log") else None
    for line in sys.stdin.buffer:
        if log:
            log.write(line)
        request = json.loads(line)
        if "ping" in request:
            version = {"new-version": "9.0.0", "next-version": "0.10.0", "no-version": None}.get(mode, "0.1.0")
            send(json.dumps({"id": request["id"], "pong": True, "version": version}) + "\n")
            if mode == "early":
                # It answers calls that nobody has made yet.
                for id in range(1, 50):
                    answer({"id": id, "input": {"event": "pre_tool", "tool_name": "bash", "tool_input": {"command": "xx"}}})
            if mode == "close-stdin":
                os.close(0)
                sleep()
            if mode == "reads-nothing":
                sleep()
        elif "cancel" in request:
            send(json.dumps({"id": request["id"], "cancelled": True}) + "\n")
        elif re.search(r'"command":\s*"slow"', line.decode()):
            # One call that gets no answer beside others that do.
            pass
        else:
            CALLS.get(mode, answer)(request)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        pass
