// The deadlines of all calls of a server, with one timer: to set one for each call, and to clear it, would take longer than to read
// its answer.

import { timerMs } from "./wire.js";

interface Due {
  readonly end: number;
  readonly late: () => void;
}

/** Calls `late` of those whose time is up. It keeps the process alive as long as there is one. */
export class Clock {
  readonly #due = new Map<number, Due>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer rings: not later than the first deadline. Infinity if none is set. */
  #rings = Infinity;

  add(id: number, end: number, late: () => void): void {
    this.#due.set(id, { end, late });
    if (this.#rings === Infinity || end < this.#rings) {
      this.#set(end);
    } else if (this.#due.size === 1) {
      this.#timer?.ref();
    }
  }

  remove(id: number): void {
    if (this.#due.delete(id) && this.#due.size === 0) {
      this.#timer?.unref();
    }
  }

  #set(end: number): void {
    clearTimeout(this.#timer);
    const left = timerMs(end);
    // A deadline may be later than a timer can be: then it rings in between.
    this.#rings = performance.now() + left;
    // Timers come before input in the event loop: an answer that has arrived meanwhile is read first.
    this.#timer = setTimeout(() => setImmediate(() => this.#ring()), left);
  }

  #ring(): void {
    this.#rings = Infinity;
    const now = performance.now();
    const late = [...this.#due].filter(([, due]) => due.end <= now);
    for (const [id, due] of late) {
      this.#due.delete(id);
      due.late();
    }
    let next = Infinity;
    for (const due of this.#due.values()) {
      next = Math.min(next, due.end);
    }
    if (this.#due.size > 0) {
      this.#set(next);
    }
  }
}
