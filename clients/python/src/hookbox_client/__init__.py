"""Asks hookbox what an AI agent may do.

    from hookbox_client import Client

    with Client() as client:
        outcome = client.pre_tool("bash", {"command": "ls"})
        if outcome.decision == "allow":
            run(outcome.input["tool_input"])

`AsyncClient` is the same for asyncio. A call that has no verdict, because hookbox is missing, hangs, crashes or sends garbage,
is a deny with a `code`, and never an exception.
"""

from ._async_client import AsyncClient
from ._client import Client
from ._outcome import Decision, HookRecord, HookWarning, Input, Outcome, ToolResult

__all__ = ["AsyncClient", "Client", "Decision", "HookRecord", "HookWarning", "Input", "Outcome", "ToolResult"]
