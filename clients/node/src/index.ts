// Asks hookbox what an AI agent may do.

export { Client, type CallOptions, type ClientOptions, type More } from "./client.js";
export type { Allow, Ask, Deny, HookRecord, HookWarning, Input, Outcome, ToolResult } from "./outcome.js";
