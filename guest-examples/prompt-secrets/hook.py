"""A policy: no credential goes to the model in a message."""

from __future__ import annotations

import math
import re
from typing import Iterator, NamedTuple

import hookbox


class Finding(NamedTuple):
    kind: str
    start: int
    end: int


# Tokens with a shape of their own. The group, where there is one, is the secret itself.
KINDS = {
    "AWS access key": r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",
    "GitHub token": r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{40,}\b",
    "GitLab token": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "Anthropic key": r"\bsk-ant-[A-Za-z0-9_-]{24,}",
    "OpenAI key": r"\bsk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}",
    "Google key": r"\bAIza[A-Za-z0-9_-]{35}\b",
    "Slack token": r"\bxox[abeprs]-[A-Za-z0-9-]{20,}",
    "Slack webhook": r"https://hooks\.slack\.com/services/(T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{20,})",
    "Stripe key": r"\b[rs]k_live_[A-Za-z0-9]{20,}\b",
    "npm token": r"\bnpm_[A-Za-z0-9]{36}\b",
    "PyPI token": r"\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{40,}",
    "Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}\b",
    "SendGrid key": r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b",
    "DigitalOcean token": r"\bdo[opr]_v1_[a-f0-9]{64}\b",
    "JSON web token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.([A-Za-z0-9_-]{20,})",
    "private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----\s*([A-Za-z0-9+/=\s:,-]{40,})",
    "password in a URL": r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:([^\s/@]{6,200})@[A-Za-z0-9.-]+",
}
# What somebody calls a secret, and gives a value. Only one that looks like chance counts.
ASSIGNED = (
    r"(?i)\b[a-z0-9_.-]{0,40}(?:passw(?:or)?d|passwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key)"
    r"[\"']?\s*(?:=|:|:=|=>)\s*[\"']?([^\s\"',;]{8,200})"
)
PATTERNS = {kind: re.compile(pattern) for kind, pattern in KINDS.items()}
ASSIGNMENT = re.compile(ASSIGNED)

# Words of those who show what a secret looks like and not what it is.
PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|your|x{4,}|\*{3,}|\.{3}|…|change[-_]?me|replace|redacted|dummy|sample|insert|<[^>]*>|\$\{|\$\(|\{\{|%s"
    r"|1234567|abcdef|foobar|not[-_]?real|fake"
)
# What a program writes where the secret comes from elsewhere.
ELSEWHERE = re.compile(r"(?i)^[$%@<]|^(?:os\.|process\.|env[.\[(]|getenv|self\.|config[.\[(]|settings[.\[(]|secrets?[.\[(])|[()\[\]]")
# A block of code that says in its first line that it is an example.
EXAMPLE = re.compile(r"(?ms)^[ \t]*(```+|~~~+)[^\n]*\b(?:example|sample|fake|dummy|placeholder)\b[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)")

MODES = ("deny", "ask", "redact", "audit")


def entropy(text: str) -> float:
    """Bits for each character. Words have about 3, keys more."""
    counts = [text.count(char) / len(text) for char in set(text)]
    return -sum(part * math.log2(part) for part in counts)


def is_placeholder(secret: str) -> bool:
    is_one_char = max(map(secret.count, set(secret))) * 2 > len(secret)
    return is_one_char or PLACEHOLDER.search(secret) is not None


def looks_like_chance(secret: str) -> bool:
    mixed = sum(re.search(kind, secret) is not None for kind in ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]"))
    return ELSEWHERE.search(secret) is None and mixed >= 2 and entropy(secret) >= 2.75


def findings(message: str, patterns: dict[str, re.Pattern]) -> Iterator[Finding]:
    taken: list[Finding] = []
    examples = [found.span() for found in EXAMPLE.finditer(message)]
    for kind, pattern in [*patterns.items(), ("secret", ASSIGNMENT)]:
        for found in pattern.finditer(message):
            group = 1 if pattern.groups and found.group(1) is not None else 0
            finding = Finding(kind, *found.span(group))
            secret = found.group(group)
            is_inside = any(start <= finding.start < end for start, end in examples)
            is_known = any(finding.start < other.end and other.start < finding.end for other in taken)
            if is_inside or is_known or is_placeholder(secret):
                continue
            if pattern is ASSIGNMENT and not looks_like_chance(secret):
                continue
            taken.append(finding)
    return iter(sorted(taken, key=lambda finding: finding.start))


def place(message: str, at: int) -> str:
    line = message.count("\n", 0, at) + 1
    return f"line {line}, column {at - message.rfind(chr(10), 0, at)}"


def read_settings(given: object) -> tuple[str, dict[str, re.Pattern], list[re.Pattern]]:
    if not isinstance(given, dict):
        raise ValueError("settings must be a table")
    unknown = given.keys() - {"mode", "extra", "allow", "without"}
    if unknown:
        raise ValueError(f"settings.{min(unknown)} is no setting of this hook")
    mode, extra = given.get("mode", "deny"), given.get("extra", {})
    allow, without = given.get("allow", []), given.get("without", [])
    if mode not in MODES:
        raise ValueError(f"settings.mode must be one of {', '.join(MODES)}")
    if not isinstance(extra, dict) or not all(isinstance(pattern, str) for pattern in extra.values()):
        raise ValueError("settings.extra must be a table of kinds and regular expressions")
    for key, texts in (("allow", allow), ("without", without)):
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValueError(f"settings.{key} must be a list of texts")
    for kind in without:
        if kind not in KINDS:
            raise ValueError(f"settings.without: there is no kind {kind!r}")
    try:
        patterns = {kind: pattern for kind, pattern in PATTERNS.items() if kind not in without}
        patterns.update((kind, re.compile(pattern)) for kind, pattern in extra.items())
        return mode, patterns, [re.compile(pattern) for pattern in allow]
    except re.error as error:
        raise ValueError(f"a regular expression of the settings is wrong: {error}") from None


@hookbox.hook
def judge(input: hookbox.Input) -> hookbox.Action:
    mode, patterns, allowed = read_settings(input.settings)
    if input.event != "pre_message" or input.message is None:
        return hookbox.allow()
    message = input.message
    found = [
        finding
        for finding in findings(message, patterns)
        if not any(pattern.search(message[finding.start : finding.end]) for pattern in allowed)
    ]
    if not found:
        return hookbox.allow()
    # Never the secret itself: reasons go to logs and to the model.
    listed = "; ".join(f"{finding.kind} at {place(message, finding.start)}" for finding in found[:5])
    if len(found) > 5:
        listed += f"; and {len(found) - 5} more"
    reason = f"the message contains a credential: {listed}"
    if mode == "deny":
        return hookbox.deny(reason)
    if mode == "ask":
        return hookbox.ask(reason)
    if mode == "redact":
        for finding in reversed(found):
            message = f"{message[: finding.start]}[{finding.kind} removed]{message[finding.end :]}"
        return hookbox.modify_message(message)
    return hookbox.Action(
        system_message=reason,
        additional_context=f"{reason}. Do not repeat it, write it to a file or pass it to a tool.",
    )
