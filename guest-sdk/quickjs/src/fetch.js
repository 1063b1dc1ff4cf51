// `fetch`, as far as the host's one function can do it: a request with a method, headers and a body, and a whole response.
((rust) => {
  "use strict";
  const { send, decode } = rust;
  // The methods that may be written in any case.
  const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];
  const OPTIONS = ["method", "headers", "body"];

  // Headers by name in lower case. Several of one name are one, with commas between.
  class Headers {
    #values = new Map();

    constructor(init = []) {
      const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
      for (const [name, value] of pairs) this.append(name, value);
    }
    append(name, value) {
      const before = this.get(name);
      this.set(name, before === null ? value : `${before}, ${value}`);
    }
    set(name, value) {
      this.#values.set(`${name}`.toLowerCase(), `${value}`.trim());
    }
    get(name) {
      return this.#values.get(`${name}`.toLowerCase()) ?? null;
    }
    has(name) {
      return this.#values.has(`${name}`.toLowerCase());
    }
    entries() {
      return [...this.#values].sort(([one], [other]) => (one < other ? -1 : 1)).values();
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  }

  class Response {
    #body;
    #isUsed = false;

    constructor(url, { status, headers, body }) {
      this.url = url;
      this.status = status;
      this.ok = status >= 200 && status < 300;
      this.headers = new Headers();
      for (let at = 0; at < headers.length; at += 2) this.headers.append(headers[at], headers[at + 1]);
      this.#body = body;
    }
    get bodyUsed() {
      return this.#isUsed;
    }
    // The body can be read once.
    async bytes() {
      if (this.#isUsed) throw new TypeError("the body of the response was read before");
      this.#isUsed = true;
      return this.#body;
    }
    async arrayBuffer() {
      return (await this.bytes()).buffer;
    }
    async text() {
      return decode(await this.bytes());
    }
    async json() {
      return JSON.parse(await this.text());
    }
  }

  globalThis.fetch = async function fetch(resource, options = {}) {
    for (const key in options) {
      if (!OPTIONS.includes(key)) throw new TypeError(`fetch: the option \`${key}\` is not supported`);
    }
    const url = `${resource}`;
    const asked = `${options.method ?? "GET"}`;
    const method = METHODS.includes(asked.toUpperCase()) ? asked.toUpperCase() : asked;
    const body = options.body ?? undefined;
    if (body !== undefined && (method === "GET" || method === "HEAD")) {
      throw new TypeError(`fetch: a request with the method ${method} has no body`);
    }
    const headers = new Headers(options.headers ?? []);
    if (typeof body === "string" && !headers.has("content-type")) {
      headers.set("content-type", "text/plain;charset=UTF-8");
    }
    return new Response(url, send(method, url, [...headers].flat(), body));
  };
})
