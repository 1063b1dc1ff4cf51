//! Images and links in a text.

use super::Scanner;
use crate::urls::{Carrier, MAX_URL, image, link};

/// The number of images, and of links, that are examined in full, and the maximum length of the URLs of further images,
/// in bytes.
const MAX_IMAGES: usize = 4000;
const SHORT_URL: usize = 200;

impl Scanner<'_, '_> {
    /// Returns an image's URL if it carries data. On a page with very many images, the later ones get a
    /// shorter check.
    pub(super) fn image(&mut self, rest: &str) -> Option<Carrier> {
        self.looks += 1;
        image(rest, if self.looks > MAX_IMAGES { SHORT_URL } else { MAX_URL })
    }

    pub(super) fn add_image(&mut self, image: Carrier) {
        let count = match image {
            Carrier { is_measure: true, .. } => &mut self.measures,
            Carrier { is_key: true, .. } => &mut self.keys,
            Carrier { .. } => &mut self.images,
        };
        *count += 1;
    }

    /// Counts a link if it would take the conversation along.
    pub(super) fn link(&mut self, rest: &str) {
        self.link_looks += 1;
        self.links += usize::from(self.link_looks <= MAX_IMAGES && link(rest));
    }
}
