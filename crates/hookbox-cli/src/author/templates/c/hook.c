/* Files that no tool may write. */
#include "hookbox.h"

/* The part of a path behind its last slash. */
static hookbox_text name_of(hookbox_text path) {
    size_t at = path.len;
    while (at > 0 && path.data[at - 1] != '/')
        at--;
    return (hookbox_text){path.data + at, path.len - at};
}

static bool is_protected(hookbox_text name, const hookbox_value *files) {
    if (!files)
        return hookbox_equals(name, HB(".env")) || hookbox_equals(name, HB("id_rsa"));
    for (const hookbox_value *file = hookbox_first(files); file; file = file->next)
        if (hookbox_equals(name, file->string))
            return true;
    return false;
}

static bool changes(hookbox_text access) {
    return !hookbox_equals(access, HB("read")) && !hookbox_equals(access, HB("list"));
}

static bool writes(hookbox_text kind) {
    return hookbox_equals(kind, HB("write")) || hookbox_equals(kind, HB("edit")) || hookbox_equals(kind, HB("delete")) ||
           hookbox_equals(kind, HB("shell"));
}

hookbox_action hookbox_judge(const hookbox_input *input) {
    const hookbox_value *files = hookbox_get(input->settings, "files");
    if (files && !hookbox_is(files, HOOKBOX_ARRAY))
        return hookbox_fail(HB("settings.files must be a list of strings"));
    /* What the call means, whichever agent makes it. When the hook fails, the tool does not run. */
    const hookbox_value *paths = hookbox_get(input->tool, "paths");
    if (!hookbox_is(paths, HOOKBOX_ARRAY))
        return hookbox_fail(HB("the event has no facts about a tool call"));
    for (const hookbox_value *path = hookbox_first(paths); path; path = path->next) {
        /* A link may lead to another file. */
        static const char *const keys[] = {"path", "real"};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            hookbox_text name = name_of(hookbox_string(hookbox_get(path, keys[i])));
            if (!changes(hookbox_string(hookbox_get(path, "access"))) || !is_protected(name, files))
                continue;
            hookbox_text reason = hookbox_join(HB("`"), name, HB("` is protected"));
            /* A text that may be a path, in a call of a tool that hookbox does not know, is a question. */
            const hookbox_value *certain = hookbox_get(path, "certain");
            bool may_be = hookbox_is(certain, HOOKBOX_BOOLEAN) && !certain->boolean;
            return may_be ? hookbox_ask(reason) : hookbox_deny(reason);
        }
    }
    /* Without `facts = ["commands"]` in hooks.toml, the facts do not say which files a shell command changes. */
    const hookbox_value *complete = hookbox_get(input->tool, "complete");
    hookbox_text kind = hookbox_string(hookbox_get(input->tool, "kind"));
    bool is_read = hookbox_is(complete, HOOKBOX_BOOLEAN) && complete->boolean &&
                   (!hookbox_equals(kind, HB("shell")) || hookbox_get(input->tool, "commands"));
    if (writes(kind) && !is_read)
        return hookbox_ask(HB("which files may this change?"));
    return hookbox_allow();
}
