"""What stands in for the engine on the author's machine, with the names that componentize-py gives its modules: values in memory,
stderr for messages, a function in place of the network."""

from __future__ import annotations

import enum
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, Optional

# Tests may make calls at the same time.
_LOCK = threading.Lock()


class Err(Exception):
    """The error of a function."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class logging:
    class Level(enum.Enum):
        TRACE, DEBUG, INFO, WARN, ERROR, CRITICAL = range(6)

    @staticmethod
    def log(level: logging.Level, context: str, message: str) -> None:
        print(": ".join(filter(None, (level.name.lower(), context, message))), file=sys.stderr)


@dataclass
class _Other:
    value: str


@dataclass
class _Page:
    keys: list[str]
    cursor: Optional[str]


class store:
    values: dict[str, bytes] = {}

    class Error_NoSuchStore:
        pass

    class Error_AccessDenied:
        pass

    class Bucket:
        def get(self, key: str) -> Optional[bytes]:
            return store.values.get(key)

        def set(self, key: str, value: bytes) -> None:
            with _LOCK:
                store.values[key] = value

        def delete(self, key: str) -> None:
            with _LOCK:
                store.values.pop(key, None)

        def exists(self, key: str) -> bool:
            return key in store.values

        def list_keys(self, cursor: Optional[str]) -> _Page:
            # Small pages, so that tests see more than one.
            with _LOCK:
                keys = sorted(key for key in store.values if cursor is None or key > cursor)
            return _Page(keys[:16], keys[15] if len(keys) > 16 else None)

    @staticmethod
    def open(identifier: str) -> store.Bucket:
        return store.Bucket()

    @staticmethod
    def clear() -> None:
        with _LOCK:
            store.values.clear()


class atomics:
    @dataclass
    class CasError_CasFailed:
        value: tuple[atomics.Cas, Optional[bytes]]

    class Cas:
        def __init__(self, key: str) -> None:
            self.key, self.value = key, store.values.get(key)

        @classmethod
        def new_with_read(cls, bucket: store.Bucket, key: str) -> tuple[atomics.Cas, Optional[bytes]]:
            noted = cls(key)
            return noted, noted.value

    @staticmethod
    def swap(noted: atomics.Cas, value: bytes) -> None:
        with _LOCK:
            # A value that another call set is another object, though it may be equal.
            if store.values.get(noted.key) is noted.value:
                store.values[noted.key] = value
                return
        raise Err(atomics.CasError_CasFailed(atomics.Cas.new_with_read(store.Bucket(), noted.key)))

    @staticmethod
    def increment(bucket: store.Bucket, key: str, delta: int) -> int:
        with _LOCK:
            # The engine keeps numbers as decimal text.
            try:
                total = int(store.values.get(key, b"0")) + delta
            except ValueError:
                raise Err(_Other("the value is not a decimal number of 64 bits, so it cannot be incremented")) from None
            if not -(1 << 63) <= total < 1 << 63:
                raise Err(_Other("the sum does not fit in 64 bits"))
            store.values[key] = str(total).encode()
            return total


class batch:
    @staticmethod
    def get_many(bucket: store.Bucket, keys: list[str]) -> list[Optional[tuple[str, bytes]]]:
        with _LOCK:
            return [(key, store.values[key]) if key in store.values else None for key in keys]

    @staticmethod
    def set_many(bucket: store.Bucket, pairs: list[tuple[str, bytes]]) -> None:
        with _LOCK:
            store.values.update(pairs)

    @staticmethod
    def delete_many(bucket: store.Bucket, keys: list[str]) -> None:
        with _LOCK:
            for key in keys:
                store.values.pop(key, None)


class fetch:
    answer: Optional[Callable[[Any], Any]] = None

    @dataclass
    class Request:
        method: str
        url: str
        headers: list[tuple[str, str]]
        body: Optional[bytes]

    @staticmethod
    def fetch(request: fetch.Request) -> Any:
        if fetch.answer is None:
            raise Err("there is no network in a test: give the answers with http.answer_with")
        return fetch.answer(request)

    @staticmethod
    def answer_with(answer: Optional[Callable[[Any], Any]]) -> None:
        fetch.answer = answer
