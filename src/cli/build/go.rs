//! Hooks in Go.

use std::path::Path;

pub(super) fn build(_dir: &Path) -> anyhow::Result<Vec<u8>> {
    anyhow::bail!("hooks in Go cannot be built yet")
}
