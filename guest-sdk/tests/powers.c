/* Tests of the powers, with what stands in for the engine. */
#include "hookbox.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failed, checked;

#define CHECK(is)                                                                                                      \
    do {                                                                                                               \
        checked++;                                                                                                     \
        if (!(is)) {                                                                                                   \
            failed++;                                                                                                  \
            printf("powers.c:%d: %s\n", __LINE__, #is);                                                                \
        }                                                                                                              \
    } while (0)

static const hookbox_text absent = {NULL, 0};
static hookbox_store store;
static hookbox_text value;

static bool has(hookbox_text key, hookbox_text wanted) {
    return hookbox_store_get(&store, key, &value) &&
           (hookbox_is_given(wanted) ? hookbox_equals(value, wanted) : !hookbox_is_given(value));
}

static bool is_fault(hookbox_text words) {
    return hookbox_equals(store.fault, hookbox_join(HB("the store: "), words));
}

static void clear(void) {
    hookbox_store_clear();
    CHECK(hookbox_store_open(&store) && !hookbox_is_given(store.fault));
}

static void values(void) {
    bool is;
    clear();
    CHECK(has(HB("a"), absent));
    char given[] = "old";
    CHECK(hookbox_store_set(&store, HB("a"), (hookbox_text){given, 3}));
    given[0] = 'x';
    CHECK(has(HB("a"), HB("old")));
    CHECK(hookbox_store_set(&store, HB("empty"), HB("")) && has(HB("empty"), HB("")));
    CHECK(hookbox_store_set(&store, HB("bytes"), HB("\0\xff")) && has(HB("bytes"), HB("\0\xff")));
    CHECK(hookbox_store_get_text(&store, HB("a"), &value) && hookbox_equals(value, HB("old")));
    CHECK(hookbox_store_get_text(&store, HB("none"), &value) && !hookbox_is_given(value));
    CHECK(!hookbox_store_get_text(&store, HB("bytes"), &value) && !hookbox_is_given(value));
    CHECK(is_fault(HB("the value of \"bytes\" is not text")));
    CHECK(hookbox_store_exists(&store, HB("empty"), &is) && is);
    CHECK(hookbox_store_delete(&store, HB("a")) && hookbox_store_delete(&store, HB("none")));
    CHECK(hookbox_store_exists(&store, HB("a"), &is) && !is && has(HB("a"), absent));

    const hookbox_text *keys;
    size_t count;
    CHECK(hookbox_store_keys(&store, &keys, &count) && count == 2);
    CHECK(hookbox_equals(keys[0], HB("bytes")) != hookbox_equals(keys[1], HB("bytes")));
    CHECK(hookbox_equals(keys[0], HB("empty")) != hookbox_equals(keys[1], HB("empty")));
    clear();
    CHECK(hookbox_store_keys(&store, &keys, &count) && count == 0);
}

static void increments(void) {
    int64_t sum;
    clear();
    CHECK(hookbox_store_increment(&store, HB("n"), 3, &sum) && sum == 3);
    CHECK(hookbox_store_increment(&store, HB("n"), -5, &sum) && sum == -2);
    CHECK(has(HB("n"), HB("-2")));
    const struct {
        hookbox_text value;
        int64_t delta;
    } bad[] = {
        {HB("9223372036854775807"), 1}, {HB("-9223372036854775808"), -1}, {HB("9223372036854775808"), 0},
        {HB("-9223372036854775809"), 0}, {HB("many"), 1}, {HB(""), 1}, {HB("-"), 1}, {HB("1.0"), 1}, {HB("1 "), 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(hookbox_store_set(&store, HB("n"), bad[i].value));
        CHECK(!hookbox_store_increment(&store, HB("n"), bad[i].delta, &sum) && sum == 0 && has(HB("n"), bad[i].value));
    }
    CHECK(hookbox_store_set(&store, HB("n"), HB("-9223372036854775808")));
    CHECK(hookbox_store_increment(&store, HB("n"), INT64_MAX, &sum) && sum == -1);
}

static int calls;

/* Another call is faster twice: the first time the key is absent, then it has a value. */
static hookbox_text beaten_twice(hookbox_text old, void *context) {
    calls++;
    CHECK(context == &calls && hookbox_is_given(old) == (calls > 1));
    if (calls < 3)
        CHECK(hookbox_store_set(&store, HB("a"), hookbox_join(HB("other "), hookbox_digits(calls))));
    return hookbox_join(HB("after "), old);
}

static hookbox_text always_beaten(hookbox_text old, void *context) {
    (void)old, (void)context;
    CHECK(hookbox_store_set(&store, HB("a"), hookbox_digits(++calls)));
    return HB("mine");
}

static hookbox_text deleted(hookbox_text old, void *context) {
    (void)context;
    if (!hookbox_is_given(old))
        return HB("found");
    CHECK(hookbox_store_delete(&store, HB("a")));
    return HB("lost");
}

static hookbox_text refused(hookbox_text old, void *context) {
    (void)old, (void)context;
    return absent;
}

static void updates(void) {
    clear();
    calls = 0;
    CHECK(hookbox_store_update(&store, HB("a"), beaten_twice, &calls, &value) && calls == 3);
    CHECK(hookbox_equals(value, HB("after other 2")) && has(HB("a"), HB("after other 2")));
    CHECK(hookbox_store_update(&store, HB("a"), deleted, NULL, &value) && has(HB("a"), HB("found")));
    CHECK(!hookbox_store_update(&store, HB("a"), refused, NULL, &value) && !hookbox_is_given(value));
    CHECK(is_fault(HB("the change of \"a\" was refused")) && has(HB("a"), HB("found")));
    calls = 0;
    CHECK(!hookbox_store_update(&store, HB("a"), always_beaten, NULL, &value) && !hookbox_is_given(value) && calls == 100);
    CHECK(is_fault(HB("\"a\" was changed by other calls 100 times in a row")) && has(HB("a"), HB("100")));
}

static void batches(void) {
    clear();
    const hookbox_entry entries[] = {{HB("a"), HB("1")}, {HB("b"), HB("")}, {HB("c"), HB("3")}};
    const hookbox_text gone[] = {HB("c"), HB("none")}, wanted[] = {HB("b"), HB("c"), HB("a")};
    hookbox_text got[3];
    CHECK(hookbox_store_set_many(&store, entries, 3) && hookbox_store_delete_many(&store, gone, 2));
    CHECK(hookbox_store_get_many(&store, wanted, 3, got));
    CHECK(hookbox_equals(got[0], HB("")) && !hookbox_is_given(got[1]) && hookbox_equals(got[2], HB("1")));
}

/* Nothing is stored for keys that are none, nor a value that is not there. */
static void mistakes(void) {
    clear();
    const hookbox_text bad[] = {HB("a\xff"), absent};
    const hookbox_text words[] = {HB("a key is not UTF-8"), HB("a key is not given")};
    for (size_t i = 0; i < 2; i++) {
        bool is;
        int64_t sum;
        hookbox_text key = bad[i], keys[] = {HB("a"), key}, got[2];
        hookbox_entry entries[] = {{HB("a"), HB("1")}, {key, HB("2")}};
        const bool all[] = {
            hookbox_store_get(&store, key, &value),
            hookbox_store_get_text(&store, key, &value),
            hookbox_store_set(&store, key, HB("1")),
            hookbox_store_delete(&store, key),
            hookbox_store_exists(&store, key, &is),
            hookbox_store_increment(&store, key, 1, &sum),
            hookbox_store_update(&store, key, deleted, NULL, &value),
            hookbox_store_get_many(&store, keys, 2, got),
            hookbox_store_set_many(&store, entries, 2),
            hookbox_store_delete_many(&store, keys, 2),
        };
        for (size_t at = 0; at < sizeof all / sizeof *all; at++)
            CHECK(!all[at]);
        CHECK(is_fault(words[i]));
    }
    hookbox_entry entries[] = {{HB("a"), HB("1")}, {HB("b"), absent}};
    CHECK(!hookbox_store_set(&store, HB("b"), absent) && is_fault(HB("there is no value for \"b\"")));
    CHECK(!hookbox_store_set_many(&store, entries, 2) && has(HB("a"), absent));
}

static bool echo(const hookbox_request *request, hookbox_response *response, hookbox_text *fault) {
    static hookbox_header headers[3] = {{HB("x-a"), HB("1")}, {HB("x-a"), HB("2")}};
    if (hookbox_equals(request->method, HB("GET"))) {
        *fault = HB("not granted");
        return false;
    }
    headers[2] = (hookbox_header){HB("url"), request->url};
    *response = (hookbox_response){403, headers, 3, request->body};
    return true;
}

static void requests(void) {
    hookbox_request request = {.url = HB("https://example.com/")};
    hookbox_response response;
    hookbox_text fault;
    hookbox_answer_with(NULL);
    CHECK(!hookbox_fetch(&request, &response, &fault) && hookbox_contains(fault, HB("hookbox_answer_with")));
    hookbox_answer_with(echo);
    CHECK(!hookbox_fetch(&request, &response, &fault) && hookbox_equals(fault, HB("not granted")) && response.status == 0);
    request.method = HB("POST");
    request.body = HB("\xc3\xa9");
    CHECK(hookbox_fetch(&request, &response, &fault) && response.status == 403);
    CHECK(hookbox_equals(response.body, HB("\xc3\xa9")) && hookbox_is_utf8(response.body));
    CHECK(hookbox_equals(hookbox_header_value(&response, HB("X-A")), HB("1")));
    CHECK(hookbox_equals(hookbox_header_value(&response, HB("URL")), HB("https://example.com/")));
    CHECK(!hookbox_is_given(hookbox_header_value(&response, HB("x-"))));
    CHECK(!hookbox_is_given(hookbox_header_value(&response, HB("x-ab"))));
    const hookbox_header bad[] = {{HB("\xff"), HB("")}, {HB("a"), HB("\xff")}, {HB("a"), absent}};
    for (size_t i = 0; i < 3; i++) {
        request.headers = &bad[i];
        request.header_count = 1;
        CHECK(!hookbox_fetch(&request, &response, &fault) && hookbox_ends_with(fault, HB("not UTF-8")));
    }
    request = (hookbox_request){.method = HB("POST")};
    CHECK(!hookbox_fetch(&request, &response, &fault) && hookbox_ends_with(fault, HB("not UTF-8")));
    hookbox_answer_with(NULL);
}

static void utf8(void) {
    CHECK(hookbox_is_utf8(HB("")) && hookbox_is_utf8(HB("a\0\xf0\x9f\x98\x80")) && !hookbox_is_utf8(absent));
    const hookbox_text bad[] = {
        HB("\xff"), HB("\xc3"), HB("a\x80"), HB("\xc0\x80"), HB("\xed\xa0\x80"), HB("\xf4\x90\x80\x80"), HB("\xe2\x82"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!hookbox_is_utf8(bad[i]));
}

static void messages(void) {
    static const char wanted[] = "trace: t\ndebug: d\ninfo: i\nwarn: w\nerror: e\ncritical: c\ninfo: reader: a?\ncritical: x\n";
    char got[sizeof wanted + 64] = {0};
    int ends[2], stderr_was = dup(2);
    CHECK(pipe(ends) == 0 && dup2(ends[1], 2) == 2);
    hookbox_log_trace(HB("t"));
    hookbox_log_debug(HB("d"));
    hookbox_log_info(HB("i"));
    hookbox_log_warn(HB("w"));
    hookbox_log_error(HB("e"));
    hookbox_log_critical(HB("c"));
    hookbox_log(HOOKBOX_LOG_INFO, HB("reader"), HB("a\xff"));
    hookbox_log((hookbox_level)6, absent, HB("x"));
    fflush(stderr);
    dup2(stderr_was, 2);
    CHECK(read(ends[0], got, sizeof got - 1) == (ssize_t)sizeof wanted - 1 && strcmp(got, wanted) == 0);
}

/* Runs all tests. Gives the number that failed, and adds to the number of checks. */
int powers(int *count) {
    values();
    increments();
    updates();
    batches();
    mistakes();
    requests();
    utf8();
    messages();
    *count += checked;
    return failed;
}
