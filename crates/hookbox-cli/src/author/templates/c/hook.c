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

hookbox_action hookbox_judge(const hookbox_input *input) {
    /* Tools name their file under one of these keys. */
    static const char *const keys[] = {"file_path", "path"};
    const hookbox_value *files = hookbox_get(input->settings, "files");
    if (files && !hookbox_is(files, HOOKBOX_ARRAY))
        return hookbox_fail(HB("settings.files must be a list of strings"));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hookbox_text path;
        if (!hookbox_get_text(input->tool_input, keys[i], &path))
            return hookbox_fail(HB("the file of the tool is no text"));
        hookbox_text name = name_of(path);
        if (hookbox_is_given(path) && is_protected(name, files))
            return hookbox_deny(hookbox_join(HB("`"), name, HB("` is protected")));
    }
    return hookbox_allow();
}
