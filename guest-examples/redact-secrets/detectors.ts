// What secrets look like.

/** A kind of secret. */
export interface Detector {
  /** What is written in its place. */
  kind: string;
  /** Texts of which each match holds one, where the pattern begins. To look for these first is what keeps long results cheap. */
  hints: string[];
  /** It is tried at each hint. The group `secret`, where there is one, is what goes; else all that matches. */
  pattern: RegExp;
  /** Whether somebody merely calls it a secret, so that it must look like one too. */
  named?: boolean;
}

export const DETECTORS: Detector[] = [
  { kind: "aws-access-key", hints: ["AKIA", "ASIA", "ABIA", "ACCA"], pattern: /\b[A-Z]{4}[A-Z2-7]{16}\b/dy },
  {
    kind: "aws-secret-key",
    hints: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey", "secretAccessKey"],
    pattern: /[A-Za-z_]+["']?\s*[:=]\s*["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dy,
  },
  { kind: "github-token", hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], pattern: /\bgh[pousr]_[A-Za-z0-9]{36,}\b/dy },
  { kind: "github-token", hints: ["github_pat_"], pattern: /\bgithub_pat_[A-Za-z0-9_]{40,}\b/dy },
  { kind: "gitlab-token", hints: ["glpat-"], pattern: /\bglpat-[A-Za-z0-9_-]{20,}/dy },
  { kind: "slack-token", hints: ["xox", "xapp-"], pattern: /\b(?:xox[abeprs]|xapp)-[A-Za-z0-9-]{20,}/dy },
  {
    kind: "slack-webhook",
    hints: ["hooks.slack.com/services/"],
    pattern: /hooks\.slack\.com\/services\/(?<secret>T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]{20,})/dy,
  },
  { kind: "anthropic-key", hints: ["sk-ant-"], pattern: /\bsk-ant-[A-Za-z0-9_-]{24,}/dy },
  { kind: "openai-key", hints: ["sk-"], pattern: /\bsk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}/dy },
  { kind: "google-key", hints: ["AIza"], pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/dy },
  { kind: "azure-key", hints: ["AccountKey="], pattern: /AccountKey=(?<secret>[A-Za-z0-9+/]{86}==)/dy },
  { kind: "stripe-key", hints: ["sk_live_", "rk_live_"], pattern: /\b[rs]k_live_[A-Za-z0-9]{20,}\b/dy },
  { kind: "npm-token", hints: ["npm_"], pattern: /\bnpm_[A-Za-z0-9]{36}\b/dy },
  { kind: "pypi-token", hints: ["pypi-"], pattern: /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{40,}/dy },
  { kind: "hugging-face-token", hints: ["hf_"], pattern: /\bhf_[A-Za-z0-9]{30,}\b/dy },
  { kind: "sendgrid-key", hints: ["SG."], pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/dy },
  {
    kind: "json-web-token",
    hints: ["eyJ"],
    pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/dy,
  },
  {
    kind: "private-key",
    hints: ["-----BEGIN "],
    // A result that was cut off need not have the end of it. Within JSON its lines end in `\n`.
    pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?<secret>[A-Za-z0-9+/=\s\\:,-]{40,}?)(?=-----END|[^A-Za-z0-9+/=\s\\:,-]|$)/dy,
  },
  {
    kind: "password",
    hints: ["://"],
    pattern: /:\/\/[^\s:/@"']{0,100}:(?<secret>[^\s/@"']{4,200})@[A-Za-z0-9.-]/dy,
    named: true,
  },
  {
    kind: "authorization",
    hints: ["uthorization", "UTHORIZATION"],
    pattern: /uthorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|apikey)\s+)?(?<secret>[A-Za-z0-9._~+/=-]{12,})/diy,
  },
  {
    kind: "secret",
    hints: ["passw", "Passw", "PASSW", "secret", "Secret", "SECRET", "token", "Token", "TOKEN", "key", "Key", "KEY"],
    pattern:
      /(?:(?<=api[_-]?|access[_-]?|auth[_-]?|private[_-]?|encryption[_-]?|signing[_-]?)key|passw(?:or)?d|secret|token)[a-z0-9_]{0,20}["']?\s*(?:=>|:=|=|:)\s*["']?(?<secret>[^\s"',;]{8,200})/diy,
    named: true,
  },
];

// Words of those who show what a secret looks like and not what it is; and what stands where this policy has been.
const PLACEHOLDER =
  /example|placeholder|your|x{4,}|\*{3,}|\.{3}|…|change[-_]?me|replace|redacted|dummy|sample|insert|<[^>]*>|1234567|abcdef|foobar|not[-_]?real|fake/i;
// What a program writes where the secret comes from elsewhere.
const ELSEWHERE = /^[$%@<&*]|^(?:os|process|env|self|this|config|settings|secrets?)\b[.[(]|getenv|\$\{|\$\(|\{\{|[()[\]]/i;

/** Whether it stands for a secret and is none. */
export function isPlaceholder(text: string): boolean {
  const most = Math.max(...Object.values(count(text)));
  // In a long secret a short word stands by chance.
  return most * 2 > text.length || (text.length <= 100 ? PLACEHOLDER.test(text) : text.includes("..."));
}

/** Whether a text that somebody calls a secret looks like one: no word of a language, and nothing that a program computes. */
export function looksSecret(text: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(text)).length;
  return !ELSEWHERE.test(text) && kinds >= 2 && entropy(text) >= 2.75;
}

/** Bits for each character. Words have about 3, keys more. */
function entropy(text: string): number {
  const parts = Object.values(count(text)).map((times) => times / text.length);
  return -parts.reduce((sum, part) => sum + part * Math.log2(part), 0);
}

function count(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const char of text) counts[char] = (counts[char] ?? 0) + 1;
  return counts;
}
