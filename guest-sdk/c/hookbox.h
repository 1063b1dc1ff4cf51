/* Hooks for AI agents in C: what a hook reads, what it answers, and the one function that it writes.
 *
 *     #include "hookbox.h"
 *
 *     hookbox_action hookbox_judge(const hookbox_input *input) {
 *         hookbox_text command;
 *         if (!input->tool || !hookbox_get_text(input->tool, "command", &command))
 *             return hookbox_fail(HB("the event has no facts about a tool call"));
 *         if (hookbox_contains(command, HB("rm -rf")))
 *             return hookbox_deny(HB("`rm -rf` is not allowed here"));
 *         return hookbox_allow();
 *     }
 *
 * Memory: an instance lives for one call, so nothing is ever freed. What these functions return stays valid until the
 * call ends. If a call runs out of memory, it ends at once, and the hook fails.
 */
#ifndef HOOKBOX_H
#define HOOKBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Text in UTF-8. It has no NUL at its end, and may have one inside: JSON allows that, and a policy that stops reading
 * there can be fooled. `data` is NULL where there is no text, which is not the same as an empty text. */
typedef struct {
    const char *data;
    size_t len;
} hookbox_text;

/* The text of a literal: HB("rm -rf"). */
#ifdef __cplusplus
#define HB(literal) (hookbox_text{"" literal, sizeof(literal) - 1})
#else
#define HB(literal) ((hookbox_text){"" literal, sizeof(literal) - 1})
#endif

/* These take absent text for what it is: it equals, contains, begins and ends with nothing, not even empty text. */
bool hookbox_is_given(hookbox_text text);
bool hookbox_equals(hookbox_text text, hookbox_text other);
bool hookbox_contains(hookbox_text text, hookbox_text part);
bool hookbox_starts_with(hookbox_text text, hookbox_text part);
bool hookbox_ends_with(hookbox_text text, hookbox_text part);
/* The number of characters (Unicode scalar values). */
size_t hookbox_characters(hookbox_text text);

/* One text of several: hookbox_join(HB("no "), word, HB(" here")). */
#define hookbox_join(...)                                                                                              \
    hookbox_join_all((const hookbox_text[]){__VA_ARGS__}, sizeof((const hookbox_text[]){__VA_ARGS__}) / sizeof(hookbox_text))
hookbox_text hookbox_join_all(const hookbox_text *parts, size_t count);
/* A number in digits. */
hookbox_text hookbox_digits(int64_t number);
/* Text as a JSON string, with its quotes. */
hookbox_text hookbox_quote(hookbox_text text);

/* JSON. */
typedef enum {
    HOOKBOX_NULL,
    HOOKBOX_BOOLEAN,
    HOOKBOX_NUMBER,
    HOOKBOX_STRING,
    HOOKBOX_ARRAY,
    HOOKBOX_OBJECT,
} hookbox_kind;

/* A JSON value. Walk an array or an object with
 *     for (const hookbox_value *v = hookbox_first(list); v; v = v->next) */
typedef struct hookbox_value {
    hookbox_kind kind;
    bool boolean;                      /* the value of a boolean */
    hookbox_text json;                 /* the value as it came, byte for byte */
    hookbox_text string;               /* the characters of a string */
    hookbox_text key;                  /* of a member of an object: its name */
    const struct hookbox_value *first; /* of an array or an object: what is in it */
    const struct hookbox_value *next;  /* what comes after this one, where it stands in an array or an object */
} hookbox_value;

/* All of these take NULL for a value that is not there, and give NULL, absent text or false for a value of another
 * kind. */
const hookbox_value *hookbox_get(const hookbox_value *object, const char *key);
const hookbox_value *hookbox_first(const hookbox_value *list);
hookbox_text hookbox_string(const hookbox_value *value);
bool hookbox_is(const hookbox_value *value, hookbox_kind kind);
/* Whether it is a whole number that fits, written without fraction or exponent; if so, `number` is it. */
bool hookbox_integer(const hookbox_value *value, int64_t *number);

/* The text that an object has under this key, absent text if there is none. False if what stands there is no text, or if
 * `object` is another value: let the hook fail then, so that the tool does not run. */
bool hookbox_get_text(const hookbox_value *object, const char *key, hookbox_text *text);

/* Reads one JSON value, strictly: valid UTF-8, no key twice, no lone surrogate, no deeper than 128, nothing behind it.
 * NULL if it is none; `fault` then says why. */
const hookbox_value *hookbox_parse(hookbox_text json, hookbox_text *fault);
/* An object as JSON text, in which the member `key` has the value `json` (JSON text, as from hookbox_quote). All others
 * stay byte for byte; a member that is not there comes last. Absent text if `object` is none. */
hookbox_text hookbox_with(const hookbox_value *object, const char *key, hookbox_text json);

/* What a tool gave back. */
typedef struct {
    bool is_error;
    hookbox_text content;
} hookbox_tool_result;

/* An event with all that a hook may know of it. What the event does not have is absent. */
typedef struct {
    hookbox_text event;        /* "pre_tool", "post_tool", "pre_message", "post_message", or another */
    hookbox_text session_id;   /* the agent's session */
    hookbox_text hook_name;    /* the event's name as the agent spells it */
    hookbox_text pwd;          /* the agent's working directory */
    hookbox_text tool_name;    /* the tool that is called */
    hookbox_text message;      /* the message of the user or of the assistant */
    hookbox_text mode_name;    /* the agent's mode */
    hookbox_text tool_use_id;  /* the model's id of this tool call */
    hookbox_text now;          /* the time, as RFC 3339: a hook has no clock */
    bool has_turn;
    uint64_t turn;             /* the number of the turn */
    const hookbox_value *tool_input;        /* the tool's input: any JSON value, or NULL */
    const hookbox_tool_result *tool_result; /* what the tool gave back, or NULL */
    const hookbox_value *tool;              /* what the tool call means, the same for every agent, or NULL */
    const hookbox_value *settings;          /* this hook's settings from hooks.toml, or NULL */
    const hookbox_value *all;               /* the whole object, for the fields of other events */
} hookbox_input;

typedef enum { HOOKBOX_ALLOW, HOOKBOX_DENY, HOOKBOX_ASK, HOOKBOX_MODIFY } hookbox_decision;
typedef enum { HOOKBOX_NO_PERMISSION, HOOKBOX_PERMIT, HOOKBOX_PERMIT_ASK, HOOKBOX_PERMIT_DENY } hookbox_permission;

/* An answer. One that is all zero allows. */
typedef struct {
    hookbox_decision decision;
    hookbox_text reason;                             /* why, for the user and the model */
    hookbox_text modified_tool_input;                /* JSON text: the tool's new input (pre_tool) */
    hookbox_text modified_message;                   /* the new message (pre_message, post_message) */
    const hookbox_tool_result *modified_tool_result; /* the tool's new result (post_tool) */
    hookbox_text updated_input;                      /* JSON text: members that take the place of the tool input's */
    hookbox_text updated_messages;                   /* JSON text: what the model sees (before_llm_call) */
    hookbox_text updated_tool_response;              /* the new content of the tool's result */
    hookbox_text summary;                            /* the summary to use (before_compaction) */
    hookbox_permission permission;                   /* the answer to "may the tool run?" */
    hookbox_text permission_reason;                  /* why */
    hookbox_text system_prompt_append;               /* text for the system prompt (pre_message) */
    hookbox_text additional_context;                 /* text for the model */
    hookbox_text system_message;                     /* text for the user */
    bool stop;                                       /* the agent should stop its loop */
    hookbox_text stop_reason;                        /* why */
    hookbox_text failure;                            /* the hook itself failed, for this reason; nothing else counts */
} hookbox_action;

hookbox_action hookbox_allow(void);
hookbox_action hookbox_deny(hookbox_text reason);
hookbox_action hookbox_ask(hookbox_text reason);
hookbox_action hookbox_modify_tool_input(hookbox_text json);
hookbox_action hookbox_modify_message(hookbox_text message);
hookbox_action hookbox_modify_tool_result(bool is_error, hookbox_text content);
/* The hook could not do its work, for instance because its settings are wrong. What it guards then does not happen. */
hookbox_action hookbox_fail(hookbox_text why);

/* What you write: the answer of your hook to one event. */
hookbox_action hookbox_judge(const hookbox_input *input);

/* Runs hookbox_judge on an Input as JSON text: for tests on your machine. True if `answer` is an Action as JSON text,
 * false if it says why the hook failed. */
bool hookbox_run(hookbox_text input, hookbox_text *answer);

/* Memory for the rest of the call, filled with zeros. */
void *hookbox_alloc(size_t bytes);

/* Powers. A component imports those that the hook uses, and each but the log needs a grant in hooks.toml. Functions that
 * can fail give false then, and the fault in words: return hookbox_fail(fault), so that the tool does not run. */
#if defined(__GNUC__)
#define HOOKBOX_MUST_CHECK __attribute__((warn_unused_result))
#else
#define HOOKBOX_MUST_CHECK
#endif

/* Whether text is UTF-8. What a store or a server gives need not be. */
bool hookbox_is_utf8(hookbox_text text);

/* How much a message matters. */
typedef enum {
    HOOKBOX_LOG_TRACE,    /* values and the flow of control */
    HOOKBOX_LOG_DEBUG,    /* what helps to find a mistake in the hook */
    HOOKBOX_LOG_INFO,     /* what happens */
    HOOKBOX_LOG_WARN,     /* something that may lead to trouble */
    HOOKBOX_LOG_ERROR,    /* something that failed */
    HOOKBOX_LOG_CRITICAL, /* something after which the hook cannot go on */
} hookbox_level;

/* Logs a message for the operator, who reads it with `hookbox -v`. It needs no grant. `context` says which part of the
 * hook the message comes from, and may be empty. A call keeps 256 messages of at most 4 KiB, 64 KiB in all. */
void hookbox_log(hookbox_level level, hookbox_text context, hookbox_text message);
void hookbox_log_trace(hookbox_text message);
void hookbox_log_debug(hookbox_text message);
void hookbox_log_info(hookbox_text message);
void hookbox_log_warn(hookbox_text message);
void hookbox_log_error(hookbox_text message);
void hookbox_log_critical(hookbox_text message);

/* Values by key that outlive the call, with the grant `store`. The operator chooses who shares them (a session, a project,
 * the user, all machines), how much fits in, and how long a value lives.
 *
 *     hookbox_store store;
 *     int64_t calls;
 *     if (!hookbox_store_open(&store) || !hookbox_store_increment(&store, HB("calls"), 1, &calls))
 *         return hookbox_fail(store.fault);
 *
 * A key is UTF-8 and has at most 1 KiB; a value may be any bytes, at most 64 KiB. What cannot be read or stored is an error,
 * never an empty store. */
typedef struct {
    hookbox_text fault; /* why the last operation that failed did so */
    uint32_t handle;
} hookbox_store;

/* A key with its value. */
typedef struct {
    hookbox_text key;
    hookbox_text value;
} hookbox_entry;

/* Opens the store that the operator granted. It stays open until the call ends. */
HOOKBOX_MUST_CHECK bool hookbox_store_open(hookbox_store *store);
/* The value of a key; absent text if it has none, which is not the same as an empty value. */
HOOKBOX_MUST_CHECK bool hookbox_store_get(hookbox_store *store, hookbox_text key, hookbox_text *value);
/* The same, and the value must be UTF-8. */
HOOKBOX_MUST_CHECK bool hookbox_store_get_text(hookbox_store *store, hookbox_text key, hookbox_text *text);
HOOKBOX_MUST_CHECK bool hookbox_store_set(hookbox_store *store, hookbox_text key, hookbox_text value);
/* Deletes a key, which may be absent. */
HOOKBOX_MUST_CHECK bool hookbox_store_delete(hookbox_store *store, hookbox_text key);
HOOKBOX_MUST_CHECK bool hookbox_store_exists(hookbox_store *store, hookbox_text key, bool *exists);
/* All keys, in no particular order. */
HOOKBOX_MUST_CHECK bool hookbox_store_keys(hookbox_store *store, const hookbox_text **keys, size_t *count);
/* Adds to a number, which is 0 if the key is absent. No increment is lost, however many calls add to the same key at once.
 * It fails if the value is not a number, or if the sum does not fit. */
HOOKBOX_MUST_CHECK bool hookbox_store_increment(hookbox_store *store, hookbox_text key, int64_t delta, int64_t *sum);
/* What becomes of a value, which is absent text if the key has none. Absent text in return refuses the change. */
typedef hookbox_text hookbox_change(hookbox_text old, void *context);
/* Replaces the value of a key by what `change` makes of it; `value` is the new one. If another call was faster, `change` is
 * called again with the value that this one stored, and after 100 times it fails. It also fails if `change` refuses. */
HOOKBOX_MUST_CHECK bool hookbox_store_update(hookbox_store *store, hookbox_text key, hookbox_change *change, void *context,
                                             hookbox_text *value);
/* At most 256 keys at once. Gives a value for each key, in their order, absent text where there is none. */
HOOKBOX_MUST_CHECK bool hookbox_store_get_many(hookbox_store *store, const hookbox_text *keys, size_t count,
                                               hookbox_text *values);
/* All of these or, if it fails, none. */
HOOKBOX_MUST_CHECK bool hookbox_store_set_many(hookbox_store *store, const hookbox_entry *entries, size_t count);
HOOKBOX_MUST_CHECK bool hookbox_store_delete_many(hookbox_store *store, const hookbox_text *keys, size_t count);

/* HTTP. */
typedef struct {
    hookbox_text name; /* in lower case in a response */
    hookbox_text value;
} hookbox_header;

typedef struct {
    hookbox_text method;           /* in upper case; absent text means GET */
    hookbox_text url;              /* the whole URL, with its scheme */
    const hookbox_header *headers; /* those beside the ones that the engine adds */
    size_t header_count;
    hookbox_text body;             /* absent text for none */
} hookbox_request;

typedef struct {
    uint16_t status;               /* such as 200 */
    const hookbox_header *headers; /* in the order in which the server sent them */
    size_t header_count;
    hookbox_text body;             /* as the server sent it; hookbox_is_utf8 says whether it is text */
} hookbox_response;

/* Sends a request and waits for the whole response, whatever its status, with the grant `net`. It fails if the request is
 * not granted, or goes wrong on the way. The engine adds the secrets that the operator chose; the hook does not see them.
 * Redirects are not followed. A call sends at most 8 requests, with bodies of at most 1 MiB each way. */
HOOKBOX_MUST_CHECK bool hookbox_fetch(const hookbox_request *request, hookbox_response *response, hookbox_text *fault);
/* The value of the first header with this name, in any case; absent text if there is none. */
hookbox_text hookbox_header_value(const hookbox_response *response, hookbox_text name);

#ifndef __wasm__
/* For tests on your machine: there, messages go to stderr, a store keeps its values in memory, and this function answers
 * requests, which fail without one. */
typedef bool hookbox_answer(const hookbox_request *request, hookbox_response *response, hookbox_text *fault);
void hookbox_answer_with(hookbox_answer *answer);
void hookbox_store_clear(void);
#endif

#ifdef __cplusplus
}
#endif
#endif
