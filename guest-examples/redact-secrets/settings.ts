// What `settings` in hooks.toml can hold.

import { DETECTORS } from "./detectors";

export interface Settings {
  /** `redact`, or `audit`, which only tells the user. */
  mode: "redact" | "audit";
  /** Kinds that are not looked for. */
  without: string[];
  /** Regular expressions for more kinds, by kind. A group `secret` says which part goes. */
  extra: Record<string, string>;
  /** Regular expressions for what is left alone. */
  allow: string[];
}

/** A mistake in the settings is an error of the hook, which is better than a policy that nobody follows. */
export function readSettings(given: unknown): Settings {
  if (!isTable(given)) throw new TypeError("settings must be a table");
  const { mode = "redact", without = [], extra = {}, allow = [], ...others } = given;
  for (const key in others) throw new TypeError(`settings.${key} is no setting of this hook`);
  if (mode !== "redact" && mode !== "audit") throw new TypeError("settings.mode must be `redact` or `audit`");
  if (!isList(without)) throw new TypeError("settings.without must be a list of kinds");
  for (const kind of without) {
    if (!DETECTORS.some((detector) => detector.kind === kind)) {
      throw new TypeError(`settings.without: there is no kind ${JSON.stringify(kind)}`);
    }
  }
  if (!isTable(extra) || !isList(Object.values(extra))) {
    throw new TypeError("settings.extra must be a table of kinds and regular expressions");
  }
  if (!isList(allow)) throw new TypeError("settings.allow must be a list of regular expressions");
  return { mode, without, extra: extra as Record<string, string>, allow };
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
