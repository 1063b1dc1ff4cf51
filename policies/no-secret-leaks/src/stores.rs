//! Where secrets are kept, as data.

/// How secret a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// It must not leave this machine. To read it is harmless, since what is secret in a result is replaced.
    Send,
    /// An agent may have a reason to read it.
    Ask,
    /// It holds nothing but credentials.
    Deny,
}

/// Names that a file's path ends in, in small letters: `*` stands for any characters of a name, `**` at the end for
/// anything below.
const DENIED: &[&str] = &[
    // Keys
    ".ssh/**",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
    "id_xmss",
    "etc/ssh/ssh_host_*_key",
    ".gnupg/private-keys-v1.d/**",
    ".gnupg/secring.gpg",
    ".gnupg/*.gpg~",
    "etc/ssl/private/**",
    "privkey*.pem",
    ".config/sops/age/keys.txt",
    ".config/age/*",
    ".age/*.txt",
    "etc/krb5.keytab",
    "etc/wireguard/*.conf",
    "etc/ipsec.secrets",
    "etc/ppp/chap-secrets",
    // Clouds
    ".aws/credentials",
    ".aws/sso/cache/**",
    ".aws/cli/cache/**",
    ".config/gcloud/credentials.db",
    ".config/gcloud/access_tokens.db",
    ".config/gcloud/application_default_credentials.json",
    ".config/gcloud/legacy_credentials/**",
    ".azure/accesstokens.json",
    ".azure/msal_token_cache*",
    ".azure/service_principal_entries*",
    ".kube/config",
    ".kube/cache/oidc-login/**",
    "etc/kubernetes/*.conf",
    "etc/rancher/k3s/k3s.yaml",
    ".docker/config.json",
    ".config/containers/auth.json",
    "run/containers/*/auth.json",
    ".oci/config",
    ".aliyun/config.json",
    ".bluemix/config.json",
    ".config/doctl/config.yaml",
    ".config/hcloud/cli.toml",
    ".config/linode-cli",
    ".config/scw/config.yaml",
    ".fly/config.yml",
    ".config/flyctl/config.yml",
    ".netlify/config.json",
    ".config/netlify/config.json",
    ".vercel/auth.json",
    "com.vercel.cli/auth.json",
    ".railway/config.json",
    ".config/heroku/*.json",
    ".cloudflared/*.json",
    ".cloudflared/cert.pem",
    ".wrangler/config/default.toml",
    ".config/.wrangler/config/default.toml",
    ".databrickscfg",
    ".snowflake/connections.toml",
    ".config/pulumi/credentials.json",
    ".pulumi/credentials.json",
    ".terraform.d/credentials.tfrc.json",
    ".terraformrc",
    ".vault-token",
    ".config/op/**",
    ".config/doppler/**",
    ".doppler/.doppler.yaml",
    ".config/ngrok/ngrok.yml",
    ".ngrok2/ngrok.yml",
    ".config/configstore/firebase-tools.json",
    ".config/stripe/config.toml",
    ".s3cfg",
    ".boto",
    ".config/rclone/rclone.conf",
    ".rclone.conf",
    ".passwd-s3fs",
    ".mc/config.json",
    "run/secrets/**",
    "var/run/secrets/**",
    // Code and packages
    ".git-credentials",
    ".config/git/credentials",
    ".config/gh/hosts.yml",
    ".config/glab-cli/config.yml",
    ".config/hub",
    ".netrc",
    "_netrc",
    ".authinfo",
    ".authinfo.gpg",
    ".pypirc",
    ".gem/credentials",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".config/composer/auth.json",
    ".composer/auth.json",
    ".m2/settings-security.xml",
    ".sbt/.credentials",
    ".ivy2/.credentials",
    ".jfrog/jfrog-cli.conf*",
    ".yarnrc.token",
    ".huggingface/token",
    ".cache/huggingface/token",
    ".kaggle/kaggle.json",
    ".circleci/cli.yml",
    ".config/circleci/cli.yml",
    ".sentryclirc",
    ".travis/config.yml",
    // Databases
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".dbshell",
    // Agents
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".qwen/oauth_creds.json",
    ".config/github-copilot/hosts.json",
    ".config/github-copilot/apps.json",
    ".copilot/config.json",
    ".local/share/opencode/auth.json",
    ".config/goose/secrets.yaml",
    ".factory/auth.json",
    ".cursor/auth.json",
    ".config/openai/auth.json",
    ".local/share/kiro-cli/*.sqlite3",
    ".config/amp/secrets.json",
    ".local/share/amp/secrets.json",
    // Passwords of people
    ".local/share/keyrings/**",
    "library/keychains/**",
    ".password-store/**",
    ".config/1password/**",
    "bitwarden cli/data.json",
    "*.kdbx",
    "*.agilekeychain",
    "etc/shadow",
    "etc/shadow-",
    "etc/gshadow",
    "etc/gshadow-",
    "etc/master.passwd",
    "etc/security/opasswd",
    "login data",
    "login data for account",
    "cookies.sqlite",
    "logins.json",
    "key4.db",
    "network/cookies",
    "default/cookies",
    "microsoft/credentials/**",
    "microsoft/protect/**",
    "config/sam",
    // Wallets
    "wallet.dat",
    ".ethereum/keystore/**",
    ".config/solana/id.json",
    ".electrum/wallets/**",
    ".bitcoin/wallets/**",
    ".foundry/keystores/**",
    // Processes
    "proc/*/environ",
    "proc/self/environ",
    "proc/thread-self/environ",
];

const ASKED: &[&str] = &[
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    ".envrc.*",
    ".dev.vars",
    ".dev.vars.*",
    ".flaskenv",
    ".secrets",
    "secrets.yml",
    "secrets.yaml",
    "secrets.json",
    "secrets.toml",
    "secrets.properties",
    "secrets.ini",
    "secrets.tfvars",
    "secrets.auto.tfvars",
    "secret.yml",
    "secret.yaml",
    "secret.json",
    "credentials.json",
    "credentials",
    "credentials.yml",
    "credentials.yaml",
    "credentials.xml",
    "credentials.csv",
    "accesskeys.csv",
    "*_accesskeys.csv",
    "*_credentials.csv",
    "client_secret*.json",
    "service-account*.json",
    "service_account*.json",
    "serviceaccount*.json",
    "*-service-account.json",
    "*.tfstate",
    "*.tfstate.backup",
    ".htpasswd",
    "master.key",
    "*.jks",
    "*.keystore",
    "*.p12",
    "*.pfx",
    "*.ppk",
    "*.keytab",
    "*.ovpn",
    ".bash_history",
    ".zsh_history",
    ".sh_history",
    ".history",
    "fish_history",
    ".psql_history",
    ".mysql_history",
    ".rediscli_history",
    ".python_history",
    ".node_repl_history",
    "consolehost_history.txt",
    ".vault_pass",
    ".vault_password",
    ".vault-password",
    "vault_pass.txt",
    "application-secrets.yml",
    "local.settings.json",
    ".gradle/gradle.properties",
    ".m2/settings.xml",
    ".nuget/nuget/nuget.config",
];

const SENT: &[&str] = &[
    "*.key",
    "*.pem",
    "*.asc",
    "*.gpg",
    ".npmrc",
    ".yarnrc.yml",
    "terraform.tfvars",
    "*.tfvars",
    "wp-config.php",
    "appsettings*.json",
];

/// Files in a store, or with its name, that hold no secrets.
const HARMLESS: &[&str] = &[
    ".ssh/config",
    ".ssh/config.d/**",
    ".ssh/known_hosts*",
    ".ssh/*.pub",
    ".ssh/authorized_keys*",
    ".ssh/allowed_signers",
    "*.pub",
    "*.example",
    "*.sample",
    "*.template",
    "*.tmpl",
    "*.tpl",
    "*.dist",
    "*.defaults",
    "*.default",
    "*.md",
    "*.schema",
    "*.enc",
    "*.encrypted",
    "*.vault",
    "*.example.*",
    "*.sample.*",
    "*.template.*",
    "example.env",
    "sample.env",
    "template.env",
    ".env.ci.example",
    "default.env",
    ".env.d.ts",
    "*.d.ts",
    "*.lock",
    ".config/op/config",
    "*cert.pem",
    "*chain.pem",
    "ca.pem",
    "ca-*.pem",
    "cacert*.pem",
    "*.crt.pem",
    "*public*.pem",
    "*pub*.key",
    "*.pub.*",
    "dhparam*.pem",
    "*public*.key",
    "*public*.gpg",
    "*public*.asc",
    "*keyring.gpg",
    "*.sig.asc",
    "*.tar.gz.asc",
    "*.zip.asc",
    "*.jar.asc",
    "*.pom.asc",
    "*.log",
    ".env.test.example",
];

/// How secret the file with this path is.
pub(crate) fn class_of(path: &str) -> Option<Class> {
    let path = path.replace('\\', "/").to_lowercase();
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    let is_one_of = |patterns: &[&str]| patterns.iter().any(|pattern| matches(pattern, &names));
    let class = if is_one_of(DENIED) {
        Class::Deny
    } else if is_one_of(ASKED) {
        Class::Ask
    } else if is_one_of(SENT) {
        Class::Send
    } else {
        return None;
    };
    (!is_one_of(HARMLESS)).then_some(class)
}

/// How secret what lies in a directory is, for programs that read all of it.
pub(crate) fn class_of_directory(path: &str) -> Option<Class> {
    let path = path.replace('\\', "/").to_lowercase();
    let path = path.trim_end_matches('/');
    const STORES: &[&str] = &[
        "/.ssh",
        "/.aws",
        "/.gnupg",
        "/.kube",
        "/.azure",
        "/.config/gcloud",
        "/.password-store",
        "/.docker",
        "/.config/gh",
        "/.config/op",
        "/.local/share/keyrings",
        "/library/keychains",
        "/run/secrets",
        "/etc/ssl/private",
        "/.ethereum",
        "/.config/solana",
    ];
    STORES.iter().any(|store| path.ends_with(store) || path == store.trim_start_matches('/')).then_some(Class::Deny)
}

/// Whether the names at the end of a path, or with `**` those before, are those of a pattern.
fn matches(pattern: &str, names: &[&str]) -> bool {
    match pattern.strip_suffix("/**") {
        Some(directory) => {
            let wanted = directory.split('/').count();
            // At least one name is below.
            (0..names.len().saturating_sub(wanted))
                .any(|at| names.get(at..at + wanted).is_some_and(|part| are(directory, part)))
        }
        None => {
            let wanted = pattern.split('/').count();
            names.len().checked_sub(wanted).and_then(|at| names.get(at..)).is_some_and(|part| are(pattern, part))
        }
    }
}

fn are(pattern: &str, names: &[&str]) -> bool {
    // From the end: names of files differ more than those of directories.
    pattern.rsplit('/').zip(names.iter().rev()).all(|(pattern, name)| is(pattern, name))
}

/// Whether a name is what a pattern with `*` says.
pub(crate) fn is(pattern: &str, name: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut rest) = name.strip_prefix(head) else {
        return false;
    };
    let mut pieces: Vec<&str> = tail.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        match rest.split_once(piece) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        for (path, class) in [
            ("/home/me/.ssh/id_rsa", Some(Class::Deny)),
            ("/home/me/.ssh/work_key", Some(Class::Deny)),
            ("/home/me/.ssh/config", None),
            ("/home/me/.ssh/id_rsa.pub", None),
            ("/home/me/.aws/credentials", Some(Class::Deny)),
            ("/home/me/.aws/config", None),
            ("/p/.env", Some(Class::Ask)),
            ("/p/.ENV", Some(Class::Ask)),
            ("/p/.env.local", Some(Class::Ask)),
            ("/p/prod.env", Some(Class::Ask)),
            ("/p/.env.example", None),
            ("/p/.env.local.example", None),
            ("/p/environment.ts", None),
            ("/p/src/env.rs", None),
            ("/proc/1/environ", Some(Class::Deny)),
            ("/etc/passwd", None),
            ("/etc/shadow", Some(Class::Deny)),
            ("/p/server.key", Some(Class::Send)),
            ("/p/ca.pem", None),
            ("C:\\Users\\me\\.aws\\credentials", Some(Class::Deny)),
            ("/p/src/keyboard.key.ts", None),
            ("/p/package-lock.json", None),
        ] {
            assert_eq!(class_of(path), class, "{path}");
        }
        assert_eq!(class_of_directory("/home/me/.ssh/"), Some(Class::Deny));
        assert_eq!(class_of_directory("/home/me/src"), None);
    }
}
