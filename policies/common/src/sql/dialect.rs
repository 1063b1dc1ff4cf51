//! The differences between SQL dialects in where strings and comments end.

/// The syntax that a dialect treats as strings, comments and names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dialect {
    /// Whether a backslash in a string escapes the next character.
    pub(super) backslash: bool,
    /// Whether `#` begins a comment.
    pub(super) hash_comment: bool,
    /// Whether `--` begins a comment only before a space.
    pub(super) dashes_need_space: bool,
    /// Whether `/* /* */ */` is one comment.
    pub(super) nested: bool,
    /// Whether `/*! … */` is executed.
    pub(super) run_comment: bool,
    /// Whether `//` begins a comment.
    pub(super) slashes: bool,
    /// Whether `$tag$ … $tag$` is a string.
    pub(super) dollar: bool,
    /// Whether backquotes enclose a name.
    pub(super) backtick: bool,
    /// Whether brackets enclose a name.
    pub(super) bracket: bool,
    /// Whether `'''` and `"""` begin strings.
    pub(super) triple: bool,
    /// Whether `q'[ … ]'` is a string.
    pub(super) q_string: bool,
}

const ANSI: Dialect = Dialect {
    backslash: false,
    hash_comment: false,
    dashes_need_space: false,
    nested: false,
    run_comment: false,
    slashes: false,
    dollar: false,
    backtick: false,
    bracket: false,
    triple: false,
    q_string: false,
};

/// The dialects: PostgreSQL, MySQL (with and without backslashes), SQLite, SQL Server, Oracle, BigQuery, Snowflake,
/// ClickHouse, Spark.
pub(super) const DIALECTS: [Dialect; 10] = [
    POSTGRES,
    Dialect { backslash: true, ..MYSQL },
    MYSQL,
    Dialect { backtick: true, bracket: true, ..ANSI },
    Dialect { nested: true, bracket: true, ..ANSI },
    ORACLE,
    Dialect { backslash: true, hash_comment: true, backtick: true, triple: true, ..ANSI },
    Dialect { backslash: true, slashes: true, dollar: true, ..ANSI },
    Dialect { backslash: true, hash_comment: true, dollar: true, backtick: true, ..ANSI },
    Dialect { backslash: true, nested: true, backtick: true, ..ANSI },
];

pub(super) const POSTGRES: Dialect = Dialect { nested: true, dollar: true, ..ANSI };

pub(super) const ORACLE: Dialect = Dialect { q_string: true, ..ANSI };

const MYSQL: Dialect =
    Dialect { hash_comment: true, dashes_need_space: true, run_comment: true, backtick: true, ..ANSI };

/// Returns the dialects that may read a text differently. If a text has none of the marks that dialects disagree about,
/// one dialect is enough.
pub(super) fn dialects(text: &str) -> &'static [Dialect] {
    let all = &DIALECTS;
    // Quotes alone are read differently only if there are three in a row, or after a `q`.
    let differs = text.contains(['\\', '#', '$', '`', '[', '/'])
        || ["--", "'''", "\"\"\"", "q'", "Q'"].iter().any(|mark| text.contains(mark));
    if differs { all } else { all.get(..1).unwrap_or(all) }
}
