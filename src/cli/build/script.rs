//! Hooks in JavaScript and TypeScript.

use hookbox::author::Language;
use std::path::Path;

pub(super) fn build(_dir: &Path, _language: Language) -> anyhow::Result<Vec<u8>> {
    anyhow::bail!("hooks in JavaScript cannot be built yet")
}
