/* The parts of the hook. */
#ifndef DETECTOR_H
#define DETECTOR_H

#include "hookbox.h"

/* A call that was made, and what came of it. */
typedef struct {
    uint32_t call;
    uint32_t result;
    char mark; /* one of these, or 0 */
} made;

enum { FAILED_EDIT = 'e', CHANGED = 'w' };

/* The last calls of the session, in their order. */
enum { LONGEST_PATTERN = 3, MOST_ROUNDS = 20, MOST_MADE = LONGEST_PATTERN * MOST_ROUNDS };
typedef struct {
    made calls[MOST_MADE];
    size_t count;
} history;

/* As the store has it. False if the text is something else. */
bool history_read(hookbox_text text, history *into);
hookbox_text history_write(const history *history);
/* Adds a call, and drops the oldest ones beyond this number. */
void history_add(history *history, made call, size_t most);
/* How often the last calls, as many as the pattern has, were made in the same order with the same results. */
int64_t history_rounds(const history *history, size_t pattern);
/* How often this edit failed since a file was changed last. */
int64_t history_failures(const history *history, uint32_t call);

/* The same for calls that do the same, and for results that say the same. */
uint32_t fingerprint_of_call(const hookbox_input *input);
uint32_t fingerprint_of_result(const hookbox_tool_result *result);

#endif
