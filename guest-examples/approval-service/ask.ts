// What the service is asked, and what it may answer. Whatever else happens is thrown, so that the call is denied.

/** What the service learns of a call. */
export interface Question {
  session: string;
  pwd: string;
  tool: string;
  input: unknown;
}

export interface Answer {
  allow: boolean;
  reason?: string;
}

export async function ask(service: string, question: Question): Promise<Answer> {
  const response = await fetch(service, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(question),
  });
  // A redirect or an empty answer says nothing about the call.
  if (response.status !== 200) throw new Error(`the approval service answered with the status ${response.status}`);
  const text = await response.text();
  const answer = parse(text);
  if (answer === undefined) throw new Error(`the approval service answered ${JSON.stringify(text.slice(0, 100))}`);
  return answer;
}

/** Reads `{ "allow": true }`, where anything that looks different is no answer. */
function parse(text: string): Answer | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { allow, reason } = value as Record<string, unknown>;
  if (typeof allow !== "boolean") return undefined;
  if (reason === undefined || reason === null) return { allow };
  return typeof reason === "string" ? { allow, reason } : undefined;
}
