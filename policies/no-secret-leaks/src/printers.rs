//! Programs that print a secret when they are asked for it.

use crate::Reads;
use crate::environment::is_read;
use hookbox_policy::{Command, Findings, Word};

/// A program, the words that make it print a secret, and those without which it does not.
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
    ("fly", &["auth", "token"], &[]),
    ("flyctl", &["auth", "token"], &[]),
    ("terraform", &["state", "pull"], &[]),
    ("tofu", &["state", "pull"], &[]),
    ("docker-credential-desktop", &["get"], &[]),
    ("docker-credential-osxkeychain", &["get"], &[]),
    ("getent", &["shadow"], &[]),
];

const YAML: &[&str] = &["yaml", "json", "-oyaml", "-ojson", "--output=yaml", "--output=json"];

/// Whether a command prints a secret.
pub(crate) fn is_printer(command: &Command) -> bool {
    let words = || command.args().iter().map(Word::text);
    PRINTERS.iter().filter(|(name, ..)| *name == command.name).any(|(_, verbs, with)| {
        // Options may stand between the words.
        let mut rest = words().filter(|word| !word.starts_with('-'));
        let has_verbs = verbs.iter().all(|verb| rest.by_ref().take(3).any(|word| word == *verb));
        let is_template = |word: &str| word.contains("jsonpath") || word.contains("go-template");
        let has_option = || words().any(|word| with.contains(&word) || *with == YAML && is_template(word));
        has_verbs && (with.is_empty() || has_option())
    })
}

/// Judges what is printed and read by nobody but the model.
pub(crate) fn judge(commands: &[Command], reads: Reads, found: &mut Findings) {
    if reads == Reads::Allow {
        return;
    }
    for (index, command) in commands.iter().enumerate() {
        let is_captured = command.facts.via.as_deref() == Some("substitution")
            || is_read(index, commands)
            || command.facts.redirects.iter().any(|redirect| redirect.op.starts_with('>'));
        if !is_captured && is_printer(command) {
            found.ask(format!(
                "{} prints a secret; let the program that needs it read it, as in `… | docker login --password-stdin`",
                command.quote()
            ));
        }
    }
}
