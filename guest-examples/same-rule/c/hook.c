#include "hookbox.h"

hookbox_action hookbox_judge(const hookbox_input *input) {
    const hookbox_value *words = hookbox_get(input->settings, "words");
    bool is_list = hookbox_is(words, HOOKBOX_ARRAY);
    for (const hookbox_value *word = hookbox_first(words); is_list && word; word = word->next)
        is_list = hookbox_is(word, HOOKBOX_STRING);
    if (words && !is_list)
        return hookbox_fail(HB("settings.words must be a list of strings"));

    hookbox_text command = hookbox_string(hookbox_get(input->tool_input, "command"));
    if (hookbox_contains(command, HB("rm -rf")))
        return hookbox_deny(HB("the command contains \"rm -rf\""));
    for (const hookbox_value *word = hookbox_first(words); word; word = word->next)
        if (hookbox_contains(command, word->string))
            return hookbox_deny(hookbox_join(HB("the command contains \""), word->string, HB("\"")));

    if (hookbox_ends_with(input->tool_name, HB("_admin")))
        return hookbox_ask(hookbox_join(input->tool_name, HB(" is for administrators")));

    hookbox_action action = hookbox_allow();
    if (hookbox_equals(input->event, HB("pre_message")))
        action.additional_context = hookbox_join(
            HB("the message has "), hookbox_digits((int64_t)hookbox_characters(input->message)), HB(" characters"));
    return action;
}
