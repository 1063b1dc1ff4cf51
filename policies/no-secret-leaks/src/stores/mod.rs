//! The places where secrets are kept.

mod index;
mod spelled;
mod table;

pub(crate) use spelled::stored;

/// The class of a file, from least to most secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// The file must not leave this machine. Reading it is harmless, since secrets in a result are replaced.
    Send,
    /// An agent may have a reason to read the file.
    Ask,
    /// The file contains nothing but credentials.
    Deny,
}

/// Returns the class of the file with this path, or `None` if it is not secret.
pub(crate) fn class_of(path: &str) -> Option<Class> {
    let path = path.replace('\\', "/").to_lowercase();
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    let class = index::class(&names)?;
    let name = names.last().copied().unwrap_or_default();
    let has = |patterns: &[&str]| patterns.iter().any(|pattern| index::fits(&names, pattern));
    let is_harmless =
        has(table::PUBLIC) || is_public(name) || class != Class::Deny && !is_key(name) && has(table::HARMLESS);
    (!is_harmless).then_some(class)
}

/// Whether a name is that of a key, whatever its other words are: `ca-key.pem`, `www.example.com.key`.
fn is_key(name: &str) -> bool {
    name.ends_with(".key") || name.ends_with(".pem") && name.contains("key")
}

/// Whether a word of a name says that a key is public: `public_key.pem`, but not `publisher.key`.
fn is_public(name: &str) -> bool {
    let is_told =
        |word: &str| matches!(word, "pub" | "public") || word.contains("pubkey") || word.contains("publickey");
    [".key", ".pem", ".gpg", ".asc"].iter().any(|end| name.ends_with(end))
        && !name.contains("priv")
        && name.split(|c: char| !c.is_alphanumeric()).any(is_told)
}

/// Returns the class of the files in a directory, for programs that read all of them.
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

/// Whether a name matches a pattern in which `*` matches any characters.
pub(crate) fn is(pattern: &str, name: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut rest) = name.strip_prefix(head) else {
        return false;
    };
    let (pieces, last) = tail.rsplit_once('*').unwrap_or(("", tail));
    for piece in pieces.split('*').filter(|piece| !piece.is_empty()) {
        match rest.split_once(piece) {
            Some((_, after)) => rest = after,
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
            ("/p/server.key", Some(Class::Ask)),
            ("/p/ca.pem", None),
            ("/p/ca-key.pem", Some(Class::Ask)),
            ("/p/publisher.key", Some(Class::Ask)),
            ("/p/www.example.com.key", Some(Class::Ask)),
            ("/p/signing-pub.key", None),
            ("/p/public_key.pem", None),
            ("/p/jwt-pubkey.pem", None),
            ("/home/me/.cloudflared/cert.pem", Some(Class::Deny)),
            ("/home/me/.ssh/deploy.log", Some(Class::Deny)),
            ("/home/me/.ssh/id_rsa.example.com", Some(Class::Deny)),
            ("/home/me/.ssh/id_rsa.pub.bak", None),
            ("/proc/self/task/1/environ", Some(Class::Deny)),
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
