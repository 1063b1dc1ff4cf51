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

/** The secrets of a text, by place, each apart from the others. */
export function find(text: string, { detectors, extra, allow }: Search): Finding[] {
  const found: Finding[] = [];
  const add = (kind: string, match: RegExpExecArray, named = false): void => {
    const [start, end] = match.indices!.groups?.secret ?? match.indices![0];
    const secret = text.slice(start, end);
    if (secret === "" || isPlaceholder(secret) || (named && !looksSecret(secret))) return;
    if (!allow.some((pattern) => pattern.test(secret))) found.push({ kind, start, end });
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
  return apart(found);
}

/** One finding for all that overlap, of the kind that was found first, since what is more certain is looked for first. */
function apart(found: Finding[]): Finding[] {
  const order = new Map(found.map((finding, at) => [finding, at]));
  const joined: Finding[] = [];
  for (const finding of found.sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last === undefined || finding.start >= last.end) {
      joined.push(finding);
      continue;
    }
    const surer = order.get(finding)! < order.get(last)! ? finding : last;
    const both = { kind: surer.kind, start: last.start, end: Math.max(last.end, finding.end) };
    order.set(both, order.get(surer)!);
    joined[joined.length - 1] = both;
  }
  return joined;
}
