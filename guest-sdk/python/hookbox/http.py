"""HTTP requests. They need the grant `net`, in which the operator names the URLs.

    from hookbox import http

    response = http.fetch("https://api.example.com/v1/ask", method="POST", body=question)

The engine adds the secrets that the operator chose; the hook does not see them. Redirects are not followed. A call sends at most 8
requests, with bodies of at most 1 MiB each way, within its time limit.

On your machine there is no network: `answer_with` gives the answers.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Mapping, Optional, Union

from . import loads

if sys.platform == "wasi":
    from ._engine import Err, fetch as _host
else:
    from ._memory import Err, fetch as _host

__all__ = ["Headers", "HttpError", "Request", "Response", "answer_with", "fetch"]

Headers = tuple[tuple[str, str], ...]
"""Names and values."""


class HttpError(Exception):
    """There is no response: the request is not granted, or failed on the way."""


@dataclass(frozen=True)
class Request:
    """A request, as `answer_with` sees it."""

    method: str
    url: str
    headers: Headers = ()
    body: Optional[bytes] = None

    def text(self) -> str:
        """The body as text."""
        return (self.body or b"").decode()

    def json(self) -> Any:
        """The body as `hookbox.loads` reads it."""
        return loads(self.text())


@dataclass(frozen=True)
class Response:
    """The answer to a request."""

    status: int
    """The status code, such as 200."""
    body: bytes = b""
    """The body as the server sent it: nothing is decompressed."""
    headers: Headers = ()
    """In the order in which the server sent them, with names in lower case."""

    def header(self, name: str) -> Optional[str]:
        """The value of the first header with this name, in any case."""
        return next((value for known, value in self.headers if known.lower() == name.lower()), None)

    def text(self) -> str:
        """The body as text. UnicodeDecodeError if it is not UTF-8."""
        return self.body.decode()

    def json(self) -> Any:
        """The body as `hookbox.loads` reads it. ValueError if it is not JSON."""
        return loads(self.text())


def fetch(
    url: str,
    *,
    method: str = "GET",
    headers: Union[Mapping[str, str], Iterable[tuple[str, str]]] = (),
    body: Union[bytes, str, None] = None,
) -> Response:
    """Sends a request and waits for the whole response, whatever its status. HttpError if there is none: let it go, and the engine
    denies."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    sent = _host.Request(_text(method), _text(url), [(_text(name), _text(value)) for name, value in pairs], _body(body))
    try:
        answer = _host.fetch(sent)
    except Err as error:
        raise HttpError(error.value) from None
    return Response(answer.status, answer.body, tuple(answer.headers))


def answer_with(answer: Optional[Callable[[Request], Response]]) -> None:
    """Answers all requests on your machine; None ends that. For tests; in a component, it raises a RuntimeError."""

    def host(sent: Any) -> Response:
        return answer(Request(sent.method, sent.url, tuple(sent.headers), sent.body))

    _host.answer_with(host if answer else None)


# What has another type, or is no Unicode, would end the call without saying which.


def _text(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{text!r}, a part of a request, is not a str")
    text.encode()
    return text


def _body(body: Union[bytes, str, None]) -> Optional[bytes]:
    if isinstance(body, str):
        return body.encode()
    if body is not None and not isinstance(body, (bytes, bytearray)):
        raise TypeError(f"a body of {type(body).__name__} cannot be sent: bytes and str can")
    return None if body is None else bytes(body)
