// Where a text holds secrets.

import { DETECTORS, isPlaceholder, looksSecret, type Detector } from "./detectors";

/** A secret, by its place in the text. */
export interface Finding {
  kind: string;
  start: number;
  end: number;
}

/** What is looked for. */
export interface Search {
  detectors: Detector[];
  /** What the team has patterns of its own for, by kind. */
  extra: [string, RegExp][];
  /** What is left alone. */
  allow: RegExp[];
}

export function search(without: string[], extra: Record<string, string>, allow: string[]): Search {
  return {
    detectors: DETECTORS.filter(({ kind }) => !without.includes(kind)),
    extra: Object.entries(extra).map(([kind, pattern]) => [kind, new RegExp(pattern, "dgu")]),
    allow: allow.map((pattern) => new RegExp(pattern, "u")),
  };
}

/** The secrets of a text, by place. None lies within another. */
export function find(text: string, { detectors, extra, allow }: Search): Finding[] {
  const found: Finding[] = [];
  let taken: Uint8Array | undefined;
  const add = (kind: string, match: RegExpExecArray, named = false): void => {
    const [start, end] = match.indices!.groups?.secret ?? match.indices![0];
    const secret = text.slice(start, end);
    if (secret === "" || isPlaceholder(secret) || (named && !looksSecret(secret))) return;
    if (allow.some((pattern) => pattern.test(secret))) return;
    taken ??= new Uint8Array(text.length);
    // What is more certain comes first, and stays.
    if (taken.subarray(start, end).includes(1)) return;
    taken.fill(1, start, end);
    found.push({ kind, start, end });
  };
  for (const [kind, pattern] of extra) {
    for (const match of text.matchAll(pattern)) add(kind, match);
  }
  for (const { kind, hints, pattern, named } of detectors) {
    for (const hint of hints) {
      for (let at = text.indexOf(hint); at >= 0; ) {
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (match) add(kind, match, named);
        at = text.indexOf(hint, match ? Math.max(pattern.lastIndex, at + 1) : at + hint.length);
      }
    }
  }
  return found.sort((one, other) => one.start - other.start);
}
