"""A small agent that asks hookbox at every point of its loop.

    python agent.py [--config hooks.toml]

Its model is a script, so it needs no network. It has two tools: `read` reads files, and `bash` only prints what it would run, so
that running this example without any hooks cannot delete a home directory. Arguments are options of `hookbox serve`.
"""

import sys
from pathlib import Path
from typing import Any

from hookbox_client import Client, Outcome

# The model's calls: tool and input.
SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("read", {"path": "README.md"}),
    ("bash", {"command": "ls"}),
    ("bash", {"command": "rm -rf ~"}),
]


def main() -> None:
    with Client(args=sys.argv[1:]) as client:
        sent = client.pre_message("tidy up my home")
        if sent.decision != "allow":
            print(f"user: (not sent: {sent.reason})")
            return
        print(f"user: {sent.input['message']}")
        for addition in sent.system_prompt_additions:
            print(f"system: {addition}")
        for tool, tool_input in SCRIPT:
            print(f"model: {tool} {tool_input}")
            print(f"tool: {call_tool(client, tool, tool_input)}")


def call_tool(client: Client, tool: str, tool_input: Any) -> str:
    """Asks whether the tool may run, runs it in the form that the hooks left, and returns what the model may see of the result."""
    before = client.pre_tool(tool, tool_input)
    # Nobody can be asked here, so an ask is a deny.
    if before.decision != "allow":
        return f"denied: {before.reason}"
    # The hooks may have changed the input.
    tool_input = before.input["tool_input"]
    try:
        content, is_error = run_tool(tool, tool_input), False
    except Exception as error:
        content, is_error = str(error), True
    after = client.post_tool(tool, tool_input, content, is_error=is_error)
    return shown(after)


def shown(after: Outcome) -> str:
    if after.decision != "allow":
        return f"the result is withheld: {after.reason}"
    return str(after.input["tool_result"]["content"])


def run_tool(tool: str, tool_input: Any) -> str:
    if tool == "read":
        return Path(tool_input["path"]).read_text().partition("\n")[0]
    return f"would run: {tool_input['command']}"


if __name__ == "__main__":
    main()
