"""Messages for the operator, who reads them with `hookbox -v`. No grant is needed.

    from hookbox import log

    log.info("the third call")

A call keeps 256 messages of at most 4 KiB, 64 KiB in all; the engine counts the rest. On your machine, messages go to stderr.
"""

from __future__ import annotations

import sys

if sys.platform == "wasi":
    from ._engine import logging as _host
else:
    from ._memory import logging as _host

__all__ = ["critical", "debug", "error", "info", "trace", "warn"]


def trace(message: object, context: str = "") -> None:
    """Values and the flow of control. `context` says which part of the hook the message comes from."""
    _log(_host.Level.TRACE, message, context)


def debug(message: object, context: str = "") -> None:
    """What helps to find a mistake in the hook."""
    _log(_host.Level.DEBUG, message, context)


def info(message: object, context: str = "") -> None:
    """What happens."""
    _log(_host.Level.INFO, message, context)


def warn(message: object, context: str = "") -> None:
    """Something that may lead to trouble."""
    _log(_host.Level.WARN, message, context)


def error(message: object, context: str = "") -> None:
    """Something that failed."""
    _log(_host.Level.ERROR, message, context)


def critical(message: object, context: str = "") -> None:
    """Something after which the hook cannot go on."""
    _log(_host.Level.CRITICAL, message, context)


def _log(level: _host.Level, message: object, context: str) -> None:
    _host.log(level, _text(context), _text(message))


def _text(value: object) -> str:
    # A lone surrogate would end the call.
    return str(value).encode(errors="backslashreplace").decode()
