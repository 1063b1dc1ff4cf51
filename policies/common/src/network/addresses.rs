//! Addresses that programs write into the pages that they build, and do not request.

use crate::{Command, Word};
use std::borrow::Cow;

/// Programs that build pages, and their options whose value is the address at which the pages will be.
const BUILDERS: &[(&[&str], &[&str])] = &[
    (&["hugo"], &["-b", "--baseURL", "--baseUrl", "--baseurl"]),
    (&["jekyll"], &["-b", "--baseurl"]),
    (&["zola"], &["-u", "--base-url"]),
    (&["vite", "vitepress"], &["--base"]),
    (&["astro"], &["--site", "--base"]),
    (&["ng"], &["--base-href", "--deploy-url"]),
    (&["parcel", "trunk"], &["--public-url"]),
    (&["esbuild"], &["--public-path"]),
    (&["webpack", "rspack"], &["--output-public-path"]),
    (&["typedoc"], &["--hostedBaseUrl"]),
];
/// Programs that run the program that their first operand names.
const RUNNERS: &[&str] = &["npx", "pnpx", "bunx", "npm", "pnpm", "yarn", "bun", "bundle"];

/// Returns the arguments of a command without the addresses that it only writes.
pub(super) fn requested<'c>(command: &'c Command<'_>) -> Cow<'c, [Word]> {
    let args = command.args();
    let Some(written) = written(command) else {
        return Cow::Borrowed(args);
    };
    let is_attached = |text: &str| {
        let is_of = |option: &&str| text.strip_prefix(*option).is_some_and(|v| v.starts_with('=') || option.len() == 2);
        written.iter().any(is_of)
    };
    let mut kept = Vec::with_capacity(args.len());
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if written.contains(&word.text()) {
            words.next();
        } else if !is_attached(word.text()) {
            kept.push(word.clone());
        }
    }
    Cow::Owned(kept)
}

/// Returns the options of a command whose value it only writes.
fn written(command: &Command<'_>) -> Option<&'static [&'static str]> {
    let of = |name: &str| {
        // `vite@5`
        let name = name.split('@').next().unwrap_or_default();
        BUILDERS.iter().find(|(names, _)| names.contains(&name)).map(|(_, options)| *options)
    };
    if !RUNNERS.contains(&command.name) {
        return of(command.name);
    }
    // The value of an option is no program, so `npx -p PACKAGE vite` is read in full.
    let mut words = command.args().iter().map(Word::text).filter(|text| !text.starts_with('-'));
    words.find(|text| !matches!(*text, "exec" | "dlx" | "x" | "run")).and_then(of)
}
