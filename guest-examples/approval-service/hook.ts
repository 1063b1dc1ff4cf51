// A policy: a service decides whether a tool call may run. What it approved once, it is not asked again for a while.

import { store } from "hookbox:store";
import type { Action, Input } from "../../guest-sdk/js/hookbox";
import { ask } from "./ask";
import { canonical } from "./canonical";
import { readSettings } from "./settings";

export default async function (input: Input): Promise<Action> {
  const { service, remember } = readSettings(input.settings);
  const { session_id: session, pwd, tool_name: tool, tool_input: call } = input;
  if (typeof tool !== "string" || call === undefined) throw new Error("the event has no tool call to ask about");
  // The same command means something else in another directory.
  const key = remember ? canonical([pwd, tool, call]) : undefined;
  if (key !== undefined && store.exists(key)) return {};

  const answer = await ask(service, { session, pwd, tool, input: call });
  if (!answer.allow) {
    const { reason = "it gives no reason" } = answer;
    return { decision: "deny", reason: `the approval service does not allow this: ${reason}` };
  }
  // An approval that cannot be stored is an error, too: better than to ask forever.
  if (key !== undefined) store.set(key, input.now);
  return {};
}
