//! Checks that each relative link of a page leads to a file, and each anchor to a heading in that file.

use crate::support::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders with pages. Of the root itself, only the top is read.
const FOLDERS: [&str; 7] = ["docs", "clients", "contrib", "guest-examples", "guest-sdk", "policies", "tests"];

/// The folders that other programs write there.
const GENERATED: [&str; 4] = ["target", "node_modules", ".venv", ".git"];

/// Returns all pages, relative to the root.
fn pages() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|name| root().join(name)).collect();
    let is_page = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    found.extend(fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| is_page(path)));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if kind.is_dir() && !GENERATED.iter().any(|name| path.ends_with(name)) {
                folders.push(path);
            } else if kind.is_file() && is_page(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the lines that are not in a block of code.
fn prose(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// Returns where the links of a page lead: `](…)`.
fn links(text: &str) -> Vec<String> {
    let text = prose(text).join("\n");
    // Text between backquotes is not a link, but the text of a link may be code.
    let code = regex::Regex::new("`[^`]*`").unwrap();
    let text = code.replace_all(&text, "");
    text.split("](").skip(1).map(|rest| rest.split([')', ' ']).next().unwrap().to_owned()).collect()
}

/// Returns the anchors of a page's headings, as GitHub and mdbook make them.
fn anchors(text: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut anchors = Vec::new();
    for heading in prose(text).iter().filter(|line| line.starts_with('#')) {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let is_kept = |char: &char| char.is_alphanumeric() || " -_".contains(*char);
        let anchor: String = words.chars().filter(is_kept).map(|char| if char == ' ' { '-' } else { char }).collect();
        let count = seen.entry(anchor.clone()).or_default();
        anchors.push(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

/// Returns the links of a page that lead nowhere.
fn broken(page: &Path, text: &str) -> Vec<String> {
    let leads = |link: &str| {
        let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
        let target = if path.is_empty() { page.to_owned() } else { page.parent().unwrap().join(path) };
        match anchor {
            None => target.exists(),
            Some(anchor) if path.is_empty() => anchors(text).iter().any(|known| known == anchor),
            Some(anchor) => {
                fs::read_to_string(target).is_ok_and(|text| anchors(&text).iter().any(|known| known == anchor))
            }
        }
    };
    links(text).into_iter().filter(|link| !link.contains("://") && !leads(link)).collect()
}

#[test]
fn every_relative_link_leads_somewhere() {
    let mut failures = Vec::new();
    let pages = pages();
    assert!(pages.iter().any(|page| page.ends_with("docs/reference/agents.md")), "{pages:?}");
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        failures.extend(broken(&page, &text).into_iter().map(|link| format!("{}: {link}", page.display())));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_page_of_the_docs_is_in_the_index() {
    let docs = root().join("docs");
    let index = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed = links(&index);
    for page in pages().iter().filter_map(|page| page.strip_prefix(&docs).ok()) {
        let is_listed = listed.iter().any(|link| Path::new(link) == page);
        assert!(is_listed || page.ends_with("SUMMARY.md"), "docs/SUMMARY.md lacks {}", page.display());
    }
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let page = root().join("docs/SUMMARY.md");
    let text = "# A `b` c!\n[a](#a-b-c) [b](#b) [`c`](reference/agents.md#results) [d](reference/agents.md#result)\n\
                `[e](e.md)` [f](f.md) [g](https://example.com/g.md)\n```\n[h](h.md)\n```\n# A `b` c!\n[i](#a-b-c-1)";
    assert_eq!(broken(&page, text), ["#b", "reference/agents.md#result", "f.md"]);
}
