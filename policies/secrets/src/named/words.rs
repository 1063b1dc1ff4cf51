//! The words by which names say that they name a secret, or that they do not.

/// Words that name a password.
pub(super) const PASSWORDS: &[&str] = &[
    "password", "passwd", "passwort", "passphrase", "passcode", "pwd", "pass", "pw", "psw", "pswd", "contrasena",
    "requirepass", "masterauth", "userpass", "dbpass", "adminpass", "rootpass", "sshpass", "keypass", "storepass", "pgpass",
    "mysqlpass", "ftppass", "smtppass",
];

/// Whose password a short word means.
pub(super) const ACCOUNTS: &[&str] = &[
    "db", "database", "user", "usr", "admin", "root", "my", "mysql", "pg", "postgres", "psql", "ftp", "sftp", "smtp", "mail", "email",
    "imap", "redis", "mongo", "mongodb", "mq", "rabbitmq", "amqp", "ldap", "ad", "bind", "login", "auth", "proxy", "vpn", "wifi", "ssh",
    "sudo", "service", "svc", "app", "api", "web", "http", "basic", "registry", "docker", "git", "github", "gitlab", "jenkins", "nexus",
    "jira", "sql", "mssql", "oracle", "sa", "key", "keystore", "store", "cert", "zip", "backup", "master", "the", "its", "private",
    "sonar", "grafana", "kafka", "es", "elastic", "neo4j", "minio", "default", "current", "new", "old", "secret", "tomcat", "wp",
];

/// Words that name another secret.
pub(super) const SECRETS: &[&str] = &[
    "secret", "secrets", "token", "apikey", "apisecret", "apitoken", "authkey", "accesskey", "secretkey", "privatekey", "credential",
    "credentials", "creds", "cred", "appsecret", "clientsecret", "secrete", "secretaccesskey", "authtoken", "licensekey",
    "encryptionkey", "signingkey", "accountkey", "sharedaccesskey", "masterkey", "sessiontoken", "accesstoken", "refreshtoken",
    "idtoken", "bearer", "jwt", "pat", "keytoken", "appkey", "sessionkey", "hmac", "sas", "sastoken", "mnemonic", "seedphrase",
    "deploykey", "subscriptionkey", "functionskey", "hostkey", "passkey",
];

/// How names end in one piece that name a secret: `githubtoken`.
pub(super) const ENDINGS: &[(&str, bool)] = &[
    ("password", true),
    ("passwd", true),
    ("passphrase", true),
    ("pwd", true),
    ("token", false),
    ("secret", false),
    ("apikey", false),
    ("accesskey", false),
    ("secretkey", false),
    ("privatekey", false),
    ("authkey", false),
];

/// What makes a key a secret one, in front of it: `api_key`.
pub(super) const KEYS_OF: &[&str] = &[
    "api", "access", "secret", "private", "auth", "encryption", "signing", "master", "license", "account", "shared", "service",
    "admin", "sdk", "ingest", "deploy", "storage", "subscription", "webhook", "client", "application", "app", "integration",
    "consumer", "write", "read", "server", "global", "decryption", "encrypt", "crypto", "jwt", "session", "hmac", "aes", "rsa",
    "ssh", "gpg", "pgp", "sas", "restricted", "live", "personal", "user", "team", "org", "authentication", "authorization",
    "bot", "function", "functions", "instrumentation", "signature", "cookie", "vault", "seed", "wallet", "billing", "partner",
];

/// Words behind the secret that say: not the secret itself, but something about it.
pub(super) const ABOUT: &[&str] = &[
    "id", "ids", "name", "names", "url", "urls", "uri", "uris", "path", "paths", "file", "files", "filename", "filepath", "dir",
    "directory", "folder", "type", "types", "kind", "length", "len", "size", "count", "counts", "num", "number", "hash", "hashes",
    "hashed", "digest", "checksum", "field", "fields", "header", "headers", "prefix", "suffix", "format", "location", "label",
    "labels", "title", "description", "desc", "hint", "hints", "help", "message", "msg", "error", "errors", "policy", "policies",
    "regex", "regexp", "pattern", "patterns", "rotation", "expires", "expiry", "expiration", "expire", "expired", "ttl", "time",
    "timeout", "timestamp", "at", "date", "age", "endpoint", "host", "hostname", "domain", "provider", "providers", "store",
    "stores", "manager", "class", "version", "algorithm", "alg", "algo", "alias", "aliases", "ref", "refs", "reference", "arn",
    "source", "sources", "status", "state", "enabled", "disabled", "required", "optional", "valid", "invalid", "validation",
    "validator", "min", "max", "limit", "limits", "index", "idx", "variable", "var", "env", "envvar", "param", "params",
    "parameter", "parameters", "issuer", "audience", "scope", "scopes", "chars", "charset", "characters", "event", "events",
    "selector", "ring", "rings", "rings", "pair", "pairs", "board", "word", "words", "map", "mapping", "tab", "press",
    "pressed", "down", "up", "code", "codes", "bytes", "usage", "used", "budget", "bucket", "cost", "price", "rate", "input",
    "output", "request", "response", "handler", "factory", "builder", "generator", "parser", "reader", "writer", "loader",
    "helper", "util", "utils", "config", "configs", "configuration", "settings", "option", "options", "schema", "model", "table",
    "column", "columns", "list", "array", "set", "object", "item", "items", "cache", "lookup", "detector", "scanner", "filter",
    "check", "checker", "spec", "mock", "template", "placeholder", "mask", "masked", "strength", "complexity", "confirmation",
    "reset", "change", "forgot", "page", "form", "box", "icon", "button", "link", "view", "screen", "dialog", "modal",
    "prompt", "toggle", "visible", "visibility", "show", "hide", "mount", "volume", "script", "command", "cmd", "callback",
    "func", "function", "method", "fn", "keeper", "rotate", "frame", "frames", "code", "str", "sub", "bits", "usage", "agreement",
    "exchange", "binding", "bindings", "space", "spaces", "meshing", "distance", "signatures", "tag", "tags", "uuid", "guid",
    "region", "realm", "owner", "user", "username", "by", "from", "to", "for", "in", "is", "not", "exists", "engine", "through", "thru", "over", "on", "with", "height", "width", "rows", "cols", "const", "along", "manager", "less",
];

/// Words behind the secret that only say which one it is.
pub(super) const ADDITIONS: &[&str] = &[
    "value", "val", "string", "text", "plain", "plaintext", "prod", "production", "dev", "staging", "live", "default", "old", "new",
    "current", "backup", "base", "b64", "base64", "encoded", "raw", "admin", "test", "main", "primary", "secondary", "a", "b", "global",
];

/// Words before the secret that say: this one is public, or no secret at all.
pub(super) const HARMLESS: &[&str] = &[
    "public", "pub", "publishable", "csrf", "xsrf", "next", "nextpage", "page", "pagination", "continuation", "cursor", "cancel",
    "cancellation", "invalid", "parse", "syntax", "start", "end", "eos", "bos", "pad", "unk", "sep", "cls", "stop", "num", "max",
    "min", "total", "prompt", "completion", "input", "output", "no", "not", "is", "has", "use", "show", "forgot", "reset", "change",
    "lexer", "sync", "etag", "anti", "forgery", "antiforgery", "idempotency", "correlation", "resume", "design", "theme", "hashed",
    "authenticity", "recaptcha", "site", "scroll", "lock", "fencing", "parser", "grammar", "color", "spacing",
];

/// Words before `key` that say: one of a table, a keyboard or a signature.
pub(super) const HARMLESS_KEYS: &[&str] = &[
    "primary", "foreign", "cache", "sort", "partition", "row", "object", "bucket", "index", "hash", "map", "dict", "lookup", "group",
    "event", "i18n", "translation", "query", "registry", "composite", "natural", "surrogate", "unique", "dedupe", "dedup",
    "shortcut", "arrow", "left", "right", "keyboard", "modifier", "fingerprint", "thumbprint", "locale", "message", "author", "word",
    "schema", "sequence", "item", "column", "json", "yaml", "data", "field", "routing", "request", "trace", "span", "state", "redis",
    "meta", "metadata", "config", "s3", "blob", "image", "node", "property", "attr", "attribute", "label", "tag", "sharding", "shard",
    "context", "react", "list", "menu", "tab", "issuer", "instance", "verification", "verify", "host", "known", "mac", "android", "maps",
];

/// Types, which may stand between a name and its value.
pub(super) const TYPES: &[&str] = &[
    "string", "str", "char", "varchar", "text", "bytes", "byte", "any", "object", "secretstring", "secretstr", "optional", "vec",
    "nsstring", "buffer", "wchar_t", "u8", "uint8", "std", "option", "cow", "box", "arc", "static", "final", "readonly", "const",
    "type", "undefined", "null", "none", "cstring", "chararray", "union", "system.string", "std::string", "java.lang.string",
];

/// Names that say nothing but that a value follows; another one says whose.
pub(super) const VALUES: &[&str] = &["value", "val", "default", "defaultvalue", "content", "data", "stringvalue", "plaintext"];

/// What names are called whose value stands beside them.
pub(super) const NAMES: &[&str] = &["name", "key", "id", "variable", "var", "property", "field", "parameter", "env"];
