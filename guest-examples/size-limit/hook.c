/* Limits on the size of what goes into a tool, what comes out of it, and what is said. Sizes are in bytes of UTF-8; that of a
 * tool's input is the size of its JSON text. */
#include "hookbox.h"

typedef struct {
    int64_t tool_input;  /* more is denied */
    int64_t tool_result; /* more is cut off */
    int64_t message;     /* more is denied */
} limits;

/* A page of text has about 3 KiB, a source file of a thousand lines 40. */
static const limits defaults = {.tool_input = 64 << 10, .tool_result = 256 << 10, .message = 64 << 10};

static hookbox_text fault(hookbox_text key, hookbox_text what) {
    return hookbox_join(HB("settings."), key, HB(" "), what);
}

/* A limit in the settings: a whole number from 0 on. */
static bool read_limit(const hookbox_value *value, int64_t *limit) {
    return hookbox_integer(value, limit) && *limit >= 0;
}

/* The limit of this tool in a table of tools, where it has one; the others are checked too, so that a mistake shows at once. */
static hookbox_text read_tools(const hookbox_value *tools, hookbox_text tool, int64_t *limit) {
    if (!hookbox_is(tools, HOOKBOX_OBJECT))
        return fault(tools->key, HB("must be a table of tools and their limits"));
    for (const hookbox_value *entry = hookbox_first(tools); entry; entry = entry->next) {
        int64_t given;
        if (!read_limit(entry, &given))
            return fault(hookbox_join(tools->key, HB("."), entry->key), HB("must be a number of bytes"));
        if (hookbox_equals(entry->key, tool))
            *limit = given;
    }
    return (hookbox_text){NULL, 0};
}

/* Reads the settings. Returns what is wrong with them, absent text if nothing is. */
static hookbox_text read_settings(const hookbox_input *input, limits *into) {
    hookbox_text wrong = {NULL, 0};
    const hookbox_value *inputs = NULL, *results = NULL;
    if (input->settings && !hookbox_is(input->settings, HOOKBOX_OBJECT))
        return HB("settings must be a table");
    for (const hookbox_value *entry = hookbox_first(input->settings); entry; entry = entry->next) {
        int64_t *limit = hookbox_equals(entry->key, HB("tool_input"))    ? &into->tool_input
                         : hookbox_equals(entry->key, HB("tool_result")) ? &into->tool_result
                         : hookbox_equals(entry->key, HB("message"))     ? &into->message
                                                                         : NULL;
        if (limit && !read_limit(entry, limit))
            return fault(entry->key, HB("must be a number of bytes"));
        if (hookbox_equals(entry->key, HB("tool_inputs")))
            inputs = entry;
        else if (hookbox_equals(entry->key, HB("tool_results")))
            results = entry;
        else if (!limit)
            return fault(entry->key, HB("is no setting of this hook"));
    }
    /* A tool's own limit counts, wherever it stands in the settings. */
    if (inputs)
        wrong = read_tools(inputs, input->tool_name, &into->tool_input);
    if (results && !hookbox_is_given(wrong))
        wrong = read_tools(results, input->tool_name, &into->tool_result);
    return wrong;
}

static hookbox_text too_large(hookbox_text what, size_t size, int64_t limit, hookbox_text remedy) {
    return hookbox_join(what, HB(" has "), hookbox_digits((int64_t)size), HB(" bytes; the limit is "),
                        hookbox_digits(limit), HB(": "), remedy);
}

/* The longest beginning of at most this many bytes that ends with a whole character. */
static hookbox_text beginning(hookbox_text text, size_t most) {
    while (most > 0 && ((unsigned char)text.data[most] & 0xc0) == 0x80)
        most--;
    return (hookbox_text){text.data, most};
}

static bool is_over(hookbox_text text, int64_t limit) {
    return hookbox_is_given(text) && (uint64_t)text.len > (uint64_t)limit;
}

hookbox_action hookbox_judge(const hookbox_input *input) {
    limits limit = defaults;
    hookbox_text wrong = read_settings(input, &limit);
    if (hookbox_is_given(wrong))
        return hookbox_fail(wrong);

    bool before = hookbox_equals(input->event, HB("pre_tool")) || hookbox_equals(input->event, HB("permission_request"));
    if (before && input->tool_input && is_over(input->tool_input->json, limit.tool_input)) {
        hookbox_text tool = hookbox_is_given(input->tool_name)
                                ? hookbox_join(HB("the input of `"), input->tool_name, HB("`"))
                                : HB("the tool's input");
        return hookbox_deny(too_large(tool, input->tool_input->json.len, limit.tool_input, HB("do it in smaller parts")));
    }

    bool after = hookbox_equals(input->event, HB("post_tool")) || hookbox_equals(input->event, HB("tool_response_transform"));
    if (after && input->tool_result && is_over(input->tool_result->content, limit.tool_result)) {
        hookbox_text content = input->tool_result->content, kept = beginning(content, (size_t)limit.tool_result);
        hookbox_text left_out = hookbox_digits((int64_t)(content.len - kept.len));
        hookbox_text note = hookbox_join(HB("\n[… "), left_out, HB(" bytes left out; ask for a part of it]"));
        return hookbox_modify_tool_result(input->tool_result->is_error, hookbox_join(kept, note));
    }

    if (hookbox_equals(input->event, HB("pre_message")) && is_over(input->message, limit.message))
        return hookbox_deny(too_large(HB("the message"), input->message.len, limit.message, HB("put it into a file")));

    return hookbox_allow();
}
