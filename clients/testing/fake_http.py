#!/usr/bin/env python3
"""A scripted stand-in for `hookbox serve --listen`, which misbehaves as its mode says.

    fake_http.py unix:PATH MODE
    fake_http.py 127.0.0.1:0 MODE       prints the port that it got
    … --log FILE                        appends the head of each request to FILE

It prints one line when it listens.
"""

import json
import os
import socket
import sys
import threading
import time

from fake_server import option, outcome


def response(body, status="200 OK", extra="", length=None):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    length = len(data) if length is None else length
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{extra}\r\n"
    return head.encode() + data


def respond(connection, body, **options):
    connection.sendall(response(body, **options))


def deny(reason):
    return {
        "decision": "deny", "reason": reason, "input": None, "modified": False, "system_prompt_additions": [],
        "warnings": [], "hooks": [],
    }


def handle(connection, mode, head, request):
    """Answers one request; whether the connection goes on."""
    allowed = outcome(request)
    if mode == "hang":
        time.sleep(600)
    elif mode == "half":
        respond(connection, json.dumps(allowed).encode()[:40], length=500)
        time.sleep(600)
    elif mode == "die":
        return False
    elif mode == "die-in-body":
        respond(connection, json.dumps(allowed).encode()[:40], length=500)
        return False
    elif mode == "garbage":
        connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
    elif mode == "not-json":
        respond(connection, b"<html>")
    elif mode == "no-outcome":
        respond(connection, {"ok": True})
    elif mode == "unknown-decision":
        respond(connection, {**allowed, "decision": "maybe"})
    elif mode == "huge":
        respond(connection, b"x" * 40_000_000)
    elif mode == "refused":
        respond(connection, deny("E701: the token is wrong"), status="401 Unauthorized")
    elif mode == "refused-allow":
        respond(connection, allowed, status="500 Internal Server Error")
    elif mode == "refused-empty":
        respond(connection, b"", status="503 Service Unavailable")
    elif mode == "redirect":
        respond(connection, allowed, status="307 Temporary Redirect", extra="location: /v1/decide\r\n")
    elif mode == "created":
        respond(connection, allowed, status="201 Created")
    elif mode in ("twice", "twice-late"):
        # The second response is to no request, and must not be taken for that to the next one.
        if mode == "twice":
            connection.sendall(response(deny("no")) + response(allowed))
        else:
            respond(connection, deny("no"))
            time.sleep(0.1)
            respond(connection, allowed)
    elif mode == "upgrade":
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n" + json.dumps(allowed).encode())
    elif mode == "two-lengths":
        respond(connection, allowed, extra="content-length: 3\r\n")
    elif mode == "old":
        connection.sendall(b"ICY 200 OK\r\n\r\n" + json.dumps(allowed).encode())
        return False
    elif mode == "no-length":
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + json.dumps(allowed).encode()[:-1])
        return False
    elif mode == "endless-head":
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 100_000)
    elif mode == "other-event":
        respond(connection, {**allowed, "input": {**allowed["input"], "event": "post_tool"}})
    elif mode == "stale":
        # It says nothing of the end, which the client then finds out at its next call.
        respond(connection, allowed)
        return False
    else:
        respond(connection, allowed)
    return True


def serve(connection, mode, log):
    buffer = b""
    with connection:
        while True:
            while b"\r\n\r\n" not in buffer:
                data = connection.recv(65536)
                if not data:
                    return
                buffer += data
            head, buffer = buffer.split(b"\r\n\r\n", 1)
            if log:
                log.write(head + b"\r\n")
            if mode == "refused-unread":
                # The client is still writing when the connection ends.
                respond(connection, deny("overloaded"), status="503 Service Unavailable")
                return
            length = int(next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))[15:])
            while len(buffer) < length:
                buffer += connection.recv(65536)
            body, buffer = buffer[:length], buffer[length:]
            if not handle(connection, mode, head, json.loads(body)):
                return


def guarded(connection, mode, log):
    try:
        serve(connection, mode, log)
    except OSError:
        pass


def main():
    address, mode = sys.argv[1:3]
    log = open(option("--log"), "ab", buffering=0) if option("--log") else None
    if address.startswith("unix:"):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(address[5:])
        os.chmod(address[5:], 0o600)
    else:
        host, port = address.rsplit(":", 1)
        listener = socket.socket()
        listener.bind((host, int(port)))
    listener.listen(64)
    print(listener.getsockname()[1] if not address.startswith("unix:") else "ready", flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=guarded, args=(connection, mode, log), daemon=True).start()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
