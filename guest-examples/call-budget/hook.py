"""Lets a session make so many tool calls, and tells the model when only a few are left."""

import hookbox
from hookbox import log, store


@hookbox.hook
def judge(input: hookbox.Input) -> hookbox.Action:
    most = input.settings["most"]
    if type(most) is not int or most < 1:
        raise ValueError("`most` must be a whole number of calls")
    used = store.open().increment("calls")
    left = most - used
    if left < 0:
        log.warn(f"call {used} of a budget of {most}")
        return hookbox.deny(f"the session has used up its budget of {most} tool calls: ask the user how to go on")
    action = hookbox.allow()
    if left < max(1, most // 10):
        action.additional_context = f"{left} tool calls are left in this session"
    return action
