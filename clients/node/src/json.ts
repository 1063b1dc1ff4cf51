// JSON that means the same to the client and to hookbox.

import { isUtf8 } from "node:buffer";
import { Failure, text } from "./failure.js";

/** More than hookbox lets an Input have, which is 64. */
const MAX_DEPTH = 128;

/** An object of JSON. */
export type JsonObject = { [key: string]: unknown };

/**
 * Reads one JSON value strictly: UTF-8, no key twice, since either value could be the one that counts, and no number that would
 * become another one.
 */
export function decode(data: Buffer): unknown {
  if (!isUtf8(data)) {
    throw new Failure("garbage", "hookbox sent something that is not UTF-8");
  }
  const line = data.toString();
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Failure("garbage", `hookbox sent something that is not JSON: ${text(error).slice(0, 200)}`);
  }
  if (countMembers(value) !== countColonsAndCheck(line)) {
    throw new Failure("garbage", "hookbox sent an object that has the same key twice");
  }
  return value;
}

/** Returns whether this is an object, and not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object's own member: what Object.prototype has does not count. */
export function own(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

// JSON.parse keeps the last of two equal keys, so there are fewer members than the text has colons outside of strings.
function countColonsAndCheck(line: string): number {
  let count = 0;
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit === 0x3a) {
      count++;
    } else if (unit === 0x7b || unit === 0x5b) {
      depth++;
      if (depth > MAX_DEPTH) {
        throw new Failure("garbage", "hookbox sent something that is nested too deeply");
      }
    } else if (unit === 0x7d || unit === 0x5d) {
      depth--;
    } else if ((unit >= 0x30 && unit <= 0x39) || unit === 0x2d) {
      const from = at;
      while (isOfNumber(line.charCodeAt(at + 1))) {
        at++;
      }
      checkNumber(line.slice(from, at + 1));
    } else if (unit === 0x22) {
      for (at++; line.charCodeAt(at) !== 0x22; at++) {
        if (line.charCodeAt(at) === 0x5c) {
          at++;
        }
      }
    }
  }
  return count;
}

function isOfNumber(unit: number): boolean {
  // Digits, "+", "-", ".", "E" and "e".
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d || unit === 0x2e || (unit | 0x20) === 0x65;
}

// JSON.parse makes Infinity of 1e999, and an even number of 9007199254740993: a tool would get what no hook has seen.
function checkNumber(written: string): void {
  const number = Number(written);
  if (!Number.isFinite(number) || (written.length > 15 && /^-?\d+$/.test(written) && BigInt(number) !== BigInt(written))) {
    // An integer that this program has written itself need not be exact.
    if (String(number) !== written) {
      throw new Failure("garbage", `hookbox sent the number ${written.slice(0, 40)}, which JavaScript does not have`);
    }
  }
}

function countMembers(root: unknown): number {
  let count = 0;
  // Not recursive: an answer may be nested deeper than the stack.
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) {
      continue;
    }
    const isList = Array.isArray(value);
    for (const item of isList ? value : Object.values(value)) {
      count += isList ? 0 : 1;
      if (typeof item === "object") {
        open.push(item);
      }
    }
  }
  return count;
}

/**
 * Writes a value as JSON. Failure if JSON.stringify would write something else than the value is, such as `null` for NaN.
 * A member that is undefined is left out.
 */
export function encode(value: unknown): string {
  try {
    check(value);
    return JSON.stringify(value);
  } catch (error) {
    throw new Failure("input", `the Input cannot be written as JSON: ${text(error)}`);
  }
}

function check(value: unknown): void {
  switch (typeof value) {
    case "boolean":
      return;
    case "string":
      if (!value.isWellFormed()) {
        throw new TypeError("a text has half of a surrogate pair");
      }
      return;
    case "number":
      if (!Number.isFinite(value)) {
        throw new TypeError(`${value} is not a number of JSON`);
      }
      return;
    case "object":
      break;
    default:
      throw new TypeError(`it contains a value of type ${typeof value}`);
  }
  if (value === null) {
    return;
  }
  if (Array.isArray(value)) {
    // Not forEach, which skips holes.
    for (const item of value) {
      check(item);
    }
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm, such as a vm context, has a prototype of its own that ends the chain.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new TypeError("it contains an object that is not a plain one");
  }
  if (typeof (value as JsonObject)["toJSON"] === "function") {
    throw new TypeError("it contains an object with a method toJSON");
  }
  for (const [key, item] of Object.entries(value)) {
    check(key);
    if (item !== undefined) {
      check(item);
    }
  }
}
