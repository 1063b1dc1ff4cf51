/* Fingerprints of calls and results. */
#include "detector.h"

#include <string.h>

/* FNV-1a. */
static uint32_t add(uint32_t hash, const char *data, size_t len) {
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)data[i]) * 16777619u;
    return hash;
}

/* With its length, so that where one text ends and the next begins counts. */
static uint32_t add_text(uint32_t hash, hookbox_text text) {
    uint32_t len = (uint32_t)text.len;
    return add(add(hash, (const char *)&len, sizeof len), text.data, text.len);
}

static const uint32_t start = 2166136261u;

static uint32_t mixed(uint32_t hash) {
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}

/* The order of an object's members does not count, nor do escapes and spaces. */
static uint32_t of_value(const hookbox_value *value) {
    char kind = (char)value->kind;
    uint32_t hash = add(start, &kind, 1), sum = 0;
    const hookbox_value *part;
    switch (value->kind) {
    case HOOKBOX_STRING:
        return mixed(add_text(hash, value->string));
    case HOOKBOX_ARRAY:
        for (part = hookbox_first(value); part; part = part->next)
            hash = mixed(hash + of_value(part));
        return hash;
    case HOOKBOX_OBJECT:
        for (part = hookbox_first(value); part; part = part->next)
            sum += mixed(add_text(of_value(part), part->key));
        return mixed(hash + sum);
    default:
        return mixed(add_text(hash, value->json));
    }
}

static hookbox_text trimmed(hookbox_text text) {
    while (text.len && strchr(" \t\r\n", text.data[0]) && text.data[0])
        text.data++, text.len--;
    while (text.len && strchr(" \t\r\n", text.data[text.len - 1]) && text.data[text.len - 1])
        text.len--;
    return text;
}

uint32_t fingerprint_of_call(const hookbox_input *input) {
    uint32_t hash = add_text(start, input->tool_name);
    hookbox_text command = hookbox_string(hookbox_get(input->tool, "command"));
    /* What else a shell tool takes, such as a description, is spelled anew each time. */
    if (command.len)
        return mixed(add_text(add_text(hash, trimmed(command)), hookbox_string(hookbox_get(input->tool, "cwd"))));
    return mixed(hash + (input->tool_input ? of_value(input->tool_input) : 0));
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* The length of a time that something took, such as `0.31s` or `12 ms`, at the start of a text; 0 if there is none. */
static size_t duration(const char *at, const char *end) {
    static const char *const units[] = {"s", "ms", "us", "ns"};
    const char *from = at;
    while (at < end && (is_digit(*at) || *at == '.'))
        at++;
    if (at == from)
        return 0;
    if (at < end && *at == ' ')
        at++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t len = strlen(units[i]);
        bool fits = (size_t)(end - at) >= len && memcmp(at, units[i], len) == 0;
        if (fits && ((size_t)(end - at) == len || !is_letter(at[len])))
            return (size_t)(at - from) + len;
    }
    return 0;
}

uint32_t fingerprint_of_result(const hookbox_tool_result *result) {
    uint32_t hash = add(start, result->is_error ? "!" : ".", 1);
    const char *at = result->content.data, *end = at + result->content.len;
    bool in_word = false;
    while (at < end) {
        size_t skipped = in_word ? 0 : duration(at, end);
        in_word = is_digit(*at) || is_letter(*at) || *at == '.';
        hash = skipped ? add(hash, "\0time", 5) : add(hash, at, 1);
        at += skipped ? skipped : 1;
    }
    return mixed(hash);
}
