//! Commands that throw away what a service, a database or a cloud keeps. Whether that is wanted only a person knows.

use hookbox_policy::{Command, Findings, Word, options};

/// A command that loses something.
struct Loss {
    /// The program.
    program: &'static str,
    /// The operands that the command must begin with, in this order; others may stand between them. Several words
    /// in one are alternatives, by `|`.
    words: &'static [&'static str],
    /// One of these words must be among the arguments, if there are any here.
    with: &'static [&'static str],
    /// None of these words may be among them.
    without: &'static [&'static str],
    what: &'static str,
}

const DRY: &[&str] =
    &["--dry-run", "--dryrun", "-n", "--dry-run=client", "--dry-run=server", "--help", "-h", "--check", "--noop"];

macro_rules! losses {
    ($($program:literal $words:tt $(with $with:tt)? => $what:literal;)+) => {
        &[$(Loss { program: $program, words: &$words, with: &[$(losses!(@ $with))?], without: DRY, what: $what }),+]
    };
    (@ $word:literal) => { $word };
}

/// What is lost, by program. A program may stand here many times.
const LOSSES: &[Loss] = losses! {
    "terraform" ["destroy"] => "all infrastructure of this configuration";
    "tofu" ["destroy"] => "all infrastructure of this configuration";
    "terragrunt" ["destroy|run-all"] => "all infrastructure of this configuration";
    "terraform" ["state", "rm"] => "what is known of the infrastructure";
    "terraform" ["workspace", "delete"] => "a workspace";
    "pulumi" ["destroy"] => "all resources of the stack";
    "pulumi" ["stack", "rm"] => "the stack";
    "cdk" ["destroy"] => "the stack";
    "sam" ["delete"] => "the stack";
    "serverless" ["remove"] => "the service";
    "sls" ["remove"] => "the service";
    "ansible-galaxy" ["role|collection", "remove"] => "installed roles";
    "vagrant" ["destroy"] => "the virtual machine";
    "helm" ["uninstall|delete|del|un"] => "the release";
    "helmfile" ["destroy|delete"] => "all releases";
    "velero" ["uninstall"] => "the backups";
    "velero" ["backup|restore|schedule|backup-location", "delete"] => "the backups";
    "oc" ["delete"] => "resources of the cluster";
    "argocd" ["app", "delete"] => "the application";
    "istioctl" ["uninstall"] => "the mesh";
    "docker" ["volume", "rm|prune|remove"] => "what is in volumes";
    "podman" ["volume", "rm|prune|remove"] => "what is in volumes";
    "docker" ["stack|swarm|service|network|secret|config", "rm|leave|remove"] => "what runs in the swarm";
    "docker-compose" ["down"] with "-v" => "what is in volumes";
    "docker-compose" ["down"] with "--volumes" => "what is in volumes";
    "docker" ["compose", "down"] with "-v" => "what is in volumes";
    "docker" ["compose", "down"] with "--volumes" => "what is in volumes";
    "podman" ["system", "reset"] => "all images, containers and volumes";
    "mysqladmin" ["drop"] => "a whole database";
    "dropdb" [] => "a whole database";
    "dropuser" [] => "a user of the database";
    "redis-cli" ["flushall|FLUSHALL|flushdb|FLUSHDB"] => "everything in the store";
    "restic" ["forget|prune"] => "backups";
    "restic" ["key", "remove"] => "access to the backups";
    "borg" ["delete|prune"] => "backups";
    "borg" ["compact"] => "backups";
    "rclone" ["delete|purge|deletefile|rmdirs|sync"] => "files of the remote";
    "rclone" ["cleanup"] => "files of the remote";
    "mc" ["rb"] => "a bucket";
    "mc" ["rm"] with "--recursive" => "objects of a bucket";
    "mc" ["rm"] with "-r" => "objects of a bucket";
    "mc" ["admin", "bucket", "delete|remove"] => "a bucket";
    "s3cmd" ["rb|del|rm"] => "objects of a bucket";
    "gsutil" ["rb"] => "a bucket";
    "gsutil" ["rm"] => "objects of a bucket";
    "gsutil" ["rsync"] with "-d" => "objects of a bucket";
    "azcopy" ["remove|rm"] => "objects of a container";
    "aws" ["s3", "rb"] => "a bucket";
    "aws" ["s3", "rm"] with "--recursive" => "objects of a bucket";
    "aws" ["s3", "sync"] with "--delete" => "objects of a bucket";
    "gcloud" ["storage", "rm"] => "objects of a bucket";
    "fly" ["apps", "destroy"] => "the application";
    "flyctl" ["apps", "destroy"] => "the application";
    "fly" ["destroy|volumes", "destroy|delete"] => "the application";
    "heroku" ["apps:destroy|pg:reset|destroy"] => "the application or its data";
    "vercel" ["rm|remove"] => "the deployment";
    "netlify" ["sites:delete"] => "the site";
    "railway" ["delete|down"] => "the deployment";
    "wrangler" ["delete"] => "the worker";
    "wrangler" ["d1|kv:namespace|kv:key|r2", "delete"] => "stored data";
    "firebase" ["firestore:delete|database:remove|hosting:disable"] => "stored data";
    "supabase" ["db", "reset"] => "the database";
    "prisma" ["migrate", "reset"] => "the database";
    "npx" ["prisma", "migrate", "reset"] => "the database";
    "rails" ["db:drop|db:reset|db:purge"] => "the database";
    "rake" ["db:drop|db:reset|db:purge"] => "the database";
    "artisan" ["migrate:fresh|migrate:reset|db:wipe"] => "the database";
    "php" ["artisan", "migrate:fresh|migrate:reset|db:wipe"] => "the database";
    "sqlx" ["database", "drop|reset"] => "the database";
    "diesel" ["database", "reset"] => "the database";
    "gh" ["repo", "delete"] => "the repository";
    "gh" ["repo", "archive"] => "the repository";
    "gh" ["release", "delete"] => "the release";
    "gh" ["secret|variable|ssh-key|gpg-key|label|gist|run|cache|workflow", "delete|remove"] => "what others rely on";
    "glab" ["repo|release|variable", "delete"] => "what others rely on";
    "npm" ["unpublish"] => "a published package";
    "cargo" ["yank"] => "a published version";
    "crontab" [] with "-r" => "all jobs of the user";
    "etcdctl" ["del"] with "--prefix" => "keys of the store";
    "consul" ["kv", "delete"] with "-recurse" => "keys of the store";
    "vault" ["secrets", "disable"] => "all secrets of an engine";
    "vault" ["kv", "destroy|metadata"] => "secrets";
    "kafka-topics" [] with "--delete" => "a topic with all messages";
    "kafka-topics.sh" [] with "--delete" => "a topic with all messages";
    "rabbitmqctl" ["reset|force_reset|delete_queue|delete_vhost|purge_queue"] => "queues and messages";
};

/// Programs with many kinds of things: an action of them that deletes one is asked about.
const CLOUDS: [&str; 10] =
    ["aws", "gcloud", "az", "doctl", "linode-cli", "hcloud", "oci", "ibmcloud", "aliyun", "openstack"];

/// The programs that run SQL.
const DATABASES: [&str; 14] = [
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "sqlcmd",
    "duckdb",
    "clickhouse-client",
    "cockroach",
    "bq",
    "snowsql",
    "usql",
    "mycli",
    "pgcli",
    "litecli",
];

pub(crate) fn judge(command: &Command<'_>, found: &mut Findings) {
    if let Some(what) = loss(command) {
        found.ask(format!("{} would delete {what}; is that meant?", command.quote()));
    }
}

fn loss(command: &Command<'_>) -> Option<&'static str> {
    let args: Vec<&str> = command.args().iter().map(Word::text).collect();
    let has = |wanted: &[&str]| args.iter().any(|arg| wanted.contains(arg));
    let operands: Vec<&str> = args.iter().copied().filter(|arg| !arg.starts_with('-')).collect();
    let name = command.name;
    if let Some(loss) = LOSSES.iter().find(|loss| {
        loss.program == name
            && in_order(&operands, loss.words)
            && (loss.with.is_empty() || has(loss.with))
            && !has(loss.without)
    }) {
        return Some(loss.what);
    }
    match name {
        "terraform" | "tofu" if has(&["-destroy", "--destroy"]) && !operands.contains(&"plan") => {
            Some("all infrastructure of this configuration")
        }
        "kubectl" | "k" | "kubecolor" => kubernetes(&args, &operands),
        "docker" | "podman" | "nerdctl" => containers(command, &operands),
        "mongosh" | "mongo" => {
            text_has(command, &["dropdatabase", ".drop()", "deletemany({})", "remove({})"]).then_some("collections")
        }
        name if CLOUDS.contains(&name) => cloud(&operands, &args),
        name if DATABASES.contains(&name) => by_sql(command).then_some("tables, databases or all rows of a table"),
        _ => None,
    }
}

/// Whether these words stand among the operands in this order, the first of them where a subcommand stands.
fn in_order(operands: &[&str], words: &[&str]) -> bool {
    let mut rest = operands.iter().take(8);
    words.iter().all(|wanted| rest.any(|word| wanted.split('|').any(|wanted| wanted == *word)))
}

fn kubernetes(args: &[&str], operands: &[&str]) -> Option<&'static str> {
    if args.iter().any(|arg| arg.starts_with("--dry-run") && *arg != "--dry-run=none") {
        return None;
    }
    match operands {
        [first, rest @ ..] if *first == "delete" || rest.first() == Some(&"delete") => {
            let what = rest.iter().find(|word| **word != "delete").copied().unwrap_or_default();
            let kind = what.split(['/', ',']).next().unwrap_or_default();
            let heavy = [
                "ns",
                "namespace",
                "namespaces",
                "all",
                "pv",
                "pvc",
                "persistentvolume",
                "persistentvolumes",
                "persistentvolumeclaim",
                "persistentvolumeclaims",
                "node",
                "nodes",
                "crd",
                "crds",
                "customresourcedefinition",
                "deployment",
                "deployments",
                "deploy",
                "statefulset",
                "statefulsets",
                "sts",
                "secret",
                "secrets",
                "storageclass",
                "sc",
                "clusterrole",
                "clusterrolebinding",
            ];
            let many =
                args.iter().any(|arg| matches!(*arg, "--all" | "-A" | "--all-namespaces") || arg.starts_with("--all="));
            (heavy.contains(&kind) || many).then_some("what the cluster runs or keeps")
        }
        ["drain", ..] => Some("what runs on the node"),
        ["replace", ..] if args.contains(&"--force") => Some("resources of the cluster"),
        _ => None,
    }
}

fn containers(command: &Command<'_>, operands: &[&str]) -> Option<&'static str> {
    let given = options(command.args(), &["--filter", "-f"]);
    let has = |names: &[&str]| given.options.iter().any(|option| names.contains(&option.name.as_str()));
    let all =
        has(&["-a", "--all", "--volumes"]) || command.args().iter().any(|word| matches!(word.text(), "-af" | "-fa"));
    match operands {
        ["system", "prune", ..] if all => Some("images and volumes that are not in use"),
        ["image", "prune", ..] if all => Some("images that are not in use"),
        ["builder" | "buildx", "prune", ..] => None,
        _ => None,
    }
}

/// `aws rds delete-db-instance`, `gcloud sql instances delete`, `az group delete`.
fn cloud(operands: &[&str], args: &[&str]) -> Option<&'static str> {
    if args.iter().any(|arg| matches!(*arg, "--dry-run" | "--dryrun" | "--help" | "help")) {
        return None;
    }
    let is_action = |word: &&&str| {
        matches!(
            **word,
            "delete"
                | "destroy"
                | "purge"
                | "delete-batch"
                | "terminate-instances"
                | "deregister"
                | "schedule-key-deletion"
        ) || word.starts_with("delete-")
            || word.starts_with("terminate-")
            || word.starts_with("purge-")
            || word.starts_with("batch-delete")
    };
    let found = operands.iter().skip(1).take(5).find(is_action)?;
    // What can be made again at once, or says what was.
    let light = ["delete-message", "delete-tags", "delete-object-tagging", "delete-log-stream"];
    (!light.contains(found)).then_some("what the cloud keeps for you")
}

fn text_has(command: &Command<'_>, wanted: &[&str]) -> bool {
    texts(command).any(|text| {
        let flat: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        wanted.iter().any(|wanted| flat.contains(wanted))
    })
}

/// The arguments and the standard input, in lower case.
fn texts<'a>(command: &'a Command<'_>) -> impl Iterator<Item = String> + 'a {
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    let args = command.args().iter().map(|word| word.text().to_ascii_lowercase());
    args.chain(stdin.map(|word| word.text().to_ascii_lowercase()))
}

/// Whether SQL in the arguments or on stdin drops, truncates, or deletes without a condition.
fn by_sql(command: &Command<'_>) -> bool {
    texts(command).flat_map(|text| text.split(';').map(str::to_owned).collect::<Vec<_>>()).any(|statement| {
        let words: Vec<&str> =
            statement.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        let starts =
            |verb: &str| words.first() == Some(&verb) || words.windows(2).any(|pair| pair.get(1) == Some(&verb));
        let drops = words.windows(2).any(|pair| {
            matches!(
                pair,
                [
                    "drop",
                    "database" | "table" | "schema" | "view" | "index" | "user" | "role" | "column" | "materialized"
                ]
            )
        });
        let truncates =
            words.first() == Some(&"truncate") || words.windows(2).any(|pair| matches!(pair, ["truncate", "table"]));
        let deletes =
            starts("delete") && words.contains(&"from") && !words.contains(&"where") && !words.contains(&"using");
        drops || truncates || deletes
    })
}
