/* A policy: an agent that goes round in circles is told so, and then stopped. */
#include "detector.h"

/* Where the store has the history of the session. */
#define KEY HB("calls")

typedef struct {
    int64_t warn;                 /* after so many rounds, the agent is told */
    int64_t deny;                 /* after so many, it is stopped */
    int64_t failing_edits;        /* an edit that failed so often is stopped */
    const hookbox_value *waiting; /* a list: how commands begin that wait for something, and names of tools; NULL for the defaults */
} settings;

static hookbox_text fault(const hookbox_value *setting, hookbox_text what) {
    return hookbox_join(HB("settings."), setting->key, HB(" "), what);
}

static bool are_texts(const hookbox_value *list) {
    if (!hookbox_is(list, HOOKBOX_ARRAY))
        return false;
    for (const hookbox_value *item = hookbox_first(list); item; item = item->next)
        if (!item->string.len)
            return false;
    return true;
}

/* Reads the settings. Returns what is wrong with them, absent text if nothing is. */
static hookbox_text read_settings(const hookbox_input *input, settings *into) {
    if (input->settings && !hookbox_is(input->settings, HOOKBOX_OBJECT))
        return HB("settings must be a table");
    for (const hookbox_value *entry = hookbox_first(input->settings); entry; entry = entry->next) {
        int64_t *number = hookbox_equals(entry->key, HB("warn"))            ? &into->warn
                          : hookbox_equals(entry->key, HB("deny"))          ? &into->deny
                          : hookbox_equals(entry->key, HB("failing_edits")) ? &into->failing_edits
                                                                            : NULL;
        if (number && (!hookbox_integer(entry, number) || *number < 2 || *number > MOST_ROUNDS))
            return fault(entry, HB("must be a number from 2 to 20"));
        if (hookbox_equals(entry->key, HB("waiting"))) {
            if (!are_texts(entry))
                return fault(entry, HB("must be a list of texts that are not empty"));
            into->waiting = entry;
        } else if (!number) {
            return fault(entry, HB("is not a setting of this hook"));
        }
    }
    return into->warn > into->deny ? HB("settings.warn must not be more than settings.deny") : (hookbox_text){NULL, 0};
}

static bool begins_with(hookbox_text command, hookbox_text words) {
    return hookbox_starts_with(command, words) && (command.len == words.len || command.data[words.len] == ' ');
}

/* Whether the call waits for something: then it is right to ask again, and to get the same result. */
static bool waits(const hookbox_input *input, const settings *settings) {
    static const hookbox_text defaults[] = {
        {"sleep", 5}, {"wait", 4}, {"watch", 5}, {"gh run watch", 12}, {"gh pr checks", 12}, {"kubectl wait", 12}, {"docker wait", 11},
    };
    hookbox_text command = hookbox_string(hookbox_get(input->tool, "command"));
    if (!settings->waiting)
        for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
            if (begins_with(command, defaults[i]))
                return true;
    for (const hookbox_value *item = hookbox_first(settings->waiting); item; item = item->next)
        if (begins_with(command, item->string) || hookbox_equals(input->tool_name, item->string))
            return true;
    return false;
}

static bool changes_files(const hookbox_input *input) {
    hookbox_text kind = hookbox_string(hookbox_get(input->tool, "kind"));
    return hookbox_equals(kind, HB("edit")) || hookbox_equals(kind, HB("write")) || hookbox_equals(kind, HB("delete"));
}

static hookbox_text circle(size_t pattern, int64_t rounds) {
    hookbox_text what = pattern == 1 ? HB("the same call")
                                     : hookbox_join(HB("the same "), hookbox_digits((int64_t)pattern), HB(" calls in turn"));
    return hookbox_join(what, HB(" had the same result "), hookbox_digits(rounds), HB(" times in a row: "));
}

static hookbox_action broken(void) {
    return hookbox_fail(HB("the store has something else where the calls of the session belong"));
}

/* Before a call: would it go round once more? */
static hookbox_action judge_call(const hookbox_input *input, const settings *settings, hookbox_store *store) {
    hookbox_text stored;
    history history = {.count = 0};
    if (!hookbox_store_get_text(store, KEY, &stored))
        return hookbox_fail(store->fault);
    if (hookbox_is_given(stored) && !history_read(stored, &history))
        return broken();
    uint32_t call = fingerprint_of_call(input);
    if (changes_files(input) && history_failures(&history, call) >= settings->failing_edits)
        return hookbox_deny(hookbox_join(HB("this edit failed "), hookbox_digits(settings->failing_edits),
                                         HB(" times: read the file, and edit what is there")));
    for (size_t pattern = 1; pattern <= LONGEST_PATTERN && pattern <= history.count; pattern++) {
        int64_t rounds = history_rounds(&history, pattern);
        if (rounds >= settings->deny && history.calls[history.count - pattern].call == call)
            return hookbox_deny(hookbox_join(circle(pattern, rounds), HB("do something else, or ask the user")));
    }
    return hookbox_allow();
}

/* A call to be added to the history, and then the history with it. */
typedef struct {
    made call;
    size_t most;
    bool is_wait;
    bool is_broken;
    history history;
} addition;

static hookbox_text added(hookbox_text old, void *context) {
    addition *addition = context;
    addition->history.count = 0;
    addition->is_broken = hookbox_is_given(old) && !history_read(old, &addition->history);
    if (addition->is_broken)
        return (hookbox_text){NULL, 0};
    if (addition->is_wait) {
        addition->history.count = 0;
        return HB("");
    }
    history_add(&addition->history, addition->call, addition->most);
    return history_write(&addition->history);
}

/* After a call: it goes into the history, and the agent is told if it goes round in circles. */
static hookbox_action note_call(const hookbox_input *input, const settings *settings, hookbox_store *store) {
    hookbox_text stored;
    char mark = !changes_files(input) ? 0 : input->tool_result->is_error ? FAILED_EDIT : CHANGED;
    addition addition = {
        .call = {fingerprint_of_call(input), fingerprint_of_result(input->tool_result), mark},
        .most = (size_t)settings->deny * LONGEST_PATTERN,
        .is_wait = waits(input, settings),
    };
    if (!hookbox_store_update(store, KEY, added, &addition, &stored))
        return addition.is_broken ? broken() : hookbox_fail(store->fault);
    hookbox_action action = hookbox_allow();
    for (size_t pattern = 1; pattern <= LONGEST_PATTERN; pattern++) {
        int64_t rounds = history_rounds(&addition.history, pattern);
        /* Several calls in turn may be work: one round more. */
        if (rounds >= settings->warn + (pattern > 1)) {
            action.additional_context = hookbox_join(circle(pattern, rounds), HB("try something else"));
            break;
        }
    }
    return action;
}

hookbox_action hookbox_judge(const hookbox_input *input) {
    settings settings = {.warn = 3, .deny = 5, .failing_edits = 3};
    hookbox_text wrong = read_settings(input, &settings);
    if (hookbox_is_given(wrong))
        return hookbox_fail(wrong);
    bool before = hookbox_equals(input->event, HB("pre_tool")), after = hookbox_equals(input->event, HB("post_tool"));
    /* Without a result, nothing is the same. */
    if ((!before && !after) || (after && !input->tool_result))
        return hookbox_allow();
    if (!input->tool)
        return hookbox_fail(HB("the event has no facts about a tool call"));
    if (before && waits(input, &settings))
        return hookbox_allow();
    hookbox_store store;
    if (!hookbox_store_open(&store))
        return hookbox_fail(store.fault);
    return before ? judge_call(input, &settings, &store) : note_call(input, &settings, &store);
}
