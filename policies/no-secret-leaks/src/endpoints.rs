//! Services that answer a request with a secret, such as those from which the machines of a cloud get their credentials.

use crate::Reads;
use crate::environment::{code, is_fed};
use crate::exfiltration::mentions;
use crate::pipes::PRINTS;
use crate::reads::copies_to_output;
use crate::stores::is;
use hookbox_policy::network::{Reach, Target, is_fetch, target};
use hookbox_policy::{Command, Findings, Word, options};
use hookbox_sdk::{Tool, ToolKind};

/// The ends of their paths, in lower case. `*` matches any characters of a part.
#[rustfmt::skip] // Many words to a line.
const PATHS: &[&str] = &[
    // AWS, Alibaba Cloud and Tencent Cloud. Without a role, the answer is the list of roles.
    "meta-data/iam/security-credentials/*", "meta-data/ram/security-credentials/*",
    "meta-data/cam/security-credentials/*", "meta-data/identity-credentials/ec2/security-credentials/*",
    // Google Cloud and Yandex Cloud
    "computemetadata/*/instance/service-accounts/*/token", "computemetadata/*/instance/service-accounts/*/identity",
    "computemetadata/*/instance/attributes/kube-env",
    // Azure, Huawei Cloud, Oracle Cloud and IBM Cloud
    "metadata/identity/oauth2/token", "msi/token", "openstack/*/securitykey", "opc/*/identity/key.pem",
    "instance_identity/*/token", "instance_identity/*/iam_token",
    // Kubernetes and Google's store of secrets
    "api/v1/secrets", "api/v1/namespaces/*/secrets", "api/v1/namespaces/*/secrets/*", "secrets/*/versions/*:access",
];

/// The ends of paths that mean a secret only at an address for the metadata of machines: those of containers on AWS.
const LOCAL_PATHS: &[&str] = &["v1/credentials", "v2/credentials/*"];

/// Variables with the address of such a service.
const VARIABLES: &[&str] = &[
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "IDENTITY_ENDPOINT",
    "MSI_ENDPOINT",
    "ACTIONS_ID_TOKEN_REQUEST_URL",
    "SYSTEM_OIDCREQUESTURI",
];

/// The options of `curl` that take a value.
#[rustfmt::skip] // Many words to a line.
const CURL: &[&str] = &[
    "-A", "-b", "-c", "-C", "-d", "-D", "-e", "-E", "-F", "-H", "-K", "-m", "-o", "-P", "-Q", "-r", "-t", "-T", "-u",
    "-U", "-w", "-x", "-X", "-y", "-Y", "-z", "--cacert", "--connect-timeout", "--cookie", "--data", "--header",
    "--max-time", "--noproxy", "--output", "--output-dir", "--request", "--retry", "--retry-delay", "--url", "--user",
    "--user-agent", "--write-out",
];

/// Judges the addresses that a tool other than a shell requests.
pub(crate) fn judge(tool: &Tool, arguments: &str, reads: Reads, found: &mut Findings) {
    if reads == Reads::Allow {
        return;
    }
    let is_requested = |url: &&String| match tool.kind {
        ToolKind::Fetch => true,
        // In a longer text, an address is only mentioned.
        ToolKind::Mcp | ToolKind::Other => arguments.contains(&format!("\"{url}\"")),
        _ => false,
    };
    if let Some(url) = tool.urls.iter().filter(is_requested).find(|url| is_of_secret(url)) {
        found.ask(format!("{url} answers with a secret; let the program that needs it request it"));
    }
}

/// Whether a command prints the answer of such a service.
pub(crate) fn prints_answer(command: &Command) -> bool {
    requests(command) && !is_stored(command)
}

/// Whether a command requests a secret from such a service.
pub(crate) fn requests(command: &Command) -> bool {
    let args = || command.args().iter();
    let names_one = |text: &str| pieces(text).any(is_of_secret);
    if is_fetch(command) || matches!(command.name, "kubectl" | "oc") && args().any(|word| is_raw(word.text())) {
        let has_variable = |word: &Word| VARIABLES.iter().any(|name| mentions(word.raw(), name));
        let input = command.facts.stdin.as_ref().map(Word::from);
        return args().chain(&input).any(|word| names_one(word.text()) || has_variable(word));
    }
    let input = command.facts.stdin.as_ref().filter(|_| is_fed(command)).map(Word::from);
    let Some(code) = code(command.name, command).or_else(|| input.as_ref().map(Word::text)) else { return false };
    // A name that the code appends is not known.
    let is_begun = |piece: &str| piece.ends_with('/') && is_of_secret(&format!("{piece}x"));
    PRINTS.iter().any(|print| code.contains(print))
        && (VARIABLES.iter().any(|name| code.contains(name))
            || pieces(code).any(|piece| is_of_secret(piece) || is_begun(piece)))
}

/// Whether an option of `kubectl` requests a path of its server: `get --raw`.
fn is_raw(text: &str) -> bool {
    text == "--raw" || text.starts_with("--raw=")
}

/// Returns the parts of a text that may be addresses.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split(|c: char| c.is_whitespace() || "\"'`,()<>=".contains(c));
    pieces.filter(|piece| piece.contains('/'))
}

/// Whether an address is one of a service that answers with a secret.
fn is_of_secret(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    let ends = |pattern: &&str| {
        let mut names = names.iter().rev();
        pattern.rsplit('/').all(|part| names.next().is_some_and(|name| is(part, name)))
    };
    let is_local = || matches!(target(address), Target::Host(host) if host.reach() == Reach::Metadata);
    PATHS.iter().any(ends) || LOCAL_PATHS.iter().any(ends) && is_local()
}

/// Whether a client writes every answer into a file.
fn is_stored(command: &Command) -> bool {
    if copies_to_output(command) {
        return false;
    }
    let is_file = |file: Option<&Word>| file.is_none_or(|file| file.text() != "-");
    match command.name {
        "curl" | "curlie" => {
            let given = options(command.args(), CURL);
            let is_output = |name: &str| matches!(name, "-o" | "-O" | "--output" | "--remote-name");
            let outputs = given.options.iter().filter(|option| is_output(&option.name));
            let urls = given.operands.len() + given.values(&["--url"]).count();
            outputs.clone().count() >= urls.max(1)
                && outputs.clone().all(|option| is_file(option.value.as_ref()))
                && !given.has(&["--trace", "--trace-ascii"])
        }
        "wget" | "wget2" => {
            let given = options(command.args(), &["-a", "-i", "-o", "-O", "-P", "-t", "-T", "-U", "--output-document"]);
            is_file(given.value(&["-O", "--output-document"]))
        }
        "aria2c" | "axel" | "lwp-download" => true,
        "http" | "https" | "xh" | "xhs" => {
            let given = options(command.args(), &["-o", "--output"]);
            given.has(&["-d", "-o", "--download", "--output"]) && is_file(given.value(&["-o", "--output"]))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_secret;

    #[test]
    fn addresses() {
        for address in [
            "http://169.254.169.254/latest/meta-data/iam/security-credentials/app",
            "http://[fd00:ec2::254]/2021-07-15/meta-data/iam/security-credentials/app/",
            "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token?alt=text",
            "169.254.169.254/metadata/identity/oauth2/token?resource=https://vault.azure.net",
            "http://169.254.170.2/v2/credentials/6a1f",
            "/api/v1/namespaces/default/secrets/db",
        ] {
            assert!(is_of_secret(address), "{address}");
        }
        for address in [
            "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
            "http://169.254.169.254/latest/meta-data/instance-id",
            "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/email",
            "https://api.example.com/v2/credentials/6a1f",
            "https://example.com/docs/security-credentials/app",
        ] {
            assert!(!is_of_secret(address), "{address}");
        }
    }
}
