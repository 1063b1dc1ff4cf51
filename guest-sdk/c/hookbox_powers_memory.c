/* What stands in for the engine in tests on your machine: values in memory, a function in place of the network, and stderr
 * for messages. */
#include "hookbox_powers.h"

#ifndef __wasm__

#include <stdio.h>
#include <string.h>

/* A value of the store. One that is deleted is absent text. */
typedef struct item {
    hookbox_text key, value;
    struct item *next;
} item;

static item *items;
static hookbox_answer *answerer;

void hookbox_host_log(hookbox_level level, hookbox_text context, hookbox_text message) {
    static const char *const levels[] = {"trace", "debug", "info", "warn", "error", "critical"};
    fprintf(stderr, "%s: %.*s%s%.*s\n", levels[level], (int)context.len, context.data, context.len ? ": " : "",
            (int)message.len, message.data);
}

void hookbox_store_clear(void) {
    items = NULL;
}

void hookbox_answer_with(hookbox_answer *answer) {
    answerer = answer;
}

bool hookbox_host_fetch(const hookbox_request *request, hookbox_response *response, hookbox_text *fault) {
    if (answerer)
        return answerer(request, response, fault);
    *fault = HB("there is no network in a test: give the answers with hookbox_answer_with");
    return false;
}

static item *find(hookbox_text key) {
    item *found = items;
    while (found && !hookbox_equals(found->key, key))
        found = found->next;
    return found;
}

static hookbox_text value_of(hookbox_text key) {
    const item *found = find(key);
    return found ? found->value : (hookbox_text){NULL, 0};
}

/* Keeps a copy: what the caller gave may change. */
static void put(hookbox_text key, hookbox_text value) {
    item *into = find(key);
    if (!into) {
        into = hookbox_alloc(sizeof *into);
        *into = (item){hookbox_join(key), {NULL, 0}, items};
        items = into;
    }
    into->value = hookbox_join(value);
}

bool hookbox_host_open(hookbox_store *store) {
    store->handle = 1;
    return true;
}

bool hookbox_host_get(hookbox_store *store, hookbox_text key, hookbox_text *value) {
    (void)store;
    *value = value_of(key);
    return true;
}

bool hookbox_host_set(hookbox_store *store, hookbox_text key, hookbox_text value) {
    (void)store;
    put(key, value);
    return true;
}

bool hookbox_host_delete(hookbox_store *store, hookbox_text key) {
    (void)store;
    item *found = find(key);
    if (found)
        found->value = (hookbox_text){NULL, 0};
    return true;
}

bool hookbox_host_exists(hookbox_store *store, hookbox_text key, bool *exists) {
    (void)store;
    *exists = hookbox_is_given(value_of(key));
    return true;
}

bool hookbox_host_keys(hookbox_store *store, hookbox_text cursor, hookbox_page *page) {
    (void)store;
    (void)cursor;
    size_t count = 0;
    for (const item *known = items; known; known = known->next)
        count += hookbox_is_given(known->value);
    hookbox_text *keys = hookbox_alloc(count * sizeof *keys);
    *page = (hookbox_page){keys, count, {NULL, 0}};
    for (const item *known = items; known; known = known->next)
        if (hookbox_is_given(known->value))
            *keys++ = known->key;
    return true;
}

/* A number is kept as the engine keeps it: as decimal text. */
static bool read_number(hookbox_text text, int64_t *number) {
    bool is_negative = text.len && text.data[0] == '-';
    size_t i = is_negative;
    int64_t read = 0;
    for (; i < text.len; i++) {
        int digit = text.data[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(read, 10, &read) ||
            __builtin_add_overflow(read, is_negative ? -digit : digit, &read))
            return false;
    }
    *number = read;
    return i > (size_t)is_negative;
}

bool hookbox_host_increment(hookbox_store *store, hookbox_text key, int64_t delta, int64_t *sum) {
    hookbox_text old = value_of(key);
    int64_t number = 0;
    if (hookbox_is_given(old) && !read_number(old, &number))
        return hookbox_store_failed(store, HB("the value is not a decimal number of 64 bits, so it cannot be incremented"));
    if (__builtin_add_overflow(number, delta, sum)) {
        *sum = 0;
        return hookbox_store_failed(store, HB("the sum does not fit in 64 bits"));
    }
    put(key, hookbox_digits(*sum));
    return true;
}

/* What a noted state stands for. */
typedef struct {
    hookbox_text key;
    hookbox_text value;
} state;

bool hookbox_host_note(hookbox_store *store, hookbox_text key, hookbox_noted *noted) {
    (void)store;
    state *now = hookbox_alloc(sizeof *now);
    *now = (state){key, value_of(key)};
    *noted = (hookbox_noted){(uintptr_t)now, now->value};
    return true;
}

bool hookbox_host_swap(hookbox_store *store, hookbox_noted *noted, hookbox_text value, bool *is_done) {
    const state *known = (const state *)noted->handle;
    hookbox_text now = value_of(known->key);
    *is_done = hookbox_is_given(now) ? hookbox_equals(now, known->value) : !hookbox_is_given(known->value);
    if (!*is_done)
        return hookbox_host_note(store, known->key, noted);
    put(known->key, value);
    return true;
}

void hookbox_host_forget(hookbox_noted *noted) {
    noted->handle = 0;
}

bool hookbox_host_get_many(hookbox_store *store, const hookbox_text *keys, size_t count, hookbox_text *values) {
    (void)store;
    for (size_t i = 0; i < count; i++)
        values[i] = value_of(keys[i]);
    return true;
}

bool hookbox_host_set_many(hookbox_store *store, const hookbox_entry *entries, size_t count) {
    (void)store;
    for (size_t i = 0; i < count; i++)
        put(entries[i].key, entries[i].value);
    return true;
}

bool hookbox_host_delete_many(hookbox_store *store, const hookbox_text *keys, size_t count) {
    bool is_done = true;
    for (size_t i = 0; i < count; i++)
        is_done = hookbox_host_delete(store, keys[i]) && is_done;
    return is_done;
}

#endif
