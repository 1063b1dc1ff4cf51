//! Programs that run the command in one of their options: `sort --compress-program`, `split --filter`.

use super::Inner;
use super::options::Spec;
use crate::shell::word::Word;

struct Named {
    names: &'static [&'static str],
    spec: Spec,
    /// The options whose value is a command.
    options: &'static [&'static str],
}

const fn row(
    names: &'static [&'static str],
    shorts: &'static str,
    longs: &'static [&'static str],
    options: &'static [&'static str],
) -> Named {
    Named { names, spec: Spec { shorts, longs, flags: &[] }, options }
}

#[rustfmt::skip] // A table reads better with one row per line.
const PROGRAMS: &[Named] = &[
    row(&["sort", "gsort"], "kotSTB", &["compress-program", "key", "output", "field-separator", "temporary-directory"], &["--compress-program"]),
    row(&["split", "gsplit"], "abClnt", &["filter", "suffix-length", "bytes", "lines", "number", "separator", "additional-suffix"], &["--filter"]),
    row(&["rg"], "efmABCgtTrdMjE", &["pre", "hostname-bin", "regexp", "file", "glob", "type", "pre-glob"], &["--pre", "--hostname-bin"]),
    row(&["man"], "CRLmMSsePrEp", &["pager", "html", "manpath", "sections", "preprocessor"], &["-P", "--pager", "--html"]),
    row(&["complete", "compgen"], "oAGWFCXPS", &[], &["-C"]),
    row(&["nix-shell"], "pAIj", &["run", "command", "arg", "argstr", "option"], &["--run", "--command"]),
    row(&["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd"], "ecgGimoOpPqsTwWxX", &["exec", "sh-exec", "lua-exec", "source", "source-port", "wait", "proxy"],
        &["-e", "-c", "--exec", "--sh-exec"]),
    row(&["nodemon"], "xewid", &["exec", "ext", "watch", "ignore", "delay"], &["-x", "--exec"]),
    row(&["chokidar"], "cdti", &["command", "debounce", "throttle", "ignore", "poll-interval", "poll-interval-binary"], &["-c", "--command"]),
    row(&["gcloud"], "", &["command", "zone", "project", "region", "ssh-flag", "ssh-key-file", "account", "configuration"], &["--command"]),
    row(&["fly", "flyctl"], "aCcr", &["command", "app", "config", "region", "machine", "org"], &["-C", "--command"]),
    row(&["vagrant"], "c", &["command"], &["-c", "--command"]),
    row(&["bat", "batcat"], "lrHm", &["pager", "language", "theme", "style", "line-range", "highlight-line", "map-syntax", "paging", "color", "wrap", "tabs"], &["--pager"]),
    row(&["ag", "ack"], "ABCmGp", &["pager", "after", "before", "context", "ignore", "ignore-dir", "depth"], &["--pager"]),
    row(&["delta"], "", &["pager"], &["--pager"]),
    row(&["tcpdump"], "BcCDEFGijmMnrsTVwWyz", &[], &["-z"]),
    row(&["wget"], "oOaieBtTwQPUlADXI", &["use-askpass"], &["--use-askpass"]),
    row(&["fzf"], "qnd", &["preview", "query", "delimiter", "nth", "prompt", "height"], &["--preview"]),
    row(&["zip"], "bnPtixO", &["unzip-command"], &["--unzip-command"]),
];

/// Returns what a program in the table runs, or `None` for other programs.
pub(super) fn inner(name: &str, arguments: &[Word]) -> Option<Vec<Inner>> {
    let program = PROGRAMS.iter().find(|program| program.names.contains(&name))?;
    let (options, _) = program.spec.all(arguments);
    let mut inners: Vec<Inner> = options
        .iter()
        .filter(|(option, _)| program.options.contains(&option.as_str()))
        .filter_map(|(_, value)| {
            let script = Inner::script(value.as_ref()?.text());
            // This runs in the machine of an app.
            Some(if matches!(name, "fly" | "flyctl") { script.elsewhere() } else { script })
        })
        .collect();
    if name == "zip" {
        // `-TT` is the only short option with two letters.
        let behind = arguments.windows(2).filter_map(|pair| match pair {
            [option, script] if option.text() == "-TT" => Some(Inner::script(script.text())),
            _ => None,
        });
        inners.extend(behind);
    }
    if name == "man" {
        // The value of `-H` must be attached.
        inners.extend(
            arguments
                .iter()
                .filter_map(|word| word.text().strip_prefix("-H"))
                .filter(|text| !text.is_empty())
                .map(Inner::script),
        );
    }
    Some(inners)
}
