//! The places where ub looks for its config.

use crate::config::{Layer, Places};
use crate::protocol::Source;
use std::path::PathBuf;

/// The project's file, relative to the directory that holds it.
pub(super) const PROJECT_FILE: &str = ".ub/config.yaml";

/// The number of parents of the working directory that are searched for the project's file.
const MAX_PARENTS: usize = 5;

/// Returns the user's file, then the project's: the nearest one, whatever lies in between.
pub(super) fn layers(places: &Places<'_>) -> Vec<Layer> {
    let config_home = places.config_home.map(PathBuf::from).or_else(|| Some(places.home?.join(".config")));
    let user = config_home.map(|dir| Layer { path: dir.join("ub/config.yaml"), source: Source::USER });
    let candidates = places.cwd.ancestors().take(MAX_PARENTS + 1).map(|dir| dir.join(PROJECT_FILE));
    let nearest = candidates.into_iter().find(|file| file.metadata().is_ok_and(|meta| !meta.is_dir()));
    user.into_iter().chain(nearest.map(|path| Layer { path, source: Source::PROJECT })).collect()
}
