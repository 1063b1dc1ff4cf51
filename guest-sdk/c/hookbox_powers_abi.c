/* How the hook calls the engine: the canonical ABI of hookbox:log, hookbox:store and hookbox:http. What a hook does not use
 * is left out when it is linked, and so is not imported. */
#include "hookbox_powers.h"

#ifdef __wasm__

#define IMPORT(module, name) __attribute__((import_module(module), import_name(name)))
#define STORE(name) IMPORT("hookbox:store/store@0.1.0", name)
#define ATOMICS(name) IMPORT("hookbox:store/atomics@0.1.0", name)
#define BATCH(name) IMPORT("hookbox:store/batch@0.1.0", name)

/* Structures have the layout of the interface's types: addresses and lengths have 32 bits, each member is aligned to its own
 * size, and the tag of a variant is one byte. A text is a string or a list<u8>, a list of entries one of tuples. */
_Static_assert(sizeof(hookbox_text) == 8 && sizeof(hookbox_entry) == 16 && sizeof(hookbox_header) == 16, "32 bits");

typedef struct {
    uint8_t kind;
    hookbox_text words;
} store_error;

/* option<list<u8>> or option<string>. */
typedef struct {
    uint8_t is_some;
    hookbox_text text;
} option;

enum { NO_SUCH_STORE, ACCESS_DENIED };

/* A result whose parts need no more alignment than an address. */
typedef struct {
    uint8_t is_err;
    union {
        store_error error;
        uint32_t bucket;
        uint8_t is;
        option value;
        struct {
            hookbox_text *keys;
            size_t count;
            option cursor;
        } page;
        struct {
            uint32_t cas;
            option value;
        } noted;
        struct {
            const struct {
                uint8_t is_some;
                hookbox_entry entry;
            } *items;
            size_t count;
        } many;
    };
} answer;

typedef struct {
    uint8_t is_err;
    union {
        int64_t sum;
        store_error error;
    };
} sum_answer;

typedef struct {
    uint8_t is_err;
    struct {
        uint8_t is_changed;
        union {
            store_error error;
            struct {
                uint32_t cas;
                option value;
            } now;
        };
    } why;
} swap_answer;

typedef struct {
    uint8_t is_err;
    union {
        hookbox_text error;
        struct {
            uint16_t status;
            hookbox_header *headers;
            size_t header_count;
            hookbox_text body;
        } response;
    };
} fetch_answer;

IMPORT("hookbox:log/logging@0.1.0", "log")
void import_log(uint32_t level, const char *context, size_t context_len, const char *message, size_t message_len);
STORE("open") void import_open(const char *name, size_t len, answer *into);
STORE("[method]bucket.get") void import_get(uint32_t bucket, const char *key, size_t len, answer *into);
STORE("[method]bucket.set")
void import_set(uint32_t bucket, const char *key, size_t len, const char *value, size_t value_len, answer *into);
STORE("[method]bucket.delete") void import_delete(uint32_t bucket, const char *key, size_t len, answer *into);
STORE("[method]bucket.exists") void import_exists(uint32_t bucket, const char *key, size_t len, answer *into);
STORE("[method]bucket.list-keys")
void import_keys(uint32_t bucket, uint32_t has_cursor, const char *cursor, size_t len, answer *into);
ATOMICS("increment")
void import_increment(uint32_t bucket, const char *key, size_t len, int64_t delta, sum_answer *into);
ATOMICS("[static]cas.new-with-read") void import_note(uint32_t bucket, const char *key, size_t len, answer *into);
ATOMICS("swap") void import_swap(uint32_t cas, const char *value, size_t len, swap_answer *into);
ATOMICS("[resource-drop]cas") void import_drop_cas(uint32_t cas);
BATCH("get-many") void import_get_many(uint32_t bucket, const hookbox_text *keys, size_t count, answer *into);
BATCH("set-many") void import_set_many(uint32_t bucket, const hookbox_entry *entries, size_t count, answer *into);
BATCH("delete-many") void import_delete_many(uint32_t bucket, const hookbox_text *keys, size_t count, answer *into);
IMPORT("hookbox:http/fetch@0.1.0", "fetch")
void import_fetch(const char *method, size_t method_len, const char *url, size_t url_len, const hookbox_header *headers,
                  size_t header_count, uint32_t has_body, const char *body, size_t body_len, fetch_answer *into);

/* What is there may be empty, and then need not have a place. */
static hookbox_text given(hookbox_text text) {
    return text.len ? text : HB("");
}

static hookbox_text optional(option option) {
    return option.is_some ? given(option.text) : (hookbox_text){NULL, 0};
}

static bool failed(hookbox_store *store, store_error error) {
    return hookbox_store_failed(store, error.kind == NO_SUCH_STORE   ? HB("there is no store of this name")
                                       : error.kind == ACCESS_DENIED ? HB("access denied")
                                                                     : error.words);
}

static bool check(hookbox_store *store, const answer *answer) {
    return !answer->is_err || failed(store, answer->error);
}

void hookbox_host_log(hookbox_level level, hookbox_text context, hookbox_text message) {
    import_log((uint32_t)level, context.data, context.len, message.data, message.len);
}

bool hookbox_host_open(hookbox_store *store) {
    answer answer;
    import_open("default", 7, &answer);
    if (!check(store, &answer))
        return false;
    store->handle = answer.bucket;
    return true;
}

bool hookbox_host_get(hookbox_store *store, hookbox_text key, hookbox_text *value) {
    answer answer;
    import_get(store->handle, key.data, key.len, &answer);
    if (!check(store, &answer))
        return false;
    *value = optional(answer.value);
    return true;
}

bool hookbox_host_set(hookbox_store *store, hookbox_text key, hookbox_text value) {
    answer answer;
    import_set(store->handle, key.data, key.len, value.data, value.len, &answer);
    return check(store, &answer);
}

bool hookbox_host_delete(hookbox_store *store, hookbox_text key) {
    answer answer;
    import_delete(store->handle, key.data, key.len, &answer);
    return check(store, &answer);
}

bool hookbox_host_exists(hookbox_store *store, hookbox_text key, bool *exists) {
    answer answer;
    import_exists(store->handle, key.data, key.len, &answer);
    if (!check(store, &answer))
        return false;
    *exists = answer.is;
    return true;
}

bool hookbox_host_keys(hookbox_store *store, hookbox_text cursor, hookbox_page *page) {
    answer answer;
    import_keys(store->handle, hookbox_is_given(cursor), cursor.data, cursor.len, &answer);
    if (!check(store, &answer))
        return false;
    for (size_t i = 0; i < answer.page.count; i++)
        answer.page.keys[i] = given(answer.page.keys[i]);
    *page = (hookbox_page){answer.page.keys, answer.page.count, optional(answer.page.cursor)};
    return true;
}

bool hookbox_host_increment(hookbox_store *store, hookbox_text key, int64_t delta, int64_t *sum) {
    sum_answer answer;
    import_increment(store->handle, key.data, key.len, delta, &answer);
    if (answer.is_err)
        return failed(store, answer.error);
    *sum = answer.sum;
    return true;
}

bool hookbox_host_note(hookbox_store *store, hookbox_text key, hookbox_noted *noted) {
    answer answer;
    import_note(store->handle, key.data, key.len, &answer);
    if (!check(store, &answer))
        return false;
    *noted = (hookbox_noted){answer.noted.cas, optional(answer.noted.value)};
    return true;
}

bool hookbox_host_swap(hookbox_store *store, hookbox_noted *noted, hookbox_text value, bool *is_done) {
    swap_answer answer;
    import_swap((uint32_t)noted->handle, value.data, value.len, &answer);
    *is_done = !answer.is_err;
    if (*is_done)
        return true;
    if (!answer.why.is_changed)
        return failed(store, answer.why.error);
    *noted = (hookbox_noted){answer.why.now.cas, optional(answer.why.now.value)};
    return true;
}

void hookbox_host_forget(hookbox_noted *noted) {
    import_drop_cas((uint32_t)noted->handle);
}

bool hookbox_host_get_many(hookbox_store *store, const hookbox_text *keys, size_t count, hookbox_text *values) {
    answer answer;
    import_get_many(store->handle, keys, count, &answer);
    if (!check(store, &answer))
        return false;
    for (size_t i = 0; i < count && i < answer.many.count; i++)
        if (answer.many.items[i].is_some)
            values[i] = given(answer.many.items[i].entry.value);
    return true;
}

bool hookbox_host_set_many(hookbox_store *store, const hookbox_entry *entries, size_t count) {
    answer answer;
    import_set_many(store->handle, entries, count, &answer);
    return check(store, &answer);
}

bool hookbox_host_delete_many(hookbox_store *store, const hookbox_text *keys, size_t count) {
    answer answer;
    import_delete_many(store->handle, keys, count, &answer);
    return check(store, &answer);
}

bool hookbox_host_fetch(const hookbox_request *request, hookbox_response *response, hookbox_text *fault) {
    fetch_answer answer;
    import_fetch(request->method.data, request->method.len, request->url.data, request->url.len, request->headers,
                 request->header_count, hookbox_is_given(request->body), request->body.data, request->body.len, &answer);
    if (answer.is_err) {
        *fault = given(answer.error);
        return false;
    }
    for (size_t i = 0; i < answer.response.header_count; i++) {
        hookbox_header *header = &answer.response.headers[i];
        *header = (hookbox_header){given(header->name), given(header->value)};
    }
    *response = (hookbox_response){
        .status = answer.response.status,
        .headers = answer.response.headers,
        .header_count = answer.response.header_count,
        .body = given(answer.response.body),
    };
    return true;
}

#endif
