// A server that is already there, on a Unix socket or a TCP port, over HTTP/1.1.

import { readFileSync, statSync } from "node:fs";
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { Failure, text } from "./failure.js";
import { decode } from "./json.js";
import { readOutcome } from "./outcome.js";
import { MAX_ANSWER, serverDeadline, timerMs } from "./wire.js";

/** Where a server listens. */
export interface Address {
  readonly path?: string;
  readonly host?: string;
  readonly port?: number;
  readonly token?: string;
  readonly tokenFile?: string;
}

/**
 * Reads `unix:PATH` or `HOST:PORT`. TypeError if it is neither: TCP is for this machine alone, as the token is not encrypted.
 */
export function parseAddress(address: string, token: string | undefined, tokenFile: string | undefined): Address {
  if (address.startsWith("unix:") && address.length > 5) {
    return { path: address.slice(5) };
  }
  const match = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(address);
  const port = Number(match?.[2]);
  if (match?.[1] === undefined || port < 1 || port > 65_535) {
    throw new TypeError(`connect is "${address}", which is neither unix:PATH nor 127.0.0.1:PORT nor [::1]:PORT`);
  }
  if ((token === undefined) === (tokenFile === undefined)) {
    throw new TypeError("a TCP connection needs a token or a tokenFile");
  }
  return { host: match[1], port, ...(token === undefined ? {} : { token }), ...(tokenFile === undefined ? {} : { tokenFile }) };
}

/** The connection was one that the server had closed: it has not seen the call. */
class Stale extends Error {}

/** The listener for errors that can be ignored. */
const ignore = () => {};

/** Connections to a server, kept open between calls. */
export class HttpTransport {
  readonly #address: Address;
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 8 });
  readonly #requests = new Set<() => void>();
  #isClosed = false;

  constructor(address: Address) {
    this.#address = address;
  }

  /** The Outcome to a request, not yet checked. Failure if there is none by `end`. */
  async ask(members: string, end: number, signal: AbortSignal | undefined): Promise<unknown> {
    for (;;) {
      if (this.#isClosed) {
        throw new Failure("closed", "the client is closed");
      }
      this.#checkOwner();
      try {
        return await this.#exchange(`{${serverDeadline(end)},${members}}`, end, signal);
      } catch (error) {
        if (!(error instanceof Stale)) {
          throw error;
        }
      }
    }
  }

  /** Nothing to note: a connection is not started with back-off. */
  worked(): void {}

  /** Closes the connections. */
  async close(_patienceMs: number): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#requests) {
      stop();
    }
    this.#agent.destroy();
  }

  #exchange(body: string, end: number, signal: AbortSignal | undefined): Promise<unknown> {
    const headers = this.#headers(body);
    const { path, host = "localhost", port } = this.#address;
    const to = path === undefined ? { host: host.replace(/^\[(.*)\]$/, "$1"), port } : { socketPath: path };
    return new Promise((resolve, reject) => {
      const sent = request({ ...to, agent: this.#agent, method: "POST", path: "/v1/decide", headers });
      let response: IncomingMessage | undefined;
      const giveUp = (failure: Error) => {
        finish();
        reject(failure);
        sent.destroy();
      };
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#requests.delete(onClose);
      };
      const onAbort = () => giveUp(new Failure("cancelled", "the call was cancelled"));
      const onClose = () => giveUp(new Failure("closed", "the client is closed"));
      const onError = (error: NodeJS.ErrnoException) => giveUp(explain(error, sent, response));
      // Timers come before input in the event loop: an answer that has arrived meanwhile is read first.
      const timer = setTimeout(() => {
        setImmediate(() => giveUp(new Failure("deadline", "hookbox did not answer in time")));
      }, timerMs(end));
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#requests.add(onClose);
      sent.on("error", onError);
      // A server that refuses a request need not read all of it. Once its response is there, Node.js itself no longer listens for
      // the error of the write, which would end the whole process.
      sent.on("socket", (socket) => socket.off("error", ignore).on("error", ignore));
      sent.on("response", (incoming) => {
        response = incoming;
        const parts: Buffer[] = [];
        let length = 0;
        incoming.on("data", (part: Buffer) => {
          length += part.length;
          parts.push(part);
          if (length > MAX_ANSWER) {
            giveUp(new Failure("garbage", `hookbox sent a response of more than ${MAX_ANSWER} bytes`));
          }
        });
        incoming.on("error", onError);
        incoming.on("end", () => {
          finish();
          try {
            resolve(read(incoming.statusCode, Buffer.concat(parts)));
          } catch (error) {
            reject(error);
          }
        });
      });
      sent.end(body);
    });
  }

  #headers(body: string): Record<string, string | number> {
    const { path, host, port } = this.#address;
    return {
      Host: path === undefined ? `${host}:${port}` : "localhost",
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      ...(path === undefined ? { Authorization: `Bearer ${this.#token()}` } : {}),
    };
  }

  #token(): string {
    let token = this.#address.token;
    try {
      token ??= readFileSync(this.#address.tokenFile ?? "", "ascii").trim();
    } catch (error) {
      throw new Failure("connect", `cannot read the token: ${text(error)}`);
    }
    // No other character may reach a header.
    if (!/^[A-Za-z0-9._~+/=-]{1,4096}$/.test(token)) {
      throw new Failure("connect", "the token is not one that a header can carry");
    }
    return token;
  }

  // Another user's server could allow everything.
  #checkOwner(): void {
    const path = this.#address.path;
    if (path === undefined) {
      return;
    }
    let owner: number;
    try {
      owner = statSync(path).uid;
    } catch (error) {
      throw new Failure("connect", `cannot connect to hookbox at ${path}: ${text(error)}`);
    }
    if (owner !== 0 && owner !== process.getuid?.()) {
      throw new Failure("connect", `${path} belongs to another user`);
    }
  }
}

function read(status: number | undefined, body: Buffer): unknown {
  if (status === 200) {
    return decode(body);
  }
  let reason: string | undefined;
  try {
    const outcome = readOutcome(decode(body));
    reason = outcome.decision === "allow" ? undefined : outcome.reason;
  } catch {
    // The status says enough.
  }
  throw new Failure("refused", reason ?? `hookbox refused the call with status ${status}`);
}

function explain(error: NodeJS.ErrnoException, sent: ClientRequest, response: IncomingMessage | undefined): Error {
  if (error.code?.startsWith("HPE_")) {
    return new Failure("garbage", `what answered does not speak HTTP/1.1: ${error.message}`);
  }
  if (error.syscall === "connect" || error.syscall === "getaddrinfo") {
    return new Failure("connect", `cannot connect to hookbox: ${error.message}`);
  }
  if (sent.reusedSocket && response === undefined) {
    return new Stale();
  }
  return new Failure("died", `the connection to hookbox ended: ${error.message}`);
}
