//! Forced pushes by a request to the forge: `gh api -X PATCH repos/o/r/git/refs/heads/main -F force=true`.

use super::push::{Branch, branch};
use crate::scene::Scene;
use hookbox_policy::{Command, Findings, Word};

/// The programs that send requests.
const CLIENTS: [&str; 8] = ["gh", "glab", "curl", "wget", "http", "https", "xh", "xhs"];

/// What a request says if it overwrites commits. Spaces and quotes do not count.
const FORCED: [&str; 3] = ["force=true", "force:true", "force:=true"];

/// The part of an address before the name of a branch.
const HEADS: &str = "git/refs/heads/";

pub(super) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    if !CLIENTS.contains(&command.name) {
        return;
    }
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    let plain = |word: &Word| {
        let text = word.text().replace("%2F", "/").replace("%2f", "/");
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '\\')).collect::<String>()
    };
    let texts: Vec<String> = command.args().iter().chain(&stdin).map(plain).collect();
    let has = |wanted: &[&str]| texts.iter().any(|text| wanted.iter().any(|wanted| text.contains(wanted)));
    if !has(&FORCED) {
        return;
    }
    // A GraphQL document names the branch by a number. GitLab takes commits with the name of a branch.
    let heads = || texts.iter().find_map(|text| text.split_once(HEADS));
    let named = has(&["PATCH", "patch"]).then(heads).flatten();
    let committed = || {
        let mut fields = texts.iter().flat_map(|text| text.split([',', '{', '}', '&']));
        fields.find_map(|field| field.strip_prefix("branch=").or_else(|| field.strip_prefix("branch:")))
    };
    let name = match named {
        Some((_, rest)) => rest.split(['?', '#', ',']).next().unwrap_or_default(),
        None if has(&["/repository/commits"]) => committed().unwrap_or_default(),
        None if has(&["updateRef("]) => "",
        None => return,
    };
    match branch(name, &scene.settings.branches) {
        Branch::Protected(branch) => found.deny(format!(
            "{} would overwrite the protected branch {branch}; push without force, or to a branch of your own",
            command.quote()
        )),
        _ => found.ask(format!("{} would overwrite commits of others; is that meant?", command.quote())),
    }
}
