//! Which files may hold secrets.

use hookbox_sdk::{Access, Tool, ToolPath};

/// Returns the first secret that the tool call reads, as the call spells it.
pub(crate) fn read_by<'a>(tool: &'a Tool, secrets: &[String]) -> Option<&'a str> {
    let is_read = |path: &&ToolPath| path.access == Access::Read && is_secret(path, secrets);
    tool.paths.iter().find(is_read).map(|path| path.as_written.as_str())
}

/// Whether a path names a secret. A link does not hide what it leads to.
fn is_secret(path: &ToolPath, secrets: &[String]) -> bool {
    let paths = [Some(path.path.as_str()), path.real.as_deref()];
    let mut names = paths.into_iter().flatten().flat_map(|path| path.split('/'));
    names.any(|name| secrets.iter().any(|pattern| matches(pattern, name)))
}

/// Whether a name matches a pattern, in which `*` stands for any characters. Case does not matter, because some file
/// systems ignore it.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        let Some((_, after)) = left.split_once(part) else { return false };
        left = after;
    }
    true
}
