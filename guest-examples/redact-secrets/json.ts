// The texts in a JSON text, so that they can be changed and everything else stays as it was written.

/** A string in a JSON text. */
export interface Literal {
  /** Where it stands, quotes included. */
  start: number;
  end: number;
  /** What it says. */
  text: string;
  /** For the value of a member, the member's name. */
  name?: string;
}

/** Whether a text is an object or a list, as JSON. */
export function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The strings of a JSON text, names of members included, by place. */
export function* literals(json: string): Generator<Literal> {
  let name: string | undefined;
  let end = 0;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', end)) {
    // The name before belongs to this string only if nothing but the colon stands between.
    const isValue = name !== undefined && /^\s*:\s*$/.test(json.slice(end, start));
    end = endOf(json, start);
    const text = JSON.parse(json.slice(start, end)) as string;
    yield { start, end, text, ...(isValue ? { name } : {}) };
    name = isValue ? undefined : text;
  }
}

/** Behind the quote that ends the string which begins here. */
function endOf(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === "\\") escapes += 1;
    // Each pair of backslashes is one that is meant.
    if (escapes % 2 === 0) return at + 1;
  }
  throw new Error("a string without an end");
}
