"""Values by key that outlive the call. Needs the grant `store`, in which the operator chooses who shares the values (a session, a
project, the user, all machines), how much fits in, and how long a value lives.

    from hookbox import store

    calls = store.open().increment("calls")

What cannot be read or stored is a `StoreError`, never an empty store: let it go, and the engine denies. A key has at most 1 KiB,
a value 64 KiB, a batch 256 keys, a store 10,000 keys.

On your machine the values are in memory, and `clear` empties the store.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Iterable, Mapping, Optional, Union

if sys.platform == "wasi":
    from ._engine import Err, atomics as _atomics, batch as _batch, store as _store
else:
    from ._memory import Err, atomics as _atomics, batch as _batch, store as _store

__all__ = ["Store", "StoreError", "Value", "clear", "open"]

Value = Union[bytes, str]
"""What a key can hold. A str is stored as UTF-8."""

# How often `update` starts again before it fails.
_MOST_TRIES = 100


class StoreError(Exception):
    """The store failed."""


class Store:
    """The store that the operator granted. What fails is a StoreError."""

    def __init__(self, bucket: _store.Bucket) -> None:
        self._bucket = bucket

    def get(self, key: str) -> Optional[bytes]:
        """The value of a key. None if it has none."""
        return _call(self._bucket.get, _key(key))

    def get_text(self, key: str) -> Optional[str]:
        """The value of a key as text. None if it has none; a StoreError if it is not UTF-8."""
        return _text(key, self.get(key))

    def set(self, key: str, value: Value) -> None:
        """Sets the value of a key."""
        _call(self._bucket.set, _key(key), _bytes(value))

    def delete(self, key: str) -> None:
        """Deletes a key, which may be absent."""
        _call(self._bucket.delete, _key(key))

    def exists(self, key: str) -> bool:
        """Whether a key has a value."""
        return _call(self._bucket.exists, _key(key))

    def keys(self) -> list[str]:
        """All keys, sorted."""
        page = _call(self._bucket.list_keys, None)
        keys = list(page.keys)
        while page.cursor is not None:
            page = _call(self._bucket.list_keys, page.cursor)
            keys += page.keys
        return sorted(keys)

    def increment(self, key: str, delta: int = 1) -> int:
        """Adds to a number, which is 0 if the key is absent, and gives the sum. No increment is lost, however many calls add to the
        same key at once. A StoreError if the value is not a number, or if the sum does not fit in 64 bits."""
        if not isinstance(delta, int):
            raise TypeError(f"{delta!r} is not a whole number")
        if not -(1 << 63) <= delta < 1 << 63:
            raise OverflowError(f"{delta} does not fit in 64 bits")
        return _call(_atomics.increment, self._bucket, _key(key), delta)

    def update(self, key: str, change: Callable[[Optional[bytes]], Value]) -> bytes:
        """Replaces the value of a key by what `change` makes of it, and gives the new one. `change` is given None if there is no
        value. If another call was faster, `change` is called again with what that one stored, and after 100 times this is a
        StoreError. If `change` raises an exception, nothing is stored."""
        noted, value = _call(_atomics.Cas.new_with_read, self._bucket, _key(key))
        for _ in range(_MOST_TRIES):
            new = _bytes(change(value))
            try:
                _atomics.swap(noted, new)
                return new
            except Err as error:
                if not isinstance(error.value, _atomics.CasError_CasFailed):
                    raise _failure(error.value.value) from None
                noted, value = error.value.value
        raise StoreError(f"the store: {key!r} was changed by other calls {_MOST_TRIES} times in a row")

    def update_text(self, key: str, change: Callable[[Optional[str]], Value]) -> str:
        """The same for text."""
        return self.update(key, lambda value: change(_text(key, value))).decode()

    def get_many(self, keys: Iterable[str]) -> list[Optional[bytes]]:
        """The values of keys, in their order. None for a key that has none."""
        found = _call(_batch.get_many, self._bucket, [_key(key) for key in keys])
        return [None if entry is None else entry[1] for entry in found]

    def set_many(self, values: Mapping[str, Value]) -> None:
        """Sets the values of keys, all or none."""
        _call(_batch.set_many, self._bucket, [(_key(key), _bytes(value)) for key, value in values.items()])

    def delete_many(self, keys: Iterable[str]) -> None:
        """Deletes keys, all or none. They may be absent."""
        _call(_batch.delete_many, self._bucket, [_key(key) for key in keys])


def open() -> Store:  # noqa: A001
    """Opens the store. A StoreError if it cannot be opened: for example, it is one per session and the call has no session."""
    return Store(_call(_store.open, "default"))


def clear() -> None:
    """Empties the store on your machine. For tests; in a component, it raises a RuntimeError."""
    _store.clear()


def _call(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Err as error:
        raise _failure(error.value) from None


def _failure(error: Any) -> StoreError:
    if isinstance(error, _store.Error_NoSuchStore):
        return StoreError("the store: there is no store of this name")
    if isinstance(error, _store.Error_AccessDenied):
        return StoreError("the store: access denied")
    return StoreError(f"the store: {error.value}")


# What has another type, or is no Unicode, would end the call without saying which.


def _key(key: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is not a str")
    key.encode()
    return key


def _bytes(value: Value) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if not isinstance(value, (bytes, bytearray)):
        raise TypeError(f"{type(value).__name__} cannot be stored: bytes and str can")
    return bytes(value)


def _text(key: str, value: Optional[bytes]) -> Optional[str]:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        raise StoreError(f"the store: the value of {key!r} is not text") from None
