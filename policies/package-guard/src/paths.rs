//! Where paths lead.

use hookbox_policy::{GLOB, UNKNOWN};

/// Whether an absolute path is a directory or below it.
pub(crate) fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) && !goes_up(path)
}

/// Whether a path leads to a parent directory on its way. Some managers decode `%2e`.
pub(crate) fn goes_up(path: &str) -> bool {
    let is_up = |part: &str| part.to_ascii_lowercase().replace("%2e", ".") == "..";
    path.split(['/', '\\']).any(is_up)
}

/// Returns the absolute path that a path means in a directory, without `.` and `..`.
pub(crate) fn resolved(path: &str, base: &str) -> Option<String> {
    let start = if path.starts_with('/') { "" } else { base };
    if path.starts_with('~') || path.contains([UNKNOWN, GLOB]) || !(path.starts_with('/') || base.starts_with('/')) {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(format!("/{}", parts.join("/")))
}

/// Whether a path such as `../icons` leads from a directory to one in the project.
pub(crate) fn leads_into(path: &str, base: &str, project: &str) -> bool {
    // Managers read some characters in their own way, such as a `#` that ends the path.
    let is_plain = path.chars().all(|c| c.is_alphanumeric() || "-_./+".contains(c));
    is_plain
        && (path.starts_with("../") || path.starts_with("./"))
        && resolved(path, base).is_some_and(|path| is_below(&path, project))
}

/// Whether a place of packages that has no scheme is a page, whose links may lead anywhere.
pub(crate) fn is_page(place: &str) -> bool {
    let lower = place.to_ascii_lowercase();
    [".html", ".htm", ".xhtml"].iter().any(|ending| lower.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_into_the_project() {
        for (path, base, is_inside) in [
            ("../icons", "/p/web", true),
            ("./icons", "/p/web", true),
            (".././icons/", "/p/web", true),
            ("../web/../icons", "/p/web", true),
            ("../icons", "/p", false),
            ("../../icons", "/p/web", false),
            ("../../p2/icons", "/p/web", false),
            ("../icons/../../x", "/p/web", false),
            ("../../../../p/icons", "/p/web", false),
            ("../%2e%2e/x", "/p/web", false),
            ("../icons#/../../x", "/p/web", false),
            ("../icons", "web", false),
            ("icons", "/p/web", false),
            ("/p/icons", "/p/web", false),
        ] {
            assert_eq!(leads_into(path, base, "/p"), is_inside, "{path} in {base}");
        }
    }
}
