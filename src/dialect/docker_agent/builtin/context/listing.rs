//! `add_directory_listing`: tells the model what is in the working directory.

/// The most entries that are listed.
const MAX_ENTRIES: usize = 100;
/// The most entries that are read. In a larger directory, the reported number of unlisted entries is too small.
const MAX_SEEN: usize = 100_000;

/// Lists the visible entries in the order of their bytes. `None` if there are none.
pub(super) fn of(dir: &str) -> Option<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .ok()?
        .take(MAX_SEEN)
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            (!name.starts_with('.')).then(|| if is_dir { name + "/" } else { name })
        })
        .collect();
    if names.is_empty() {
        return None;
    }
    names.sort_unstable();
    let mut text = format!("Top-level entries in {dir}:\n");
    for name in names.iter().take(MAX_ENTRIES) {
        text.push_str("\n- ");
        text.push_str(name);
    }
    if names.len() > MAX_ENTRIES {
        text.push_str(&format!("\n... and {} more", names.len() - MAX_ENTRIES));
    }
    Some(text)
}
