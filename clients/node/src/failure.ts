// Why a call has no verdict, and how long to wait before hookbox is started again.

/** A call without a verdict. It never leaves this package: the client turns it into a deny. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What an exception says. */
export function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** Keeps a server that does not run from being started for every call. The first restart is immediate. */
export class Backoff {
  #failures = 0;
  #notBefore = 0;
  #last: Failure | undefined;

  /** Throws the last failure while it is too early to try again. */
  check(): void {
    const left = this.#notBefore - performance.now();
    if (left > 0 && this.#last !== undefined) {
      throw new Failure(this.#last.code, `${this.#last.message} (next attempt in ${(left / 1000).toFixed(1)} s)`);
    }
  }

  /** Counts a server that failed. */
  failed(failure: Failure): void {
    this.#failures += 1;
    this.#last = failure;
    if (this.#failures > 1) {
      this.#notBefore = performance.now() + Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.#failures - 2));
    }
  }

  /** Forgets the failures: a verdict arrived. */
  worked(): void {
    this.#failures = 0;
  }
}
