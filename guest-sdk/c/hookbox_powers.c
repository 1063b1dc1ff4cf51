/* Powers: what hooks call. It checks what the engine would end the call for without saying why. */
#include "hookbox_powers.h"

#include <string.h>

/* How often an update starts again before it fails. */
enum { MOST_TRIES = 100 };

static const hookbox_text absent = {NULL, 0};

/* Text for the log, of which a part may be cut off in the middle of a character. */
static hookbox_text printable(hookbox_text text) {
    if (!text.data || hookbox_is_utf8(text))
        return text.data ? text : HB("");
    char *copy = hookbox_alloc(text.len);
    for (size_t i = 0; i < text.len; i++)
        copy[i] = (unsigned char)text.data[i] < 0x80 ? text.data[i] : '?';
    return (hookbox_text){copy, text.len};
}

void hookbox_log(hookbox_level level, hookbox_text context, hookbox_text message) {
    hookbox_level known = (unsigned)level > HOOKBOX_LOG_CRITICAL ? HOOKBOX_LOG_CRITICAL : level;
    hookbox_host_log(known, printable(context), printable(message));
}

void hookbox_log_trace(hookbox_text message) {
    hookbox_log(HOOKBOX_LOG_TRACE, absent, message);
}

void hookbox_log_debug(hookbox_text message) {
    hookbox_log(HOOKBOX_LOG_DEBUG, absent, message);
}

void hookbox_log_info(hookbox_text message) {
    hookbox_log(HOOKBOX_LOG_INFO, absent, message);
}

void hookbox_log_warn(hookbox_text message) {
    hookbox_log(HOOKBOX_LOG_WARN, absent, message);
}

void hookbox_log_error(hookbox_text message) {
    hookbox_log(HOOKBOX_LOG_ERROR, absent, message);
}

void hookbox_log_critical(hookbox_text message) {
    hookbox_log(HOOKBOX_LOG_CRITICAL, absent, message);
}

bool hookbox_store_failed(hookbox_store *store, hookbox_text why) {
    store->fault = hookbox_join(HB("the store: "), why);
    return false;
}

static bool is_key(hookbox_store *store, hookbox_text key) {
    if (!hookbox_is_given(key))
        return hookbox_store_failed(store, HB("a key is not given"));
    return hookbox_is_utf8(key) || hookbox_store_failed(store, HB("a key is not UTF-8"));
}

static bool are_keys(hookbox_store *store, const hookbox_text *keys, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!is_key(store, keys[i]))
            return false;
    return true;
}

static bool is_entry(hookbox_store *store, hookbox_text key, hookbox_text value) {
    if (!is_key(store, key))
        return false;
    return hookbox_is_given(value) ||
           hookbox_store_failed(store, hookbox_join(HB("there is no value for "), hookbox_quote(key)));
}

bool hookbox_store_open(hookbox_store *store) {
    *store = (hookbox_store){absent, 0};
    return hookbox_host_open(store);
}

bool hookbox_store_get(hookbox_store *store, hookbox_text key, hookbox_text *value) {
    *value = absent;
    return is_key(store, key) && hookbox_host_get(store, key, value);
}

bool hookbox_store_get_text(hookbox_store *store, hookbox_text key, hookbox_text *text) {
    if (!hookbox_store_get(store, key, text))
        return false;
    if (!text->data || hookbox_is_utf8(*text))
        return true;
    *text = absent;
    return hookbox_store_failed(store, hookbox_join(HB("the value of "), hookbox_quote(key), HB(" is not text")));
}

bool hookbox_store_set(hookbox_store *store, hookbox_text key, hookbox_text value) {
    return is_entry(store, key, value) && hookbox_host_set(store, key, value);
}

bool hookbox_store_delete(hookbox_store *store, hookbox_text key) {
    return is_key(store, key) && hookbox_host_delete(store, key);
}

bool hookbox_store_exists(hookbox_store *store, hookbox_text key, bool *exists) {
    *exists = false;
    return is_key(store, key) && hookbox_host_exists(store, key, exists);
}

bool hookbox_store_keys(hookbox_store *store, const hookbox_text **keys, size_t *count) {
    *keys = NULL;
    *count = 0;
    hookbox_page page;
    if (!hookbox_host_keys(store, absent, &page))
        return false;
    hookbox_text *all = NULL;
    size_t room = 0, known = 0;
    for (;;) {
        if (known + page.count > room) {
            room = 2 * (known + page.count);
            hookbox_text *more = hookbox_alloc(room * sizeof *more);
            if (known)
                memcpy(more, all, known * sizeof *more);
            all = more;
        }
        if (page.count)
            memcpy(all + known, page.keys, page.count * sizeof *all);
        known += page.count;
        if (!hookbox_is_given(page.cursor))
            break;
        if (!hookbox_host_keys(store, page.cursor, &page))
            return false;
    }
    *keys = all;
    *count = known;
    return true;
}

bool hookbox_store_increment(hookbox_store *store, hookbox_text key, int64_t delta, int64_t *sum) {
    *sum = 0;
    return is_key(store, key) && hookbox_host_increment(store, key, delta, sum);
}

bool hookbox_store_update(hookbox_store *store, hookbox_text key, hookbox_change *change, void *context,
                          hookbox_text *value) {
    *value = absent;
    hookbox_noted noted;
    if (!is_key(store, key) || !hookbox_host_note(store, key, &noted))
        return false;
    for (int i = 0; i < MOST_TRIES; i++) {
        hookbox_text changed = change(noted.value, context);
        if (!hookbox_is_given(changed)) {
            hookbox_host_forget(&noted);
            return hookbox_store_failed(store, hookbox_join(HB("the change of "), hookbox_quote(key), HB(" was refused")));
        }
        bool is_done = false;
        if (!hookbox_host_swap(store, &noted, changed, &is_done))
            return false;
        if (is_done) {
            *value = changed;
            return true;
        }
    }
    hookbox_host_forget(&noted);
    return hookbox_store_failed(store, hookbox_join(hookbox_quote(key), HB(" was changed by other calls "),
                                                    hookbox_digits(MOST_TRIES), HB(" times in a row")));
}

bool hookbox_store_get_many(hookbox_store *store, const hookbox_text *keys, size_t count, hookbox_text *values) {
    for (size_t i = 0; i < count; i++)
        values[i] = absent;
    return are_keys(store, keys, count) && hookbox_host_get_many(store, keys, count, values);
}

bool hookbox_store_set_many(hookbox_store *store, const hookbox_entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!is_entry(store, entries[i].key, entries[i].value))
            return false;
    return hookbox_host_set_many(store, entries, count);
}

bool hookbox_store_delete_many(hookbox_store *store, const hookbox_text *keys, size_t count) {
    return are_keys(store, keys, count) && hookbox_host_delete_many(store, keys, count);
}

bool hookbox_fetch(const hookbox_request *request, hookbox_response *response, hookbox_text *fault) {
    *response = (hookbox_response){.body = absent};
    *fault = absent;
    hookbox_request whole = *request;
    if (!hookbox_is_given(whole.method))
        whole.method = HB("GET");
    bool is_text = hookbox_is_utf8(whole.method) && hookbox_is_utf8(whole.url);
    for (size_t i = 0; i < whole.header_count; i++)
        is_text = is_text && hookbox_is_utf8(whole.headers[i].name) && hookbox_is_utf8(whole.headers[i].value);
    if (!is_text) {
        *fault = HB("the request has a method, a URL or a header that is not given or not UTF-8");
        return false;
    }
    return hookbox_host_fetch(&whole, response, fault);
}

/* Names of headers are ASCII. */
static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

hookbox_text hookbox_header_value(const hookbox_response *response, hookbox_text name) {
    for (size_t i = 0; i < response->header_count; i++) {
        hookbox_text known = response->headers[i].name;
        size_t same = 0;
        while (same < known.len && same < name.len && lower(known.data[same]) == lower(name.data[same]))
            same++;
        if (same == known.len && same == name.len)
            return response->headers[i].value;
    }
    return absent;
}
