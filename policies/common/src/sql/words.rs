//! The words of statements that destroy something.

/// Objects that lose data when `DROP` destroys them.
pub(super) const DROPPED: &[&str] = &[
    "table",
    "database",
    "schema",
    "tablespace",
    "keyspace",
    "columnfamily",
    "catalog",
    "measurement",
    "series",
    "shard",
    "bucket",
    "warehouse",
    "user",
    "role",
    "login",
    "dataset",
];

/// Objects for which `DROP … CASCADE` also destroys the columns that use them.
pub(super) const USED_BY_COLUMNS: &[&str] = &["type", "domain", "extension", "sequence"];

/// Parts of a table that `ALTER TABLE … DROP` removes without losing data.
pub(super) const PARTS: &[&str] = &[
    "constraint",
    "index",
    "key",
    "primary",
    "foreign",
    "default",
    "not",
    "identity",
    "expression",
    "check",
    "trigger",
    "policy",
    "unique",
    "statistics",
    "projection",
    "comment",
    "masking",
    "tag",
    "if_exists",
];

/// Words for kinds of tables, before `TABLE`, `DATABASE` or `SCHEMA`.
pub(super) const TABLE_KINDS: &[&str] = &["transient", "hybrid", "iceberg"];

/// Words that begin a statement, even without a semicolon before it.
pub(super) const HEADS: &[&str] = &[
    "select", "insert", "update", "delete", "drop", "truncate", "create", "alter", "merge", "begin", "end", "commit",
    "go", "exec", "execute", "if", "print", "declare", "set", "use", "grant", "revoke", "with", "while", "return",
    "rollback", "else", "do", "call", "explain", "copy",
];

/// Words that run a text as SQL. `\gexec` of `psql` runs what a query returns.
pub(super) const RUNNING: &[&str] = &[
    "exec",
    "execute",
    "immediate",
    "prepare",
    "sp_executesql",
    "query_to_xml",
    "dblink",
    "dblink_exec",
    "openquery",
    "gexec",
];

/// Functions and procedures that run programs or write files on the server.
pub(super) const PROGRAMS: &[&str] = &[
    "xp_cmdshell",
    "sys_exec",
    "sys_eval",
    "lo_export",
    "pg_file_write",
    "load_extension",
    "writefile",
    "xp_regwrite",
    "sp_oacreate",
    "xp_delete_file",
    "sp_execute_external_script",
];

/// Options of SQL Server that let it run programs.
pub(super) const ENABLING: &[&str] = &["xp_cmdshell", "ole automation procedures", "external scripts enabled"];

/// Types of jobs of Oracle's scheduler that run programs.
pub(super) const JOBS: &[&str] = &["executable", "external_script"];

/// Extensions of files that a web server or a shell runs, rather than files that hold data.
pub(super) const SCRIPTS: &[&str] =
    &["php", "phtml", "php5", "jsp", "jspx", "asp", "aspx", "ashx", "cgi", "sh", "bash", "py", "pl", "rb"];
