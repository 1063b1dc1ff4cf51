// A policy: no secret in a tool's result reaches the model. Each is replaced, and all else stays as it is.

import type { Action, Input } from "../../guest-sdk/js/hookbox";
import { find, search, type Finding, type Search } from "./find";
import { isJson, literals } from "./json";
import { readSettings } from "./settings";

export default function (input: Input): Action {
  const settings = readSettings(input.settings ?? {});
  const result = input.tool_result;
  if (result === undefined) return {};
  const redaction = new Redaction(search(settings.without, settings.extra, settings.allow));
  const content = isJson(result.content) ? redaction.ofJson(result.content) : redaction.of(result.content);
  if (redaction.count === 0) return {};
  // Kinds and numbers, never the secret itself: what is said here goes to logs and to the model.
  const values = redaction.count === 1 ? "1 value" : `${redaction.count} values`;
  const said = `${values} in the result of ${input.tool_name ?? "the tool"} (${redaction.kinds()})`;
  if (settings.mode === "audit") return { system_message: `${said} look like secrets` };
  return {
    decision: "modify",
    modified_tool_result: { is_error: result.is_error, content },
    additional_context: `${said} were redacted by policy. Work with the placeholders; do not try to read the values in another way.`,
  };
}

/** Replaces the secrets of one result. The same secret gets the same number wherever it stands. */
class Redaction {
  count = 0;
  readonly #numbers = new Map<string, number>();
  readonly #kinds = new Set<string>();
  readonly #search: Search;

  constructor(search: Search) {
    this.#search = search;
  }

  kinds(): string {
    return [...this.#kinds].sort().join(", ");
  }

  of(text: string): string {
    return this.#replace(text, find(text, this.#search));
  }

  /** Changes only what its strings say. */
  ofJson(json: string): string {
    let done = "";
    let from = 0;
    for (const { start, end, text, name } of literals(json)) {
      const safe = name === undefined ? this.of(text) : this.#member(name, text);
      if (safe === text) continue;
      done += json.slice(from, start) + JSON.stringify(safe);
      from = end;
    }
    return done + json.slice(from);
  }

  /** The value of a member, which may be a secret for what the member is called. */
  #member(name: string, text: string): string {
    const before = `${name}: `;
    const found = find(before + text, this.#search).filter(({ end }) => end > before.length);
    return this.#replace(
      text,
      found.map(({ kind, start, end }) => ({
        kind,
        start: Math.max(start - before.length, 0),
        end: end - before.length,
      })),
    );
  }

  #replace(text: string, found: Finding[]): string {
    let done = "";
    let from = 0;
    for (const { kind, start, end } of found) {
      const secret = text.slice(start, end);
      const number = this.#numbers.get(secret) ?? this.#numbers.size + 1;
      this.#numbers.set(secret, number);
      this.#kinds.add(kind);
      this.count += 1;
      done += `${text.slice(from, start)}[redacted:${kind}#${number}]`;
      from = end;
    }
    return done + text.slice(from);
  }
}
