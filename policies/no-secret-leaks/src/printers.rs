//! Programs that print a secret on request.

use crate::Reads;
use crate::environment::{is_passed_on, is_read};
use hookbox_policy::{Command, Findings, Word};
use hookbox_secrets::is_secret_name;

/// A program, the words that make it print a secret, and the options of which one is required for that.
const PRINTERS: &[(&str, &[&str], &[&str])] = &[
    ("gh", &["auth", "token"], &[]),
    ("gh", &["auth", "status"], &["--show-token", "-t"]),
    ("gcloud", &["auth", "print-access-token"], &[]),
    ("gcloud", &["auth", "print-identity-token"], &[]),
    ("gcloud", &["auth", "application-default", "print-access-token"], &[]),
    ("gcloud", &["secrets", "versions", "access"], &[]),
    ("aws", &["configure", "export-credentials"], &[]),
    ("aws", &["configure", "get", "aws_secret_access_key"], &[]),
    ("aws", &["configure", "get", "aws_session_token"], &[]),
    ("aws", &["sts", "get-session-token"], &[]),
    ("aws", &["sts", "assume-role"], &[]),
    ("aws", &["secretsmanager", "get-secret-value"], &[]),
    ("aws", &["ssm", "get-parameter"], &["--with-decryption"]),
    ("aws", &["ssm", "get-parameters"], &["--with-decryption"]),
    ("aws", &["ssm", "get-parameters-by-path"], &["--with-decryption"]),
    ("aws", &["ecr", "get-login-password"], &[]),
    ("aws", &["iam", "create-access-key"], &[]),
    ("az", &["account", "get-access-token"], &[]),
    ("az", &["keyvault", "secret", "show"], &[]),
    ("az", &["storage", "account", "keys", "list"], &[]),
    ("vault", &["kv", "get"], &[]),
    ("vault", &["read"], &[]),
    ("vault", &["print", "token"], &[]),
    ("op", &["read"], &[]),
    ("op", &["item", "get"], &[]),
    ("op", &["inject"], &[]),
    ("bw", &["get"], &[]),
    ("lpass", &["show"], &[]),
    ("pass", &["show"], &[]),
    ("gopass", &["show"], &[]),
    ("security", &["find-generic-password"], &["-w", "-g"]),
    ("security", &["find-internet-password"], &["-w", "-g"]),
    ("security", &["dump-keychain"], &[]),
    ("secret-tool", &["lookup"], &[]),
    ("secret-tool", &["search"], &[]),
    ("kubectl", &["get", "secret"], YAML),
    ("kubectl", &["get", "secrets"], YAML),
    ("kubectl", &["config", "view"], &["--raw"]),
    ("kubectl", &["create", "token"], &[]),
    ("oc", &["whoami"], &["-t", "--show-token"]),
    ("heroku", &["config"], &[]),
    ("heroku", &["config:get"], &[]),
    ("heroku", &["auth:token"], &[]),
    ("doppler", &["secrets"], &[]),
    ("infisical", &["secrets"], &[]),
    ("git", &["credential", "fill"], &[]),
    ("sops", &[], &["-d", "--decrypt", "decrypt"]),
    ("ansible-vault", &["view"], &[]),
    ("ansible-vault", &["decrypt"], &["--output=-", "-"]),
    ("gpg", &[], &["--export-secret-keys", "--export-secret-subkeys"]),
    ("dotenv", &["list"], &[]),
    ("dotenv", &["get"], &[]),
    ("fly", &["auth", "token"], &[]),
    ("flyctl", &["auth", "token"], &[]),
    ("terraform", &["state", "pull"], &[]),
    ("tofu", &["state", "pull"], &[]),
    ("docker-credential-desktop", &["get"], &[]),
    ("docker-credential-osxkeychain", &["get"], &[]),
    ("getent", &["shadow"], &[]),
    ("aws", &["secretsmanager", "batch-get-secret-value"], &[]),
    ("aws", &["rds", "generate-db-auth-token"], &[]),
    ("aws", &["codeartifact", "get-authorization-token"], &[]),
    ("az", &["acr", "credential", "show"], &[]),
    ("az", &["cosmosdb", "keys", "list"], &[]),
    ("az", &["redis", "list-keys"], &[]),
    ("az", &["functionapp", "keys", "list"], &[]),
    ("az", &["webapp", "config", "appsettings", "list"], &[]),
    ("az", &["ad", "sp", "create-for-rbac"], &[]),
    ("gcloud", &["iam", "service-accounts", "keys", "create"], &["-", "/dev/stdout"]),
    ("gcloud", &["sql", "generate-login-token"], &[]),
    ("gh", &["config", "get", "oauth_token"], &[]),
    ("glab", &["auth", "status"], &["-t", "--show-token"]),
    ("glab", &["config", "get", "token"], &[]),
    ("cf", &["oauth-token"], &[]),
    ("cf", &["env"], &[]),
    ("ibmcloud", &["iam", "oauth-tokens"], &[]),
    ("oc", &["get", "secret"], YAML),
    ("oc", &["get", "secrets"], YAML),
    ("oc", &["extract"], &["--to=-"]),
    ("argocd", &["admin", "initial-password"], &[]),
    ("argocd", &["account", "generate-token"], &[]),
    ("databricks", &["auth", "token"], &[]),
    ("databricks", &["secrets", "get-secret"], &[]),
    ("nomad", &["var", "get"], &[]),
    ("conjur", &["variable", "get"], &[]),
    ("akeyless", &["get-secret-value"], &[]),
    ("rbw", &["get"], &[]),
    ("keepassxc-cli", &["show"], &["-s", "--show-protected", "-a"]),
    ("gopass", &["cat"], &[]),
    ("keyring", &["get"], &[]),
    ("chamber", &["read"], &[]),
    ("chamber", &["export"], &[]),
    ("berglas", &["access"], &[]),
    ("infisical", &["export"], &[]),
    ("doppler", &["run"], &["env", "printenv"]),
    ("dotenvx", &["get"], &[]),
    ("dotenvx", &["decrypt"], &["--stdout"]),
    ("teller", &["show"], &[]),
    ("teller", &["env"], &[]),
    ("eas", &["env:list"], &[]),
    ("railway", &["variables"], &[]),
    ("railway", &["variable"], &[]),
    ("netlify", &["env:list"], &[]),
    ("netlify", &["env:get"], &[]),
    ("supabase", &["projects", "api-keys"], &[]),
    ("rails", &["credentials:show"], &[]),
    ("terraform", &["output"], &["-json", "--json", "-raw", "--raw"]),
    ("tofu", &["output"], &["-json", "--json", "-raw", "--raw"]),
    ("pulumi", &["config"], &["--show-secrets"]),
    ("pulumi", &["stack", "output"], &["--show-secrets"]),
    ("pulumi", &["stack", "export"], &["--show-secrets"]),
    ("svn", &["auth"], &["--show-passwords"]),
    ("nmcli", &[], &["-s", "--show-secrets"]),
    ("netsh", &["wlan", "show"], &["key=clear"]),
    ("wg", &["showconf"], &[]),
    ("terraform", &["show"], &["-json", "--json"]),
    ("tofu", &["show"], &["-json", "--json"]),
    ("vercel", &["env", "pull"], &["/dev/stdout", "-"]),
    ("aws", &["eks", "get-token"], &[]),
    ("bw", &["list", "items"], &[]),
    ("kubectl", &["view-secret"], &[]),
    ("git", &["credential-manager", "get"], &[]),
    ("git", &["credential-store", "get"], &[]),
    ("git", &["credential-cache", "get"], &[]),
    ("git", &["credential-osxkeychain", "get"], &[]),
    ("git", &["credential-libsecret", "get"], &[]),
    ("git-credential-manager", &["get"], &[]),
    ("git-credential-osxkeychain", &["get"], &[]),
    ("dotenvx", &["run"], ENV),
    ("dotenv", &["run"], ENV),
    ("dotenv", &[], ENV),
    ("dotenv-cli", &[], ENV),
    ("godotenv", &[], ENV),
    ("env-cmd", &[], ENV),
    ("infisical", &["run"], ENV),
    ("chamber", &["exec"], ENV),
    ("aws-vault", &["exec"], ENV),
];

/// Programs that print the environment, as the last word of a program that runs another one with secrets.
const ENV: &[&str] = &["env", "printenv"];

/// Options that make any program show secrets that it otherwise masks.
const REVEALING: [&str; 9] = [
    "--show-secrets",
    "--show-secret",
    "--reveal",
    "--unmask",
    "--show-passwords",
    "--show-password",
    "--show-tokens",
    "--include-secrets",
    "--with-secrets",
];

const YAML: &[&str] = &["yaml", "json", "-oyaml", "-ojson", "--output=yaml", "--output=json"];

/// Whether a command prints a secret.
pub(crate) fn is_printer(command: &Command) -> bool {
    let words = || command.args().iter().map(Word::text);
    PRINTERS.iter().filter(|(name, ..)| *name == command.name).any(|(_, verbs, with)| {
        // Options may come between the words.
        let mut rest = words().filter(|word| !word.starts_with('-'));
        let has_verbs = verbs.iter().all(|verb| rest.by_ref().take(3).any(|word| word == *verb));
        let is_template = |word: &str| word.contains("jsonpath") || word.contains("go-template");
        let has_option = || match *with == ENV {
            true => words().next_back().is_some_and(|last| ENV.contains(&last)),
            false => words().any(|word| with.contains(&word) || *with == YAML && is_template(word)),
        };
        has_verbs && (with.is_empty() || has_option())
    }) || shows_one(command)
        || words().any(|word| REVEALING.contains(&word))
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
            words.clone().any(|word| word == "inspect")
                && words.any(|word| word.contains("{{") && (word.contains(".Env") || word.contains("json .}}")))
        }
        // This is a secret by its name, or a value that Terraform otherwise masks.
        "pass" | "gopass" => {
            let is_secret = words.clone().next().is_some_and(|first| !first.starts_with('-') && !PASS.contains(&first));
            is_secret && !words.any(|word| matches!(word, "-c" | "--clip"))
        }
        "terraform" | "tofu" => {
            words.clone().any(|word| word == "output")
                && words.any(|word| is_secret_name(word) || is_secret_name(&word.to_uppercase()))
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

/// Whether a program decrypts a file and shows the result.
fn decrypts(command: &Command) -> bool {
    let words = || command.args().iter().map(Word::text);
    let has = |letter: char, long: &str| {
        words().any(|word| word == long || !word.starts_with("--") && word.starts_with('-') && word.contains(letter))
    };
    match command.name {
        "age" | "rage" | "gpg" | "gpg2" => has('d', "--decrypt") && !has('o', "--output"),
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
        let is_captured = command.facts.via.as_deref() == Some("substitution")
            || is_read(index, commands) && !is_passed_on(index, commands)
            || command.facts.redirects.iter().any(|redirect| redirect.op.starts_with('>'));
        if !is_captured && is_printer(command) {
            found.ask(format!(
                "{} prints a secret; let the program that needs it read it, as in `… | docker login --password-stdin`",
                command.quote()
            ));
        }
    }
}
