"""Why a call has no verdict, and how long to wait before hookbox is started again."""

from __future__ import annotations

import time
from typing import Optional


class Failure(Exception):
    """A call without a verdict. It never leaves this package: the client turns it into a deny."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message


class Backoff:
    """Keeps a server that does not run from being started for every call. The first restart is immediate."""

    FIRST = 0.1
    LONGEST = 5.0

    def __init__(self) -> None:
        self._failures = 0
        self._not_before = 0.0
        self._last: Optional[Failure] = None

    def check(self) -> None:
        """Raises the last failure while it is too early to try again."""
        left = self._not_before - time.monotonic()
        if left > 0 and self._last is not None:
            raise Failure(self._last.code, f"{self._last.message} (next attempt in {left:.1f} s)")

    def failed(self, failure: Failure) -> None:
        """Counts a server that failed."""
        self._failures += 1
        self._last = failure
        if self._failures > 1:
            # The exponent is bounded: a float overflows after 1,024 failures.
            self._not_before = time.monotonic() + min(self.LONGEST, self.FIRST * 2 ** min(self._failures - 2, 16))

    def worked(self) -> None:
        """Forgets the failures: a verdict arrived."""
        self._failures = 0
