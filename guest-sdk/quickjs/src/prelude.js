// What is there before a script: a console, and no clock.
((rust) => {
  "use strict";
  const { log } = rust;
  const { parse, stringify } = JSON;
  const { getPrototypeOf, prototype: Plain } = Object;
  const { isArray } = Array;
  const { isFinite } = Number;

  // -- The time and chance are not granted. A wrong number would be worse than none.
  const refuse = (what, instead) => {
    throw new Error(`${what} is not granted to a script: ${instead}`);
  };
  const time = (what) => refuse(what, "use `input.now`, the time of the event, as in `new Date(input.now)`");
  globalThis.Date = new Proxy(Date, {
    apply: () => time("`Date()`"),
    construct: (target, args, newTarget) =>
      args.length === 0 ? time("`new Date()`") : Reflect.construct(target, args, newTarget),
  });
  Date.prototype.constructor = Date;
  Date.now = () => time("`Date.now()`");
  Math.random = () => refuse("`Math.random()`", "the same Input must get the same answer");

  // -- The console writes to the log, which cuts longer messages off.
  const limit = 4096;
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return `${value}`;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const to = (method) => (...values) => log(method, values.map(show).join(" ").slice(0, limit));
  const methods = ["log", "info", "warn", "error", "debug", "trace"];
  globalThis.console = Object.fromEntries(methods.map((method) => [method, to(method)]));

  // -- From what a hook returned to the text of an Action. What JSON would drop or turn into something else is refused:
  // `{ decision: undefined }` would become an empty Action, which allows.
  const spell = (value) => {
    if (value === null) return "null";
    if (isArray(value)) return "an array";
    return typeof value === "undefined" ? "nothing" : `a ${typeof value}`;
  };
  const where = (key) => (key === "" ? "the hook returned" : `the hook returned an Action whose \`${key}\` is`);
  const check = function (key, value) {
    if (typeof this[key] === "object" && this[key] !== value) {
      throw new TypeError(`${where(key)} what its method \`toJSON\` makes of it: an Action is made of plain values`);
    }
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        if (isFinite(value)) return value;
        throw new TypeError(`${where(key)} ${value}, which JSON cannot hold`);
      case "undefined":
        // What is optional may be left out in this way.
        if (this === action && key !== "decision") return undefined;
        throw new TypeError(`${where(key)} undefined, which JSON cannot hold`);
      case "object": {
        if (value === null || isArray(value)) return value;
        const prototype = getPrototypeOf(value);
        if (prototype === Plain || prototype === null) return value;
        throw new TypeError(`${where(key)} a ${value.constructor?.name ?? "strange object"}, which JSON cannot hold`);
      }
      default:
        throw new TypeError(`${where(key)} a ${typeof value}, which JSON cannot hold`);
    }
  };
  let action;
  return (returned) => {
    if (typeof returned !== "object" || returned === null || isArray(returned)) {
      throw new TypeError(`the hook returned ${spell(returned)}, not an Action such as \`{ decision: "allow" }\``);
    }
    action = returned;
    return stringify(returned, check);
  };
})
