/* What hookbox_powers.c needs of the engine, or in tests of what stands in for it. A hook uses hookbox.h alone. */
#ifndef HOOKBOX_POWERS_H
#define HOOKBOX_POWERS_H

#include "hookbox.h"

/* The operations of hookbox.h, with keys that are UTF-8 and values that are given. */
void hookbox_host_log(hookbox_level level, hookbox_text context, hookbox_text message);
bool hookbox_host_open(hookbox_store *store);
bool hookbox_host_get(hookbox_store *store, hookbox_text key, hookbox_text *value);
bool hookbox_host_set(hookbox_store *store, hookbox_text key, hookbox_text value);
bool hookbox_host_delete(hookbox_store *store, hookbox_text key);
bool hookbox_host_exists(hookbox_store *store, hookbox_text key, bool *exists);
bool hookbox_host_increment(hookbox_store *store, hookbox_text key, int64_t delta, int64_t *sum);
bool hookbox_host_get_many(hookbox_store *store, const hookbox_text *keys, size_t count, hookbox_text *values);
bool hookbox_host_set_many(hookbox_store *store, const hookbox_entry *entries, size_t count);
bool hookbox_host_delete_many(hookbox_store *store, const hookbox_text *keys, size_t count);
bool hookbox_host_fetch(const hookbox_request *request, hookbox_response *response, hookbox_text *fault);

/* A page of keys. `cursor` is absent text for the first page, and after the last one. */
typedef struct {
    const hookbox_text *keys;
    size_t count;
    hookbox_text cursor;
} hookbox_page;

bool hookbox_host_keys(hookbox_store *store, hookbox_text cursor, hookbox_page *page);

/* The state of a key, for a later swap. */
typedef struct {
    uintptr_t handle;
    hookbox_text value;
} hookbox_noted;

bool hookbox_host_note(hookbox_store *store, hookbox_text key, hookbox_noted *noted);
/* Sets the value if it is as it was noted. If not, `is_done` is false, and `noted` is the state as it is now. */
bool hookbox_host_swap(hookbox_store *store, hookbox_noted *noted, hookbox_text value, bool *is_done);
void hookbox_host_forget(hookbox_noted *noted);

/* Says why an operation of a store failed. Always false. */
bool hookbox_store_failed(hookbox_store *store, hookbox_text why);

#endif
