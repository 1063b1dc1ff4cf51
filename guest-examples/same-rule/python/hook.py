import hookbox


@hookbox.hook
def judge(input: hookbox.Input) -> hookbox.Action:
    words = input.settings.get("words", [])
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("settings.words must be a list of strings")

    command = input.get("command")
    if isinstance(command, str):
        for word in ["rm -rf", *words]:
            if word in command:
                return hookbox.deny(f'the command contains "{word}"')

    if input.tool_name is not None and input.tool_name.endswith("_admin"):
        return hookbox.ask(f"{input.tool_name} is for administrators")

    action = hookbox.allow()
    if input.event == "pre_message":
        action.additional_context = f"the message has {len(input.message or '')} characters"
    return action
