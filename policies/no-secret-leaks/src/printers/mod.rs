//! Programs that print a secret on request.

mod table;

use crate::Reads;
use crate::endpoints::prints_answer;
use crate::environment::has_letter;
use crate::pipes::{is_captured, is_in_file, is_passed_on, is_read, is_repeated};
use hookbox_policy::{Command, Findings, UNKNOWN, Word, options};
use hookbox_secrets::is_secret_name;
use table::{BY_NAME, ENV, PRINTERS};

/// Options that make any program show secrets that it otherwise masks.
const REVEALING: [&str; 10] = [
    "--show-secrets",
    "--showsecret",
    "--show-secret",
    "--reveal",
    "--unmask",
    "--show-passwords",
    "--show-password",
    "--show-tokens",
    "--include-secrets",
    "--with-secrets",
];

/// Programs whose output consists mostly of values that are not secrets. A value that a filter picks from it is a
/// secret only if it is named like one.
#[rustfmt::skip] // Many names to a line.
const MIXED: &[&str] = &[
    "terraform", "tofu", "heroku", "railway", "cf", "eas", "netlify", "docker", "podman", "helm", "dokku", "eb", "pm2", "scalingo",
];

/// Programs whose subcommand is their first word. The words of `vault kv metadata get` and of `dotenv run npm list` mean
/// something else than those of `vault kv get` and `dotenv list`.
const STRICT: &[&str] = &["bao", "chamber", "doppler", "dotenv", "infisical", "op", "vault"];

/// Whether a command prints a secret.
pub(crate) fn is_printer(command: &Command) -> bool {
    let words = || command.args().iter().map(Word::text);
    if is_help(command) || lists_names(command) {
        return false;
    }
    // The number of other words that may come between those of a row.
    let most = if STRICT.contains(&command.name) { 0 } else { 2 };
    let rows = BY_NAME.rows(command.name).filter_map(|row| PRINTERS.get(row));
    rows.filter(|(name, ..)| *name == command.name).any(|(_, verbs, with)| {
        // Between these words, there may be options, with or without a value.
        let mut before = "";
        let mut rest = words().filter_map(|word| {
            let last = std::mem::replace(&mut before, word);
            let is_value = last.starts_with('-') && last != "--" && !last.contains('=');
            (!word.starts_with('-')).then_some((word, is_value))
        });
        let has_verbs = verbs.iter().all(|verb| {
            let mut others = 0;
            let stop = rest.by_ref().find(|(word, is_value)| {
                others += usize::from(!is_value);
                word.eq_ignore_ascii_case(verb) || others > most
            });
            stop.is_some_and(|(word, _)| word.eq_ignore_ascii_case(verb))
        });
        let has_option = || match *with == ENV {
            true => words().next_back().is_some_and(|last| ENV.contains(&last)),
            false => words().any(|word| with.contains(&word)),
        };
        has_verbs && (with.is_empty() || has_option())
    }) || shows_one(command)
        || prints_answer(command)
        || words().any(|word| REVEALING.contains(&word))
}

/// Whether a command shows only its manual page. These programs read options after their other words, too.
fn is_help(command: &Command) -> bool {
    #[rustfmt::skip] // Many words to a line.
    const PROGRAMS: &[&str] = &[
        "argocd", "az", "bao", "databricks", "doctl", "doppler", "fly", "flyctl", "gcloud", "gh", "glab", "helm", "heroku",
        "infisical", "kubectl", "oc", "op", "pulumi", "railway", "supabase", "vault",
    ];
    let [.., before, last] = command.args() else { return false };
    // What follows `--` are operands: `kubectl get secret -o yaml -- NAME --help`.
    if command.args().iter().any(|word| word.text() == "--") {
        return false;
    }
    match command.name {
        // After an option, this may be its value.
        "aws" => last.text() == "help" && command.args().iter().all(|word| !word.text().starts_with('-')),
        name => {
            let is_option = matches!(last.text(), "--help" | "-help") && !before.text().starts_with('-');
            is_option && PROGRAMS.contains(&name)
        }
    }
}

/// Whether a command lists only the names of secrets.
fn lists_names(command: &Command) -> bool {
    let mut words = command.args().iter().map(Word::text);
    // The option may be switched off again.
    let is_on = |word: &str| word == "--only-names";
    let is_other = |word: &str| word.starts_with("--only-names=") || matches!(word, "--" | "run");
    command.name == "doppler" && words.clone().any(is_on) && !words.any(is_other)
}

/// Whether a program shows one of its settings that is a secret, or the variables of a container.
fn shows_one(command: &Command) -> bool {
    let mut words = command.args().iter().map(Word::text);
    match command.name {
        "npm" | "pnpm" | "yarn" => {
            let is_token =
                |word: &str| word.ends_with("_authToken") || word.ends_with("_auth") || word == "npmAuthToken";
            words.clone().any(|word| word == "get") && words.any(is_token)
        }
        "docker" | "podman" | "nerdctl" => {
            let is_all = |word: &str| {
                let template = word.replace(' ', "");
                let wholes = [".Env", "json.}}", "{{.}}", ".Config}}"];
                template.contains("{{") && wholes.iter().any(|whole| template.contains(whole))
            };
            words.clone().any(|word| word == "inspect") && words.any(is_all)
        }
        "aws" => {
            let is_key = |word: &str| word.ends_with("aws_secret_access_key") || word.ends_with("aws_session_token");
            words.clone().any(|word| word == "configure")
                && words.clone().any(|word| word == "get")
                && words.any(is_key)
        }
        "op" => {
            let given = options(command.args(), &["-o", "--out-file", "--output", "--account", "--vault"]);
            let is_document = given
                .operands
                .windows(2)
                .any(|pair| matches!(pair, [noun, verb] if noun.text() == "document" && verb.text() == "get"));
            is_document && given.value(&["-o", "--out-file", "--output"]).is_none_or(is_screen)
        }
        "kubectl" | "oc" => shows_manifest(command),
        // A property stands alone or in a list: `-p Id,Environment`.
        "systemctl" => {
            let names = |word: &str| {
                // An option may be abbreviated: `--prop=Environment`.
                let list = word.split_once('=').map_or(word, |(_, list)| list).trim_start_matches(['-', 'P', 'p']);
                list.split(',').any(|name| name == "Environment")
            };
            words.clone().any(|word| word == "show") && words.any(names)
        }
        // This picks the variables of a container from the output of `docker inspect`, or those of a process from that
        // of `pm2 jlist`.
        "jq" | "jaq" | "gojq" => {
            let ends = ["].Config", ".pm2_env"];
            let parts = [".Config.Env", ".pm2_env.env"];
            words.any(|word| ends.iter().any(|end| word.ends_with(end)) || parts.iter().any(|part| word.contains(part)))
        }
        // Every stack has settings with these names, which are not secret.
        "pulumi" => {
            let is_plain = |word: &str| [":region", ":project", ":zone"].iter().any(|name| word.ends_with(name));
            let has = |verb: &str| words.clone().any(|word| word == verb);
            has("config") && has("get") && !words.clone().any(is_plain)
        }
        // This is a secret by its name, or a value that Terraform otherwise masks.
        "pass" | "gopass" => {
            let is_secret = words.clone().next().is_some_and(|first| !first.starts_with('-') && !PASS.contains(&first));
            is_secret && !words.any(|word| matches!(word, "-c" | "--clip"))
        }
        "terraform" | "tofu" => {
            const SECRET: [&str; 3] = ["connection_string", "dsn", "kubeconfig"];
            let is_secret = |word: &str| {
                is_secret_name(word)
                    || is_secret_name(&word.to_uppercase())
                    || SECRET.iter().any(|name| word.ends_with(name))
            };
            let mut rest = words.skip_while(|word| *word != "output");
            let is_output = rest.next().is_some();
            let is_raw = rest.clone().any(|word| matches!(word.trim_start_matches('-'), "json" | "raw"));
            let mut before = "";
            let mut names = rest.filter(|word| {
                let last = std::mem::replace(&mut before, word);
                !word.starts_with('-') && last.trim_start_matches('-') != "state"
            });
            is_output && names.next().map_or(is_raw, is_secret)
        }
        "security" => {
            const VALUED: &str = "aCDGPcdjlprst";
            let args: Vec<&str> = words.collect();
            args.first().is_some_and(|verb| verb.starts_with("find-") && verb.ends_with("-password"))
                && (has_letter(&args, 'w', VALUED) || has_letter(&args, 'g', VALUED))
        }
        // `dotenv -p NAME` has its own options before the program that it runs.
        "dotenv" | "dotenv-cli" => {
            let mut before = "";
            let mut own = words.take_while(|word| {
                let last = std::mem::replace(&mut before, word);
                word.starts_with('-') && *word != "--" || matches!(last, "-e" | "-c" | "-v" | "-f")
            });
            own.any(|word| word == "-p")
        }
        name if name.starts_with("python") => {
            let args: Vec<&str> = words.collect();
            let module = args.windows(2).position(|pair| pair == ["-m", "dotenv"]);
            let verbs = module.and_then(|at| args.get(at + 2..)).unwrap_or_default();
            verbs.iter().take_while(|word| **word != "run").any(|word| matches!(*word, "list" | "get"))
        }
        _ => decrypts(command),
    }
}

/// Whether `kubectl get` shows the content of secrets, rather than their names.
fn shows_manifest(command: &Command) -> bool {
    #[rustfmt::skip] // Many words to a line.
    const VALUED: &[&str] = &[
        "-l", "-n", "-o", "-s", "--as", "--cluster", "--context", "--field-selector", "--kubeconfig", "--namespace",
        "--output", "--request-timeout", "--selector", "--server", "--sort-by", "--template", "--token", "--user",
    ];
    let given = options(command.args(), VALUED);
    let is_secret = |kind: &str| matches!(kind.split(['/', '.']).next(), Some("secret" | "secrets"));
    let gets_secret = given
        .operands
        .windows(2)
        .any(|pair| matches!(pair, [verb, kinds] if verb.text() == "get" && kinds.text().split(',').any(is_secret)));
    let format = given.value(&["-o", "--output"]).map_or("", Word::text).trim_start_matches('=');
    if is_metadata(format) {
        return false;
    }
    let is_whole = ["yaml", "json", "go-template", "template"].iter().any(|whole| format.starts_with(whole));
    gets_secret
        && (is_whole || format.contains(".data") || given.value(&["--template"]).is_some() || format.contains(UNKNOWN))
}

/// Whether a format of `kubectl` shows only the names, kinds and labels of objects: `jsonpath={.items[*].metadata.name}`.
fn is_metadata(format: &str) -> bool {
    let Some(template) = format.strip_prefix("jsonpath=").map(|text| text.trim_matches(['"', '\''])) else {
        return false;
    };
    let is_harmless = |part: &str| {
        let path = part.split('}').next().unwrap_or_default();
        let path = path.strip_prefix(".items[*]").unwrap_or(path);
        let is_path = path.chars().all(|c| c.is_ascii_alphanumeric() || "._-/\\".contains(c)) && !path.contains("..");
        matches!(path, ".type" | ".kind" | "end" | "range .items[*]" | "\"\\n\"" | "\"\\t\"" | "\" \"")
            || path.starts_with(".metadata.") && is_path && !path.contains("annotations")
    };
    let mut parts = template.split('{').skip(1).peekable();
    parts.peek().is_some() && parts.all(is_harmless)
}

/// Whether an output file is the terminal.
fn is_screen(file: &Word) -> bool {
    matches!(file.text(), "-" | "/dev/stdout" | "/dev/stderr" | "/dev/tty")
}

/// Whether a program decrypts a file and shows the result.
fn decrypts(command: &Command) -> bool {
    match command.name {
        "age" | "rage" | "gpg" | "gpg2" => {
            let given = options(command.args(), &["-o", "-r", "-u", "--output"]);
            given.has(&["-d", "--decrypt"]) && given.value(&["-o", "--output"]).is_none_or(is_screen)
        }
        _ => false,
    }
}

/// Subcommands of `pass`. Any other word is the name of a secret.
#[rustfmt::skip] // Many words to a line.
const PASS: &[&str] = &[
    "init", "ls", "list", "find", "search", "grep", "insert", "add", "edit", "generate", "rm", "remove", "delete", "mv",
    "rename", "cp", "copy", "git", "help", "version", "show", "cat", "otp", "import", "update", "sync", "setup", "config",
    "mounts", "recipients", "audit", "create", "new", "clone", "completion", "fscopy", "fsck", "history", "link", "merge",
    "move", "process", "pwgen", "sum", "templates", "unclip", "env", "age", "alias",
];

/// Judges output that only the model reads.
pub(crate) fn judge(commands: &[Command], reads: Reads, found: &mut Findings) {
    if reads == Reads::Allow {
        return;
    }
    for (index, command) in commands.iter().enumerate() {
        let is_mixed = MIXED.contains(&command.name);
        let shows_parts = if is_mixed { is_repeated } else { is_passed_on };
        let is_taken = is_in_file(command, commands)
            || is_captured(command, commands)
            || is_mixed && command.facts.via.as_deref() == Some("substitution")
            || is_read(index, commands) && !shows_parts(index, commands);
        if !is_taken && is_printer(command) {
            found.ask(format!(
                "{} prints a secret; let the program that needs it read it, as in `… | docker login --password-stdin`",
                command.quote()
            ));
        }
    }
}
