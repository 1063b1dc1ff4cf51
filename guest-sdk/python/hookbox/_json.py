"""JSON as a policy needs it: read strictly, and written as it was read."""

from __future__ import annotations

import json
import re
from typing import Any

# The engine refuses an Input deeper than 64; settings stand one level deeper.
_MAX_DEPTH = 128
# Python turns no more digits than these into an int, unless told otherwise.
_MAX_DIGITS = 4300


class Number(float):
    """A number that is not written as a whole one of a sensible length. As a float it may be inexact, even infinite; `text` is
    how it is written, and what is written again."""

    text: str

    def __new__(cls, text: str) -> Number:
        number = super().__new__(cls, text)
        number.text = text
        return number


def _integer(digits: str) -> Any:
    return int(digits) if len(digits) < _MAX_DIGITS and digits != "-0" else Number(digits)


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(members)
    if len(made) != len(members):
        raise ValueError("a key stands twice in an object")
    return made


_DECODER = json.JSONDecoder(
    parse_float=Number, parse_int=_integer, parse_constant=_constant, object_pairs_hook=_object
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _check(value: Any, depth: int) -> None:
    if isinstance(value, str):
        _utf8(value)
    elif isinstance(value, (dict, list)):
        if depth == _MAX_DEPTH:
            raise ValueError("it is nested too deeply")
        for item in value:
            _check(item, depth + 1)
            if isinstance(value, dict):
                _check(value[item], depth + 1)


def _utf8(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"a lone surrogate at character {error.start}") from None
    return text


def loads(text: str) -> Any:
    """Reads one JSON value, strictly: no key twice, no lone surrogate, no deeper than 128, so that a policy
    sees what the tool will see. ValueError if it is not JSON."""
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    # Most texts have neither so many brackets nor surrogates, and need no second look.
    if text.count("[") + text.count("{") > _MAX_DEPTH or _SURROGATE.search(text):
        _check(value, 0)
    return value


_quote = json.encoder.encode_basestring


def dumps(value: Any) -> str:
    """A value as JSON text: what `loads` gave is written as it was, but for white space and the spelling of strings."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return _quote(_utf8(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Number):
        return value.text
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return json.dumps(value, allow_nan=False)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(dumps, value)) + "]"
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"a key of an object is {key!r}, not a str")
        return "{" + ",".join(_quote(_utf8(key)) + ":" + dumps(item) for key, item in value.items()) + "}"
    raise TypeError(f"{type(value).__name__} has no JSON form")
