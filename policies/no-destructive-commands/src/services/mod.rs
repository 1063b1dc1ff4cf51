//! Commands that discard data of a service, a database or a cloud. Only a person knows whether that is wanted.

mod clouds;
mod frameworks;
mod machine;
mod outright;
mod posts;
mod stores;
mod table;
mod verbs;

use crate::possible::PLAIN;
use crate::prefix::{Operand, begins, operands};
use crate::scene::{Scene, is_handed_on};
use hookbox_policy::{Command, Findings, UNKNOWN, Word, options, sql};
use table::{DATABASES, SERVICES, losses};

/// Dry-run options.
const DRY: [&str; 12] = [
    "--dry",
    "--dry-run",
    "--dryrun",
    "--dry-run=client",
    "--dry-run=server",
    "--dry-run=true",
    "--help",
    "--check",
    "--noop",
    "--what-if",
    "--WhatIf",
    "--simulate",
];

/// Programs whose option `-n` means a dry run.
const DRY_N: [&str; 9] = ["restic", "rustic", "borg", "rclone", "gsutil", "s3cmd", "p4", "btrbk", "ldapdelete"];

/// Programs that only print their help if one of their words is `-help` or `-h`, wherever it is.
const HELPFUL: [&str; 9] = ["terraform", "tofu", "packer", "vault", "bao", "consul", "nomad", "boundary", "waypoint"];

/// Programs that only show or search their input.
const SHOWS: [&str; 9] = ["bat", "cat", "grep", "head", "less", "more", "rg", "tail", "wc"];

pub(crate) fn judge(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    if shows_help(command) {
        return;
    }
    passed_on(command, scene, found);
    if let Some(what) = loss(command) {
        found.ask(format!("{} would delete {what}; is that meant?", command.quote()));
    } else if let Some((verb, answer)) = verbs::told(command) {
        found.ask(format!(
            "{} is told `{verb}`, and by `{answer}` not to ask before it destroys something; is that meant?",
            command.quote()
        ));
    } else if let Some(verb) = outright::told(command) {
        found.ask(format!("{} is told `{verb}`; is that meant?", command.quote()));
    }
    if !PLAIN.contains(command.name)
        && let Some(call) = verbs::wipes(texts(command))
    {
        found.ask(format!("{} has `{call}`, which deletes all records; is that meant?", command.quote()));
    }
    if let Some(what) = stores::loss(command, scene).or_else(|| clouds::loss(command)) {
        found.ask(format!("{} would delete {what}; is that meant?", command.quote()));
    }
    let is_database = DATABASES.contains(command.name) && !stores::is_in_memory(command);
    if let Some(what) = texts(command).filter(|_| is_database).find_map(|text| stores::by_sql(&text)) {
        found.ask(format!("{} has SQL that {what}; is that meant?", command.quote()));
    }
    if is_database
        && let Some(damage) =
            // In prose, `truncate text` is not a statement, but here it is.
            texts(command)
                .filter(|text| text.contains(char::is_whitespace) || text.contains("/*"))
                .find_map(|text| sql::destructive(&format!("{text};")))
    {
        found.ask(format!("{} has SQL that {}; is that meant?", command.quote(), damage.what));
    }
    if is_database && stores::runs_made_sql(command, scene) {
        found.ask(format!("{} runs SQL made by a query, which destroys data; is that meant?", command.quote()));
    }
    if !DATABASES.contains(command.name)
        && let Some(damage) = frameworks::sql(command, scene)
    {
        found.ask(format!("{} has SQL that {}; is that meant?", command.quote(), damage.what));
    }
    if let Some(url) = request(command).or_else(|| posts::address_of(command)) {
        found.ask(format!("{} would delete `{url}`; is that meant?", command.quote()));
    }
    if let Some(what) = machine::loss(command) {
        found.ask(format!("{} would {what}; is that meant?", command.quote()));
    }
    if halts(command) {
        found.ask(format!("{} would stop the machine, or all that runs on it; is that meant?", command.quote()));
    }
}

/// Judges deletions of what other commands find, and SQL that deletes and is passed on to another command.
fn passed_on(command: &Command<'_>, scene: &Scene<'_>, found: &mut Findings) {
    let deletes_keys = matches!(command.name, "redis-cli" | "valkey-cli" | "keydb-cli")
        && begins(&operands(command), &["del|DEL|unlink|UNLINK"]);
    if deletes_keys && is_handed_on(command, scene) {
        found.ask(format!("{} would delete every key that is found; is that meant?", command.quote()));
    }
    let deletes_found = matches!(command.name, "kubectl" | "oc")
        && begins(&operands(command), &["delete"])
        && is_handed_on(command, scene)
        && !command.args().iter().any(|word| word.text().starts_with("--dry-run"));
    if deletes_found {
        found.ask(format!("{} would delete all that is found in the cluster; is that meant?", command.quote()));
    }
    // This is `manage.py sqlflush | manage.py dbshell`. By itself, it only prints the SQL.
    let is_read = |reader: &Command<'_>| {
        !SHOWS.contains(&reader.name) && scene.sources(reader).any(|source| std::ptr::eq(source.facts, command.facts))
    };
    if command.args().iter().take(2).any(|word| word.text() == "sqlflush") && scene.commands.iter().any(is_read) {
        found.ask(format!("{} has SQL that deletes all data of the database; is that meant?", command.quote()));
    }
}

/// Whether a command is like `terraform destroy -help`. After `--`, the word is an argument.
fn shows_help(command: &Command<'_>) -> bool {
    let mut options = command.args().iter().map(Word::text).take_while(|text| *text != "--");
    HELPFUL.contains(&command.name) && options.any(|text| matches!(text, "-help" | "-h"))
}

fn loss(command: &Command<'_>) -> Option<&'static str> {
    let args: Vec<&str> = command.args().iter().map(Word::text).collect();
    let name = command.name;
    let is_dry = args.iter().any(|arg| DRY.contains(arg)) || (DRY_N.contains(&name) && args.contains(&"-n"));
    // A manual page: `aws ec2 terminate-instances help`. After an option, `help` may be one of its values.
    let is_help = name == "aws"
        && matches!(args.as_slice(), [group, action, "help"] if !group.starts_with('-') && !action.starts_with('-'));
    if is_dry || is_help {
        return None;
    }
    let operands = operands(command);
    if only_shows(name, &args, &operands) {
        return None;
    }
    let row = losses(name).find(|loss| {
        begins(&operands, loss.words) && (loss.with.is_empty() || args.iter().any(|arg| is_given(arg, loss.with)))
    });
    if let Some(row) = row {
        return Some(row.what);
    }
    match name {
        "kubectl" | "k" | "kubecolor" => kubernetes(&args, &operands),
        "docker" | "podman" | "nerdctl" | "finch" | "docker-compose" | "podman-compose" => {
            containers(command, &operands)
        }
        "mongosh" | "mongo" => {
            text_has(command, &["dropdatabase", ".drop()", "deletemany({})", "remove({})"]).then_some("collections")
        }
        name if SERVICES.contains(name) => service(&operands),
        _ => None,
    }
}

/// Whether a command for version control only prints what it would delete, or gives back files that have no changes.
fn only_shows(name: &str, args: &[&str], operands: &[Operand<'_>]) -> bool {
    let has = |options: &[&str]| args.iter().any(|arg| options.contains(arg));
    match name {
        "hg" | "chg" | "sl" => begins(operands, &["purge|clean"]) && has(&["-p", "--print"]),
        "p4" => begins(operands, &["revert"]) && has(&["-a"]),
        _ => false,
    }
}

/// Whether an argument is one of these options, alone or with a value that does not switch it off: `--prune=true`.
fn is_given(arg: &str, options: &[&str]) -> bool {
    let (option, value) = arg.split_once('=').unwrap_or((arg, ""));
    options.contains(&arg) || options.contains(&option) && value != "false"
}

fn kubernetes(args: &[&str], operands: &[Operand<'_>]) -> Option<&'static str> {
    /// Resources that others rely on or that keep data. Pods are not listed, since they are restarted.
    #[rustfmt::skip]
    const HEAVY: [&str; 29] = [
        "ns", "namespace", "namespaces", "all", "pv", "pvc", "persistentvolume", "persistentvolumes", "persistentvolumeclaim",
        "persistentvolumeclaims", "node", "nodes", "crd", "crds", "customresourcedefinition", "deployment", "deployments", "deploy",
        "statefulset", "statefulsets", "sts", "secret", "secrets", "storageclass", "sc", "clusterrole", "clusterrolebinding", "ingress",
        "daemonset",
    ];
    if args.iter().any(|arg| arg.starts_with("--dry-run") && *arg != "--dry-run=none") {
        return None;
    }
    let many = || {
        args.iter().any(|arg| {
            matches!(*arg, "--all" | "-A" | "--all-namespaces" | "-R" | "--recursive" | "-k" | "--kustomize")
                || arg.starts_with("--all=")
        }) || args
            .windows(2)
            .any(|pair|                 matches!(pair, ["-f" | "--filename", file] if matches!(*file, "." | "-") || file.ends_with('/') || file.contains("://")))
    };
    if begins(operands, &["delete"]) {
        let at = operands.iter().position(|operand| operand.text == "delete")?;
        let kinds = operands.get(at + 1..).unwrap_or_default().iter().map(|operand| operand.text);
        let is_heavy = kinds
            .flat_map(|kinds| kinds.split(','))
            .any(|kind| HEAVY.contains(&kind.split(['/', '.']).next().unwrap_or_default()));
        return (is_heavy || many()).then_some("what the cluster runs or keeps");
    }
    if begins(operands, &["drain"]) {
        return Some("what runs on the node");
    }
    if begins(operands, &["scale"])
        && (args.contains(&"--replicas=0") || args.windows(2).any(|pair| pair == ["--replicas", "0"]))
    {
        return Some("every replica of what runs");
    }
    (begins(operands, &["replace"]) && args.contains(&"--force")).then_some("resources of the cluster")
}

fn containers(command: &Command<'_>, operands: &[Operand<'_>]) -> Option<&'static str> {
    let given = options(command.args(), &["--filter"]);
    let has = |names: &[&str]| given.options.iter().any(|option| names.contains(&option.name.as_str()));
    let all = has(&["-a", "--all", "--volumes"]);
    // Operands from another command's output mean everything.
    let lists = command
        .args()
        .iter()
        .any(|word| word.text().starts_with(UNKNOWN) && word.raw().contains(['(', '`']) && !is_filtered(word.raw()));
    let removes = begins(operands, &["rm"]) || begins(operands, &["container|compose", "rm"]);
    match () {
        () if removes && has(&["-v", "--volumes"]) => Some("volumes that only these containers have"),
        () if begins(operands, &["system", "prune"]) && all => Some("images and volumes that are not in use"),
        () if begins(operands, &["image", "prune"]) && all => Some("images that are not in use"),
        () if begins(operands, &["rm"]) || begins(operands, &["container", "rm"]) => {
            (lists && has(&["-f", "--force"])).then_some("every container that is listed")
        }
        () if begins(operands, &["rmi"]) => (lists && has(&["-f", "--force"])).then_some("every image that is listed"),
        () => None,
    }
}

/// Whether a listing is restricted to some objects: `$(docker ps -aq --filter name=test)`.
fn is_filtered(listing: &str) -> bool {
    listing.split_whitespace().any(|word| {
        word.starts_with("--filter")
            || word.strip_prefix('-').is_some_and(|short| short.ends_with('f') && !short.starts_with('-'))
    })
}

/// Judges `aws rds delete-db-instance`, `gcloud sql instances delete`, `az group delete`.
fn service(operands: &[Operand<'_>]) -> Option<&'static str> {
    // Actions on things that can be recreated at once, or that only record the past.
    const LIGHT: [&str; 4] = ["delete-message", "delete-tags", "delete-object-tagging", "delete-log-stream"];
    const ACTIONS: [&str; 9] = [
        "delete",
        "destroy",
        "purge",
        "terminate",
        "delete-batch",
        "deregister",
        "schedule-key-deletion",
        "empty-trash",
        "clear",
    ];
    const BEGINNINGS: [&str; 5] = ["delete-", "terminate-", "purge-", "batch-delete", "destroy-"];
    const ENDS: [&str; 4] = ["delete", "destroy", "purge", "terminate"];
    // These are actions such as `apps:destroy` and `service-instance-delete`.
    let ends = |text: &str| {
        text.rsplit_once(['-', ':', '.'])
            .is_some_and(|(before, action)| !before.contains('/') && ENDS.contains(&action))
    };
    let is_action =
        |text: &str| ACTIONS.contains(&text) || BEGINNINGS.iter().any(|begin| text.starts_with(begin)) || ends(text);
    let action =
        operands.iter().filter(|operand| !operand.may_be_value).take(5).find(|operand| is_action(operand.text))?;
    (!LIGHT.contains(&action.text)).then_some("what the service keeps for you")
}

/// Returns the address of a `DELETE` request, unless it leads to a development server.
fn request(command: &Command<'_>) -> Option<String> {
    let args = command.args();
    let (is_delete, url) = match command.name {
        "curl" | "wget" => {
            let given =
                options(args, &["-X", "--request", "--method", "-H", "--header", "-d", "--data", "-u", "--user", "-o"]);
            let method = given.value(&["-X", "--request", "--method"]).map(Word::text).unwrap_or_default();
            (method.eq_ignore_ascii_case("delete"), given.operands.first().cloned())
        }
        "gh" | "glab" if begins(&operands(command), &["api"]) => {
            let given =
                options(args, &["-X", "--method", "-f", "-F", "-H", "-q", "-t", "--field", "--raw-field", "--jq"]);
            let method = given.value(&["-X", "--method"]).map(Word::text).unwrap_or_default();
            (method.eq_ignore_ascii_case("delete"), given.operands.get(1).cloned())
        }
        "http" | "https" | "xh" | "xhs" => {
            let mut operands = args.iter().filter(|word| !word.text().starts_with('-'));
            let is_delete = operands.next().is_some_and(|word| word.text() == "DELETE" || word.text() == "delete");
            (is_delete, operands.next().cloned())
        }
        // This applies to any client: `az rest --method delete`, `oci raw-request --http-method DELETE`.
        name if !PLAIN.contains(name) => {
            let given = options(args, &["-X", "--method", "--http-method", "--request", "--request-method"]);
            let method = given.value(&["-X", "--method", "--http-method", "--request", "--request-method"])?;
            // In `php artisan route:list --method=DELETE`, the method is a filter.
            let path = given.operands.get(1).filter(|word| word.text().contains('/') || word.raw().contains('$'));
            let url = args.iter().find(|word| word.text().contains("://")).or(path)?;
            (method.text().eq_ignore_ascii_case("delete"), Some(url.clone()))
        }
        _ => return None,
    };
    let url = url.filter(|_| is_delete)?;
    if matches!(command.name, "gh" | "glab") {
        return Some(shown(&url));
    }
    let (host, path) = address(url.text());
    // In a search engine, a single name can mean a whole index.
    let is_store = host.ends_with(":9200") && !path.contains('/');
    (!is_local(host) || is_store).then(|| shown(&url))
}

/// Returns a URL as written, shortened, for use in reasons.
fn shown(url: &Word) -> String {
    url.raw().chars().take(80).collect()
}

/// Returns the host and the path in a URL.
pub(crate) fn address(url: &str) -> (&str, &str) {
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    rest.split_once('/').unwrap_or((rest, ""))
}

/// Whether a host is this machine.
pub(crate) fn is_local(host: &str) -> bool {
    host.starts_with(':') || ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"].iter().any(|local| host.starts_with(local))
}

/// Whether a command stops the machine or all of its processes.
fn halts(command: &Command<'_>) -> bool {
    let has = |wanted: &[&str]| command.args().iter().any(|word| wanted.contains(&word.text()));
    if has(&["--help", "--version"]) {
        return false;
    }
    match command.name {
        "shutdown" => !has(&["-c", "--show"]),
        "reboot" | "halt" | "poweroff" => !has(&["-w", "--wtmp-only"]),
        "init" | "telinit" => has(&["0", "6"]),
        "systemctl" => begins(&operands(command), &["poweroff|reboot|halt|kexec|emergency|rescue|soft-reboot"]),
        "kill" => {
            !has(&["-0", "-l", "-L", "-HUP", "-1"]) && has(&["1"])
                || command.args().iter().skip(1).any(|word| word.text() == "-1")
        }
        "killall5" => true,
        _ => false,
    }
}

fn text_has(command: &Command<'_>, wanted: &[&str]) -> bool {
    texts(command).any(|text| {
        let flat: String = text.to_ascii_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
        wanted.iter().any(|wanted| flat.contains(wanted))
    })
}

/// Returns the arguments and the standard input.
fn texts<'a>(command: &'a Command<'_>) -> impl Iterator<Item = String> + 'a {
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    let args = command.args().iter().flat_map(|word| {
        let text = word.text();
        // This is an option with its value: `--command=…`.
        let text = text.split_once('=').filter(|(name, _)| name.starts_with("--")).map_or(text, |(_, value)| value);
        [text].into_iter().chain(attached(text)).map(str::to_owned)
    });
    // The arguments of `db2` are one statement: `db2 drop table orders`.
    let statement = (command.name == "db2").then(|| {
        let words = command.args().iter().map(Word::text).filter(|text| !text.starts_with('-'));
        words.collect::<Vec<_>>().join(" ")
    });
    args.chain(statement).chain(stdin.map(|word| word.text().to_owned()))
}

/// Returns the possible values in a word that begins with short options: `-eDROP TABLE t`, `-NeDROP TABLE t`.
fn attached(text: &str) -> impl Iterator<Item = &str> {
    /// The maximum number of letters that are taken for options.
    const MAX: usize = 4;
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
    let ends = letters.char_indices().take(MAX).take_while(|(_, c)| c.is_ascii_alphanumeric());
    ends.filter_map(move |(at, _)| letters.get(at + 1..))
}
