//! Private keys, web tokens, connection strings and credential files.

use super::{Rule, rule, unworded};

/// The pattern of a URL's password. It excludes placeholders for another program to fill in (`$NAME`, `${NAME}`,
/// `{name}`, `%s`, `<name>`) and anything that a URL cannot hold unescaped, so a match never leaves the URL.
macro_rules! url_password {
    ($scheme:literal) => {
        concat!(
            "(?i-u:",
            $scheme,
            r#")://[^\s:/?#@"'`<>\\]*:"#,
            r#"(?P<secret>(?:[^\s/?#"'`<>\\$%{@]|%[0-9A-Fa-f]{2}|\$[^\sA-Za-z_{(/?#"'`<>\\])[^\s/?#"'`<>\\]*)@"#
        )
    };
}

/// The rules that come first. Otherwise a rule that happens to match within a key would break up the block.
pub(super) const KEY_BLOCKS: &[Rule] = &[
    // Tools may put something between the two lines: line numbers, quotes, escaped line breaks.
    rule(
        "private-key-block",
        &["private key"],
        r"(?x)
        -----BEGIN\x20[A-Z0-9\x20]{0,30}PRIVATE\x20KEY(?:\x20BLOCK)?-----
        (?P<secret>
            (?: (?:\s|\\[nr])+ [A-Z][A-Za-z-]+:\x20[^\r\n\\\[]* )*
            [^;{}()<\[\]`]*? [A-Za-z0-9+/=]{16} [^;{}()<\[\]`]*?
        )
        -----END\x20",
    ),
    // A key whose end is cut off, for example by `head`.
    rule(
        "private-key-cut-off",
        &["private key"],
        r"(?x)
        -----BEGIN\x20[A-Z0-9\x20]{0,30}PRIVATE\x20KEY(?:\x20BLOCK)?-----
        (?: (?:\s|\\[nr])+ [A-Z][A-Za-z-]+:\x20[^\r\n\\\[]* )*
        (?:\s|\\[nr])*
        (?P<secret> [A-Za-z0-9+/=]{40,} (?: (?:\s|\\[nr])+ [A-Za-z0-9+/=]{40,} )* )",
    ),
    rule(
        "putty-private-key",
        &["private-lines"],
        r"Private-Lines: [0-9]{1,4}(?:\s|\\[nr])+(?P<secret>(?:[A-Za-z0-9+/=]{4,64}(?:\r?\n|\\[nr])+)+)",
    ),
    rule("age-secret-key", &["age-secret-key-1"], r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
];

pub(super) const RULES: &[Rule] = &[
    rule("json-web-token", &["eyj"], r"eyJ[A-Za-z0-9_-]{10,}\.ey[JI][A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    rule("mongodb-url", &["mongodb"], url_password!(r"mongodb(?:\+srv)?")),
    rule("postgres-url", &["postgres"], url_password!(r"postgres(?:ql)?(?:\+[a-z0-9]{1,20})?")),
    rule("mysql-url", &["mysql", "mariadb"], url_password!(r"(?:mysql|mariadb)(?:\+[a-z0-9]{1,20})?")),
    rule("redis-url", &["redis", "valkey"], url_password!("(?:redis|valkey)s?")),
    rule("amqp-url", &["amqp"], url_password!("amqps?")),
    rule(
        "database-url",
        &["mssql", "sqlserver", "clickhouse", "cockroachdb", "couchdb", "neo4j", "bolt", "oracle", "cassandra"],
        url_password!(
            r"(?:mssql|sqlserver|clickhouse|cockroachdb|couchdb|neo4j|bolt|oracle|cassandra)(?:\+[a-z_]{1,20})?"
        ),
    ),
    rule(
        "service-url",
        &["ftp", "smtp", "imap", "ldap", "nats", "mqtt"],
        url_password!("(?:s?ftps?|smtps?|imaps?|ldaps?|nats|mqtts?)"),
    ),
    // Texts about URLs often contain `user:password@host`.
    unworded("web-url", &["http"], url_password!("https?")),
    rule("cloudinary-url", &["cloudinary"], url_password!("cloudinary")),
    rule(
        "connection-string-password",
        &["password", "pwd"],
        r#"(?x)
        (?i-u:server|data\x20source|host|addr|address|uid|user\x20id|username|user)\x20?= [^;"'(){}\r\n]*;
        (?: [^;"'(){}\r\n]*; )*?
        \x20?(?i-u:password|pwd)\x20?=\x20? (?P<secret>[^;\s"'(){}<>$\\]+)"#,
    ),
    rule(
        "jdbc-password",
        &["jdbc:"],
        r#"jdbc:[a-z0-9:]{2,40}[^\s"'`<>\\]*?[?&;](?i-u:password)=(?P<secret>[^\s"'`<>\\&;$\{%]+)"#,
    ),
    rule("azure-account-key", &["accountkey"], r"AccountKey=(?P<secret>[A-Za-z0-9+/]{40,86}={0,2})"),
    rule("azure-shared-access-key", &["sharedaccesskey"], r"SharedAccessKey=(?P<secret>[A-Za-z0-9+/]{40,86}={0,2})"),
    rule("azure-signed-url", &["sig="], r"[?&]sig=(?P<secret>[A-Za-z0-9%+/_-]{40,80}(?:=|%3[Dd]))"),
    // The word `auths` marks the text as a registry login file. `auth` alone is also a common setting.
    rule(
        "registry-login",
        &["\"auths", "dockerconfigjson"],
        r#"\\{0,3}"auth\\{0,3}"[ \t]{0,4}:[ \t]{0,4}\\{0,3}"(?P<secret>[A-Za-z0-9+/]{12,}={0,2})\\{0,3}""#,
    ),
    rule(
        "registry-login-encoded",
        &["dockerconfigjson", "dockercfg"],
        r#"(?x)
        \.docker(?:configjson|cfg) \\{0,3}"?: [\x20\t]{0,4} (?:[|>]-?\s{1,20})?
        \\{0,3}"? (?P<secret>e[yw][A-Za-z0-9+/]{20,}={0,2})"#,
    ),
    rule(
        "netrc-password",
        &["machine"],
        r#"machine\s{1,4}[^\s\[]+\s{1,4}login\s{1,4}[^\s\[]+\s{1,4}password\s{1,4}["']?(?P<secret>[^\s"'$<>{}]+)"#,
    ),
    rule("openshift-token", &["sha256~"], r"sha256~[A-Za-z0-9_-]{43}"),
];
