/* Tests of the SDK, as a program of this machine: `tests strict-json.txt`. */
#include "hookbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed, checked;

#define CHECK(is)                                                                                                      \
    do {                                                                                                               \
        checked++;                                                                                                     \
        if (!(is)) {                                                                                                   \
            failed++;                                                                                                  \
            printf("tests.c:%d: %s\n", __LINE__, #is);                                                                 \
        }                                                                                                              \
    } while (0)

static hookbox_text text(const char *literal) {
    return (hookbox_text){literal, strlen(literal)};
}

static const hookbox_value *parse(const char *json) {
    hookbox_text fault;
    return hookbox_parse(text(json), &fault);
}

static void strict_json(const char *path) {
    static char line[1 << 16];
    FILE *file = fopen(path, "r");
    int count = 0;
    if (!file) {
        perror(path);
        exit(1);
    }
    while (fgets(line, sizeof line, file)) {
        char *json = strchr(line, ' ');
        if (line[0] == '#' || !json)
            continue;
        json++;
        size_t len = strcspn(json, "\n");
        if (line[0] == 'h') {
            for (size_t i = 0; i < len / 2; i++) {
                unsigned byte;
                sscanf(json + 2 * i, "%2x", &byte);
                json[i] = (char)byte;
            }
            len /= 2;
        }
        /* A copy of its own, so that a reader that goes too far is found by a sanitizer. */
        char *copy = malloc(len ? len : 1);
        memcpy(copy, json, len);
        hookbox_text fault = {0};
        bool read = hookbox_parse((hookbox_text){copy, len}, &fault) != NULL;
        if (read != (line[0] == 'a'))
            printf("%.60s: %.*s\n", line, (int)fault.len, fault.data);
        CHECK(read == (line[0] == 'a'));
        CHECK(read || fault.len > 0);
        count++;
    }
    fclose(file);
    CHECK(count > 100);
}

/* No text makes the reader read beyond it: cut off and changed texts are read too. */
static void broken_json(void) {
    static const char whole[] = "{\"a\\u00e9\":[1,-2.5e+3,\"\xc3\xa9\\ud83d\\ude00\\n\",{\"b\":null,\"c\":true}],\"d\":\"x\"}";
    size_t len = sizeof whole - 1;
    hookbox_text fault;
    for (size_t cut = 0; cut < len; cut++) {
        char *copy = malloc(cut ? cut : 1);
        memcpy(copy, whole, cut);
        CHECK(hookbox_parse((hookbox_text){copy, cut}, &fault) == NULL);
        free(copy);
    }
    for (size_t at = 0; at < len; at++)
        for (int byte = 0; byte < 256; byte++) {
            char *copy = malloc(len);
            memcpy(copy, whole, len);
            copy[at] = (char)byte;
            hookbox_parse((hookbox_text){copy, len}, &fault);
        }
}

static void texts(void) {
    hookbox_text absent = {NULL, 0}, nul = HB("a\0b");
    CHECK(nul.len == 3);
    CHECK(hookbox_contains(nul, HB("b")) && hookbox_contains(nul, HB("")) && !hookbox_contains(nul, HB("ab")));
    CHECK(!hookbox_contains(absent, HB("")) && !hookbox_contains(HB("a"), absent) && !hookbox_equals(absent, absent));
    CHECK(hookbox_contains(HB("aab"), HB("ab")) && !hookbox_contains(HB("ab"), HB("abc")));
    CHECK(hookbox_ends_with(HB("x_admin"), HB("_admin")) && !hookbox_ends_with(HB("dmin"), HB("_admin")));
    CHECK(hookbox_starts_with(HB("abc"), HB("ab")) && !hookbox_starts_with(HB("a"), HB("ab")));
    CHECK(hookbox_characters(HB("h\xc3\xa9\xf0\x9f\x98\x80")) == 3 && hookbox_characters(absent) == 0);
    CHECK(hookbox_equals(hookbox_digits(INT64_MIN), HB("-9223372036854775808")));
    CHECK(hookbox_equals(hookbox_digits(0), HB("0")));
    CHECK(hookbox_equals(hookbox_quote(HB("\"\\\n\0\x1f/\xc3\xa9")), HB("\"\\\"\\\\\\u000a\\u0000\\u001f/\xc3\xa9\"")));
    CHECK(hookbox_equals(hookbox_join(HB("a"), absent, HB(""), HB("b")), HB("ab")));
}

static void values(void) {
    int64_t n;
    const hookbox_value *v = parse("{\"n\":9223372036854775807,\"min\":-9223372036854775808,\"over\":9223372036854775808,"
                                   "\"e\":1e3,\"s\":\"\\u0041\\ud83d\\ude00\",\"l\":[1,2]}");
    CHECK(hookbox_integer(hookbox_get(v, "n"), &n) && n == INT64_MAX);
    CHECK(hookbox_integer(hookbox_get(v, "min"), &n) && n == INT64_MIN);
    CHECK(!hookbox_integer(hookbox_get(v, "over"), &n) && !hookbox_integer(hookbox_get(v, "e"), &n));
    CHECK(!hookbox_integer(hookbox_get(v, "s"), &n) && !hookbox_integer(NULL, &n));
    CHECK(hookbox_equals(hookbox_string(hookbox_get(v, "s")), HB("A\xf0\x9f\x98\x80")));
    hookbox_text found;
    CHECK(hookbox_get_text(v, "s", &found) && hookbox_equals(found, HB("A\xf0\x9f\x98\x80")));
    CHECK(hookbox_get_text(v, "none", &found) && !hookbox_is_given(found));
    CHECK(!hookbox_get_text(hookbox_get(v, "l"), "x", &found) && hookbox_get_text(NULL, "x", &found));
    CHECK(!hookbox_get_text(v, "l", &found) && !hookbox_is_given(found));
    CHECK(!hookbox_is_given(hookbox_string(hookbox_get(v, "n"))) && !hookbox_get(hookbox_get(v, "l"), "x"));
    CHECK(hookbox_first(hookbox_get(v, "l"))->next->next == NULL && !hookbox_first(NULL));
}

static void with(void) {
    static const char *cases[][4] = {
        {"{\"a\": 1.0, \"b\" :  2 }", "a", "\"x\"", "{\"a\": \"x\", \"b\" :  2 }"},
        {"{\"a\": 1.0, \"b\" :  2 }", "b", "[]", "{\"a\": 1.0, \"b\" :  [] }"},
        {"{\"a\":1e400}", "c", "3", "{\"a\":1e400,\"c\":3}"},
        {"{ }", "c\"", "3", "{ \"c\\\"\":3}"},
        {"{\"\\u0061\":1}", "a", "2", "{\"\\u0061\":2}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK(hookbox_equals(hookbox_with(parse(cases[i][0]), cases[i][1], text(cases[i][2])), text(cases[i][3])));
    CHECK(!hookbox_is_given(hookbox_with(parse("[]"), "a", HB("1"))));
}

static hookbox_action answer;
static hookbox_input seen;

hookbox_action hookbox_judge(const hookbox_input *input) {
    seen = *input;
    return answer;
}

static bool says(hookbox_action action, const char *wanted) {
    hookbox_text got;
    answer = action;
    return hookbox_run(HB("{\"event\":\"e\"}"), &got) && hookbox_equals(got, text(wanted));
}

static void answers(void) {
    hookbox_action a = {.stop = true, .stop_reason = HB("s"), .permission = HOOKBOX_PERMIT_DENY};
    CHECK(says(hookbox_allow(), "{\"decision\":\"allow\"}"));
    CHECK(says(hookbox_deny(HB("a\"b")), "{\"decision\":\"deny\",\"reason\":\"a\\\"b\"}"));
    CHECK(says(hookbox_ask(HB("?")), "{\"decision\":\"ask\",\"reason\":\"?\"}"));
    CHECK(says(hookbox_modify_tool_input(HB("{\"a\":1.0}")),
               "{\"decision\":\"modify\",\"modified_tool_input\":{\"a\":1.0}}"));
    CHECK(says(hookbox_modify_message(HB("m")), "{\"decision\":\"modify\",\"modified_message\":\"m\"}"));
    CHECK(says(hookbox_modify_tool_result(true, HB("c")),
               "{\"decision\":\"modify\",\"modified_tool_result\":{\"is_error\":true,\"content\":\"c\"}}"));
    CHECK(says(a, "{\"decision\":\"allow\",\"permission\":\"deny\",\"stop\":true,\"stop_reason\":\"s\"}"));
    hookbox_text why;
    answer = hookbox_fail(HB("no settings"));
    CHECK(!hookbox_run(HB("{\"event\":\"e\"}"), &why) && hookbox_equals(why, HB("no settings")));
    static const char *const not_json[] = {"{\"a\":\"\"},\"permission\":\"allow\",\"later\":{}", "{", "{\"a\":1,\"a\":2}"};
    for (size_t i = 0; i < sizeof not_json / sizeof *not_json; i++) {
        answer = hookbox_modify_tool_input(text(not_json[i]));
        CHECK(!hookbox_run(HB("{\"event\":\"e\"}"), &why) && hookbox_starts_with(why, HB("`modified_tool_input`")));
        answer = (hookbox_action){.updated_input = text(not_json[i])};
        CHECK(!hookbox_run(HB("{\"event\":\"e\"}"), &why));
    }
    answer = (hookbox_action){.decision = (hookbox_decision)7};
    CHECK(!hookbox_run(HB("{\"event\":\"e\"}"), &why) && why.len > 0);
}

static void inputs(void) {
    static const char *bad[] = {
        "", "[]", "{}", "{\"event\":1}", "{\"event\":\"\"}", "{\"event\":\"e\",\"pwd\":1}", "{\"event\":\"e\",\"turn\":-1}",
        "{\"event\":\"e\",\"turn\":1.0}", "{\"event\":\"e\",\"turn\":18446744073709551616}",
        "{\"event\":\"e\",\"tool_result\":\"x\"}", "{\"event\":\"e\",\"tool_result\":{\"content\":1}}",
        "{\"event\":\"e\",\"tool\":\"x\"}", "{\"event\":\"e\",\"tool_result\":{\"is_error\":null}}", "{\"event\":\"e\",\"event\":\"e\"}",
    };
    hookbox_text got;
    answer = hookbox_allow();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!hookbox_run(text(bad[i]), &got));
    CHECK(hookbox_run(HB("{\"event\":\"post_tool\",\"turn\":18446744073709551615,\"pwd\":null,\"tool_input\":null,"
                         "\"tool_result\":{\"is_error\":true,\"content\":\"c\"},\"tool\":{\"kind\":\"shell\"},\"iteration\":3}"), &got));
    CHECK(hookbox_equals(seen.event, HB("post_tool")) && seen.has_turn && seen.turn == UINT64_MAX);
    CHECK(!hookbox_is_given(seen.pwd) && hookbox_is(seen.tool_input, HOOKBOX_NULL) && seen.settings == NULL);
    CHECK(seen.tool_result->is_error && hookbox_equals(seen.tool_result->content, HB("c")));
    CHECK(hookbox_equals(hookbox_string(hookbox_get(seen.tool, "kind")), HB("shell")));
    CHECK(hookbox_is(hookbox_get(seen.all, "iteration"), HOOKBOX_NUMBER));
}

/* In powers.c. */
int powers(int *count);

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    strict_json(argv[1]);
    broken_json();
    texts();
    values();
    with();
    answers();
    inputs();
    failed += powers(&checked);
    printf("%d checks, %d failed\n", checked, failed);
    return failed != 0;
}
