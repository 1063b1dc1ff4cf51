//! Images and links in a text.

use super::Scanner;
use crate::urls::{Carrier, MAX_URL, image, link};

/// The number of images, and of links, that are examined in full, and the maximum length of the URLs of further images,
/// in bytes.
const MAX_IMAGES: usize = 4000;
const SHORT_URL: usize = 200;

/// The longest text of an image, in bytes.
const MAX_LABEL: usize = 300;

impl<'t> Scanner<'t, '_> {
    /// Reads a `]`, which may end the text of an image or a link. Returns where to go on.
    pub(super) fn closing_bracket(&mut self, at: usize, rest: &'t str) -> usize {
        let is_image = at > self.bang && at - self.bang < MAX_LABEL;
        if rest.starts_with("](") && is_image {
            self.bang = usize::MAX;
            if let Some(image) = self.image(self.rest(at + 2)) {
                self.add_image(image);
                return at + 2 + image.end;
            }
        } else if rest.starts_with("](") {
            self.link(self.rest(at + 2));
        } else if rest.starts_with("]:") {
            // This is `[label]: URL`.
            let url = self.rest(at + 2).trim_start();
            let scheme = url.strip_prefix('<').unwrap_or(url).get(..4);
            let is_http = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
            let carries = is_http && self.image(url).is_some_and(|image| !image.is_measure);
            self.definitions += usize::from(carries);
        } else {
            // This is `![text][label]`.
            self.has_reference |= is_image;
        }
        at + 1
    }

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
            Carrier { is_field: true, .. } => &mut self.fields,
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
