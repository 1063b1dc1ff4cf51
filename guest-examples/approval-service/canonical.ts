// A form of a tool call that is the same for the same call, to remember it by.

/** The most bytes that a key of the store has. */
const LONGEST = 1024;

/** The JSON text of a value, with the members of objects sorted; none if it is too long for a key or not exact. */
export function canonical(value: unknown): string | undefined {
  const text = spell(value);
  return text !== undefined && byteLength(text) <= LONGEST ? text : undefined;
}

/** The length of a text as UTF-8. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function spell(value: unknown): string | undefined {
  // Two numbers of a call may have become the same here, since JavaScript rounds what it reads.
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return join("[", value.map(spell), "]");
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  const spelled = members.map(([name, member]) => {
    const text = spell(member);
    return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
  });
  return join("{", spelled, "}");
}

function join(open: string, parts: (string | undefined)[], close: string): string | undefined {
  return parts.includes(undefined) ? undefined : open + parts.join(",") + close;
}
