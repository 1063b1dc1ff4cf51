/* The calls that a session made, and how they are stored: `1f0c22aa:90ab12cd`, the call and its result, with a mark behind them,
 * and spaces between them. */
#include "detector.h"

#include <string.h>

enum { DIGITS = 8, LEN = 2 * DIGITS + 1 };
static const char hex[] = "0123456789abcdef";

static bool read_hex(const char *at, uint32_t *number) {
    *number = 0;
    for (int i = 0; i < DIGITS; i++) {
        const char *digit = at[i] ? strchr(hex, at[i]) : NULL;
        if (!digit)
            return false;
        *number = *number << 4 | (uint32_t)(digit - hex);
    }
    return true;
}

static void write_hex(char *at, uint32_t number) {
    for (int i = DIGITS; i-- > 0; number >>= 4)
        at[i] = hex[number & 15];
}

bool history_read(hookbox_text text, history *into) {
    const char *at = text.data, *end = at + text.len;
    into->count = 0;
    while (at < end) {
        made *call = &into->calls[into->count];
        if (into->count == MOST_MADE || end - at < LEN || at[DIGITS] != ':' || !read_hex(at, &call->call) ||
            !read_hex(at + DIGITS + 1, &call->result))
            return false;
        at += LEN;
        call->mark = at < end && (*at == FAILED_EDIT || *at == CHANGED) ? *at++ : 0;
        into->count++;
        if (at < end && (*at++ != ' ' || at == end))
            return false;
    }
    return true;
}

hookbox_text history_write(const history *history) {
    char *text = hookbox_alloc(history->count * (LEN + 2)), *at = text;
    for (size_t i = 0; i < history->count; i++) {
        const made *call = &history->calls[i];
        if (i)
            *at++ = ' ';
        write_hex(at, call->call);
        at[DIGITS] = ':';
        write_hex(at + DIGITS + 1, call->result);
        at += LEN;
        if (call->mark)
            *at++ = call->mark;
    }
    return (hookbox_text){text, (size_t)(at - text)};
}

void history_add(history *history, made call, size_t most) {
    /* There may be more than that if the limit was higher before. */
    size_t old = history->count < most ? 0 : history->count - most + 1;
    history->count -= old;
    memmove(history->calls, history->calls + old, history->count * sizeof *history->calls);
    history->calls[history->count++] = call;
}

int64_t history_rounds(const history *history, size_t pattern) {
    if (history->count < pattern)
        return 0;
    size_t same = 0;
    for (size_t i = history->count; i-- > pattern; same++) {
        const made *now = &history->calls[i], *before = now - pattern;
        if (now->call != before->call || now->result != before->result)
            break;
    }
    return (int64_t)(same / pattern + 1);
}

int64_t history_failures(const history *history, uint32_t call) {
    int64_t count = 0;
    for (size_t i = history->count; i-- > 0 && history->calls[i].mark != CHANGED;)
        count += history->calls[i].mark == FAILED_EDIT && history->calls[i].call == call;
    return count;
}
