//! References to the environment in the fields of a third-generation hook.

use crate::config::HostEnv;

/// Replaces `${env.NAME}`. If `all` is set, it also replaces `~`, `$NAME` and `${NAME}`, as in the name of a directory.
/// A variable that is not set is empty.
pub(super) fn expand(text: &str, host: &HostEnv<'_>, all: bool) -> String {
    let var = |name: &str| host.var(name).map(|value| value.to_string_lossy().into_owned()).unwrap_or_default();
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    if all && (rest == "~" || rest.starts_with("~/")) {
        out.push_str(&var("HOME"));
        rest = rest.strip_prefix('~').unwrap_or(rest);
    }
    let mut has_brace = true;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let inner = after.strip_prefix('{').filter(|inner| all || inner.starts_with("env."));
        let braced = inner.filter(|_| has_brace).and_then(|inner| inner.split_once('}'));
        // If there is no closing brace after this point, there is none after a later one.
        has_brace &= inner.is_none() || braced.is_some();
        let bare = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
        match (braced, after.split_at_checked(bare)) {
            (Some((name, behind)), _) => {
                out.push_str(&var(name.strip_prefix("env.").unwrap_or(name)));
                rest = behind;
            }
            (None, Some((name, behind))) if all && !name.is_empty() => {
                out.push_str(&var(name));
                rest = behind;
            }
            _ => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
