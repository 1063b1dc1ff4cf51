/* The Input that a hook reads and the Action that it answers with. */
#include "hookbox.h"

#include <string.h>

bool hookbox_is_given(hookbox_text text) {
    return text.data != NULL;
}

bool hookbox_equals(hookbox_text text, hookbox_text other) {
    return text.data && other.data && text.len == other.len && memcmp(text.data, other.data, text.len) == 0;
}

bool hookbox_starts_with(hookbox_text text, hookbox_text part) {
    return text.data && part.data && text.len >= part.len && memcmp(text.data, part.data, part.len) == 0;
}

bool hookbox_ends_with(hookbox_text text, hookbox_text part) {
    return text.data && part.data && text.len >= part.len &&
           memcmp(text.data + (text.len - part.len), part.data, part.len) == 0;
}

bool hookbox_contains(hookbox_text text, hookbox_text part) {
    if (!text.data || !part.data)
        return false;
    if (part.len == 0)
        return true;
    const char *at = text.data, *end = text.data + text.len;
    while ((size_t)(end - at) >= part.len) {
        at = memchr(at, part.data[0], (size_t)(end - at) - part.len + 1);
        if (!at)
            return false;
        if (memcmp(at, part.data, part.len) == 0)
            return true;
        at++;
    }
    return false;
}

size_t hookbox_characters(hookbox_text text) {
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    return count;
}

hookbox_text hookbox_join_all(const hookbox_text *parts, size_t count) {
    size_t len = 0;
    for (size_t i = 0; i < count; i++)
        len += parts[i].len;
    char *joined = hookbox_alloc(len + 1), *at = joined;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len)
            memcpy(at, parts[i].data, parts[i].len);
        at += parts[i].len;
    }
    return (hookbox_text){joined, len};
}

hookbox_text hookbox_digits(int64_t number) {
    char *end = (char *)hookbox_alloc(24) + 24, *at = end;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0)
        *--at = '-';
    return (hookbox_text){at, (size_t)(end - at)};
}

hookbox_text hookbox_quote(hookbox_text text) {
    static const char hex[] = "0123456789abcdef";
    size_t len = 2;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        len += c < 0x20 ? 6 : c == '"' || c == '\\' ? 2 : 1;
    }
    char *quoted = hookbox_alloc(len), *at = quoted;
    *at++ = '"';
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20) {
            memcpy(at, "\\u00", 4);
            at[4] = hex[c >> 4];
            at[5] = hex[c & 15];
            at += 6;
            continue;
        }
        if (c == '"' || c == '\\')
            *at++ = '\\';
        *at++ = (char)c;
    }
    *at++ = '"';
    return (hookbox_text){quoted, len};
}

bool hookbox_is(const hookbox_value *value, hookbox_kind kind) {
    return value && value->kind == kind;
}

const hookbox_value *hookbox_first(const hookbox_value *list) {
    return list ? list->first : NULL;
}

hookbox_text hookbox_string(const hookbox_value *value) {
    return hookbox_is(value, HOOKBOX_STRING) ? value->string : (hookbox_text){NULL, 0};
}

const hookbox_value *hookbox_get(const hookbox_value *object, const char *key) {
    if (!hookbox_is(object, HOOKBOX_OBJECT))
        return NULL;
    hookbox_text wanted = {key, strlen(key)};
    const hookbox_value *member = object->first;
    while (member && !hookbox_equals(member->key, wanted))
        member = member->next;
    return member;
}

bool hookbox_get_text(const hookbox_value *object, const char *key, hookbox_text *text) {
    const hookbox_value *value = hookbox_get(object, key);
    *text = hookbox_string(value);
    return value ? value->kind == HOOKBOX_STRING : !object || object->kind == HOOKBOX_OBJECT;
}

/* The digits of a whole number without its sign. */
static bool magnitude(const hookbox_value *value, bool *negative, uint64_t *number) {
    if (!hookbox_is(value, HOOKBOX_NUMBER))
        return false;
    size_t i = *negative = value->json.data[0] == '-';
    *number = 0;
    for (; i < value->json.len; i++) {
        unsigned digit = (unsigned)(value->json.data[i] - '0');
        if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return true;
}

bool hookbox_integer(const hookbox_value *value, int64_t *number) {
    bool negative;
    uint64_t size;
    if (!magnitude(value, &negative, &size) || size > (uint64_t)INT64_MAX + negative)
        return false;
    *number = (int64_t)(negative ? 0 - size : size);
    return true;
}

hookbox_text hookbox_with(const hookbox_value *object, const char *key, hookbox_text json) {
    if (!hookbox_is(object, HOOKBOX_OBJECT))
        return (hookbox_text){NULL, 0};
    const hookbox_value *old = hookbox_get(object, key);
    hookbox_text whole = object->json;
    if (old) {
        size_t before = (size_t)(old->json.data - whole.data), after = before + old->json.len;
        return hookbox_join((hookbox_text){whole.data, before}, json,
                            (hookbox_text){whole.data + after, whole.len - after});
    }
    hookbox_text name = hookbox_quote((hookbox_text){key, strlen(key)});
    return hookbox_join((hookbox_text){whole.data, whole.len - 1}, object->first ? HB(",") : HB(""), name, HB(":"), json,
                        HB("}"));
}

static hookbox_action decided(hookbox_decision decision, hookbox_text reason) {
    hookbox_action action = {0};
    action.decision = decision;
    action.reason = reason;
    return action;
}

hookbox_action hookbox_allow(void) {
    return decided(HOOKBOX_ALLOW, (hookbox_text){NULL, 0});
}

hookbox_action hookbox_deny(hookbox_text reason) {
    return decided(HOOKBOX_DENY, reason);
}

hookbox_action hookbox_ask(hookbox_text reason) {
    return decided(HOOKBOX_ASK, reason);
}

hookbox_action hookbox_modify_tool_input(hookbox_text json) {
    hookbox_action action = decided(HOOKBOX_MODIFY, (hookbox_text){NULL, 0});
    action.modified_tool_input = json;
    return action;
}

hookbox_action hookbox_modify_message(hookbox_text message) {
    hookbox_action action = decided(HOOKBOX_MODIFY, (hookbox_text){NULL, 0});
    action.modified_message = message;
    return action;
}

hookbox_action hookbox_modify_tool_result(bool is_error, hookbox_text content) {
    hookbox_action action = decided(HOOKBOX_MODIFY, (hookbox_text){NULL, 0});
    hookbox_tool_result *result = hookbox_alloc(sizeof *result);
    *result = (hookbox_tool_result){is_error, content};
    action.modified_tool_result = result;
    return action;
}

hookbox_action hookbox_fail(hookbox_text why) {
    hookbox_action action = {0};
    action.failure = hookbox_is_given(why) ? why : HB("it did not say why");
    return action;
}

static const hookbox_value *known(const hookbox_value *object, const char *key) {
    const hookbox_value *value = hookbox_get(object, key);
    return hookbox_is(value, HOOKBOX_NULL) ? NULL : value;
}

static bool wrong(hookbox_text *why, const char *key, hookbox_text wanted) {
    *why = hookbox_join(HB("the Input is not usable: `"), (hookbox_text){key, strlen(key)}, HB("` is not "), wanted);
    return false;
}

static bool read_result(const hookbox_value *value, hookbox_tool_result *into, hookbox_text *why) {
    const hookbox_value *is_error = hookbox_get(value, "is_error"), *content = hookbox_get(value, "content");
    if (!hookbox_is(value, HOOKBOX_OBJECT) || (is_error && is_error->kind != HOOKBOX_BOOLEAN) ||
        (content && content->kind != HOOKBOX_STRING))
        return wrong(why, "tool_result", HB("a tool's result"));
    into->is_error = is_error && is_error->boolean;
    into->content = content ? content->string : HB("");
    return true;
}

static bool read_input(hookbox_text json, hookbox_input *input, hookbox_text *why) {
    hookbox_text fault;
    const hookbox_value *all = hookbox_parse(json, &fault), *value;
    if (!all) {
        *why = hookbox_join(HB("the Input is not strict JSON: "), fault);
        return false;
    }
    if (all->kind != HOOKBOX_OBJECT) {
        *why = HB("the Input is not an object");
        return false;
    }
    const struct {
        const char *key;
        hookbox_text *into;
    } texts[] = {
        {"event", &input->event},         {"session_id", &input->session_id}, {"hook_name", &input->hook_name},
        {"pwd", &input->pwd},             {"tool_name", &input->tool_name},   {"message", &input->message},
        {"mode_name", &input->mode_name}, {"now", &input->now},               {"tool_use_id", &input->tool_use_id},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        value = known(all, texts[i].key);
        if (value && value->kind != HOOKBOX_STRING)
            return wrong(why, texts[i].key, HB("a string"));
        *texts[i].into = hookbox_string(value);
    }
    if (input->event.len == 0)
        return wrong(why, "event", HB("given"));
    if ((value = known(all, "turn")) != NULL) {
        bool negative;
        if (!magnitude(value, &negative, &input->turn) || negative)
            return wrong(why, "turn", HB("a whole number from 0 on"));
        input->has_turn = true;
    }
    if ((value = known(all, "tool_result")) != NULL) {
        hookbox_tool_result *result = hookbox_alloc(sizeof *result);
        if (!read_result(value, result, why))
            return false;
        input->tool_result = result;
    }
    if ((input->tool = known(all, "tool")) != NULL && input->tool->kind != HOOKBOX_OBJECT)
        return wrong(why, "tool", HB("the facts of a tool call"));
    input->tool_input = hookbox_get(all, "tool_input");
    input->settings = known(all, "settings");
    input->all = all;
    return true;
}

/* The Action as an object, built member by member. */
typedef struct {
    hookbox_text parts[96];
    size_t count;
} object;

static void member(object *into, hookbox_text key, hookbox_text json) {
    into->parts[into->count] = into->count ? HB(",\"") : HB("{\"");
    into->count++;
    into->parts[into->count++] = key;
    into->parts[into->count++] = HB("\":");
    into->parts[into->count++] = json;
}

static void text_member(object *into, hookbox_text key, hookbox_text text) {
    if (hookbox_is_given(text))
        member(into, key, hookbox_quote(text));
}

static void json_member(object *into, hookbox_text key, hookbox_text json) {
    if (hookbox_is_given(json))
        member(into, key, json);
}

static hookbox_text write_action(const hookbox_action *action) {
    static const hookbox_text decisions[] = {{"allow", 5}, {"deny", 4}, {"ask", 3}, {"modify", 6}};
    static const hookbox_text permissions[] = {{NULL, 0}, {"allow", 5}, {"ask", 3}, {"deny", 4}};
    object out = {.count = 0};
    text_member(&out, HB("decision"), decisions[action->decision]);
    text_member(&out, HB("reason"), action->reason);
    json_member(&out, HB("modified_tool_input"), action->modified_tool_input);
    text_member(&out, HB("modified_message"), action->modified_message);
    if (action->modified_tool_result) {
        const hookbox_tool_result *result = action->modified_tool_result;
        hookbox_text content = hookbox_is_given(result->content) ? result->content : HB("");
        member(&out, HB("modified_tool_result"),
               hookbox_join(HB("{\"is_error\":"), result->is_error ? HB("true") : HB("false"), HB(",\"content\":"),
                            hookbox_quote(content), HB("}")));
    }
    json_member(&out, HB("updated_input"), action->updated_input);
    json_member(&out, HB("updated_messages"), action->updated_messages);
    text_member(&out, HB("updated_tool_response"), action->updated_tool_response);
    text_member(&out, HB("summary"), action->summary);
    text_member(&out, HB("permission"), permissions[action->permission]);
    text_member(&out, HB("permission_reason"), action->permission_reason);
    text_member(&out, HB("system_prompt_append"), action->system_prompt_append);
    text_member(&out, HB("additional_context"), action->additional_context);
    text_member(&out, HB("system_message"), action->system_message);
    if (action->stop)
        member(&out, HB("stop"), HB("true"));
    text_member(&out, HB("stop_reason"), action->stop_reason);
    out.parts[out.count++] = HB("}");
    return hookbox_join_all(out.parts, out.count);
}

/* Whether a member is absent or exactly one JSON value. It is written unchanged, so text of the tool call in it could
 * otherwise add other members to the Action. */
static bool is_json(const char *key, hookbox_text json, hookbox_text *why) {
    hookbox_text fault;
    if (!hookbox_is_given(json) || hookbox_parse(json, &fault))
        return true;
    *why = hookbox_join(HB("`"), (hookbox_text){key, strlen(key)}, HB("` of the Action is not strict JSON: "), fault);
    return false;
}

bool hookbox_run(hookbox_text json, hookbox_text *answer) {
    hookbox_input input = {0};
    if (!read_input(json, &input, answer))
        return false;
    hookbox_action action = hookbox_judge(&input);
    if (hookbox_is_given(action.failure)) {
        *answer = action.failure;
        return false;
    }
    if ((unsigned)action.decision > HOOKBOX_MODIFY || (unsigned)action.permission > HOOKBOX_PERMIT_DENY) {
        *answer = HB("the hook answered with a decision or permission that there is none of");
        return false;
    }
    if (!is_json("modified_tool_input", action.modified_tool_input, answer) ||
        !is_json("updated_input", action.updated_input, answer) ||
        !is_json("updated_messages", action.updated_messages, answer))
        return false;
    *answer = write_action(&action);
    return true;
}
