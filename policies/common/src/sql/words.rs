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
    "tables",
    "diskgroup",
];

/// Objects that lose data when `DROP` destroys them, and that prose also drops: `drop scope creep`.
pub(super) const DROPPED_IF_LOUD: &[&str] =
    &["stable", "namespace", "collection", "scope", "account", "volume", "stage"];

/// Words for kinds of objects, between `DROP` and the object: `DROP PLUGGABLE DATABASE`.
pub(super) const DROPPED_KINDS: &[&str] = &[
    "pluggable",
    "transient",
    "hybrid",
    "iceberg",
    "dynamic",
    "snapshot",
    "blob",
    "undo",
    "bigfile",
    "composite",
    "event",
    "managed",
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
pub(super) const TABLE_KINDS: &[&str] = &["transient", "hybrid", "iceberg", "event", "interactive"];

/// Engines of MySQL that keep no rows, and that keep them in memory.
pub(super) const FORGETTING: &[&str] = &["blackhole", "example"];
pub(super) const IN_MEMORY: &[&str] = &["memory", "heap"];

/// Words that begin a statement, even without a semicolon before it.
pub(super) const HEADS: &[&str] = &[
    "select", "insert", "update", "delete", "drop", "truncate", "create", "alter", "merge", "begin", "end", "commit",
    "go", "exec", "execute", "if", "print", "declare", "set", "use", "grant", "revoke", "with", "while", "return",
    "rollback", "else", "do", "call", "explain", "copy",
];

/// Words that begin a statement, but only at the beginning of a text: elsewhere, they are options and names.
#[rustfmt::skip] // Many words to a line.
pub(super) const OPENING: &[&str] = &[
    "add", "attach", "del", "delimiter", "detach", "force", "from", "import", "install", "load", "match", "optional", "pragma",
    "prepare", "recreate", "replace", "restore", "runscript",
];

/// Words, functions and procedures that run a text as SQL. `\gexec` of `psql` runs what a query returns.
#[rustfmt::skip] // Many words to a line.
pub(super) const RUNNING: &[&str] = &[
    "exec", "execute", "immediate", "prepare", "gexec", "exec_sql", "execute_sql", "run_sql",
    // PostgreSQL and its extensions.
    "query_to_xml", "query_to_xmlschema", "query_to_xml_and_xmlschema", "dblink", "dblink_exec", "dblink_open",
    "dblink_send_query", "schedule_in_database", "pg_background_launch", "query_export_to_s3", "pga_jobstep",
    "run_command_on_workers", "run_command_on_all_nodes", "run_command_on_coordinator", "run_command_on_shards",
    "run_command_on_placements", "run_command_on_colocated_placements", "spi_exec_query",
    // MySQL and DuckDB.
    "execute_prepared_stmt", "postgres_execute", "postgres_query", "mysql_execute", "mysql_query",
    // SQL Server.
    "sp_executesql", "sp_execute_remote", "sp_prepare", "sp_prepexec", "sp_cursoropen", "sp_cursorprepexec",
    "sp_msforeachtable", "sp_msforeachdb", "sp_msforeach_worker", "sp_foreachdb", "sp_ineachdb", "sp_add_jobstep",
    "sp_update_jobstep", "sp_send_dbmail", "openquery", "openrowset", "xp_execresultset",
    // Oracle, DB2, Teradata and BigQuery.
    "exec_ddl_statement", "admin_cmd", "admin_task_add", "sysexecsql", "external_query",
];

/// Schemas and packages whose functions run a text as SQL: `cron.schedule('…', '…', 'DROP TABLE t')`.
pub(super) const RUNNING_OWNERS: &[&str] = &[
    "cron",
    "timetable",
    "apoc",
    "plpy",
    "plv8",
    "dbms_sql",
    "dbms_sys_sql",
    "dbms_utility",
    "dbms_job",
    "dbms_scheduler",
    "dbms_hs_passthrough",
    "dbms_parallel_execute",
];

/// Functions and procedures that lose data, what they do, and whether it is whole tables. A name that others may also
/// give to theirs has its owner before it.
pub(super) const LOSING: &[(&str, &str, bool)] = &[
    ("admin_drop_schema", "drops a schema", true),
    ("dropgeometrytable", "drops a table", true),
    ("citus_drop_all_shards", "drops all parts of a table", true),
    ("master_drop_all_shards", "drops all parts of a table", true),
    ("drop_chunks", "drops parts of a table with their data", false),
    ("drop_partition", "drops parts of a table with their data", false),
    ("drop_partitions", "drops parts of a table with their data", false),
    ("drop_partition_time", "drops parts of a table with their data", false),
    ("drop_partition_id", "drops parts of a table with their data", false),
    ("truncate_local_data_after_distributing_table", "deletes the local rows of a table", false),
    ("dropgeometrycolumn", "drops a column with its data", false),
    ("droptopology", "drops a schema", true),
    ("pgmq.drop_queue", "drops a queue", true),
    ("pgmq.purge_queue", "deletes all messages of a queue", true),
    ("dbms_aqadm.drop_queue_table", "drops a table", true),
    ("dbms_aqadm.purge_queue_table", "deletes the messages of a queue", false),
    ("clean_audit_trail", "deletes the audit trail", false),
    ("sp_detach_db", "takes a database away from its server", false),
    ("sp_droplogin", "drops a login", true),
    ("sp_dropuser", "drops a user", true),
    ("sp_droprole", "drops a role", true),
];

/// Functions and procedures that run programs or write files on the server.
#[rustfmt::skip] // Many words to a line.
pub(super) const PROGRAMS: &[&str] = &[
    "xp_cmdshell", "xp_regwrite", "xp_regaddmultistring", "xp_regdeletekey", "xp_regdeletevalue", "xp_delete_file",
    "xp_servicecontrol", "xp_terminate_process", "xp_makecab", "xp_write_file", "sp_oacreate", "sp_oamethod",
    "sp_makewebtask",
    "sp_addextendedproc", "sp_execute_external_script",
    "sys_exec", "sys_eval", "sys_bineval", "do_system",
    "lo_export", "pg_file_write", "pg_file_rename", "pg_file_unlink",
    "load_extension", "writefile", "file_write", "csvwrite",
    "dbms_backup_restore", "fremove", "frename",
    "dbms_java_test", "runjava", "runjava_in_current_session", "qcmdexc", "admin_command_unix",
];

/// Options of SQL Server that let it run programs.
pub(super) const ENABLING: &[&str] =
    &["xp_cmdshell", "ole automation procedures", "external scripts enabled", "clr enabled"];

/// Words of schedulers, and the kinds of their jobs that run programs.
pub(super) const JOBS: &[(&[&str], &[&str])] = &[
    (&["dbms_scheduler"], &["executable", "external_script", "backup_script", "sql_script"]),
    (&["add_job", "add_task"], &["program"]),
    (&["sp_add_jobstep", "sp_update_jobstep"], &["cmdexec", "powershell", "activescripting"]),
    (&["pga_jobstep"], &["b"]),
];

/// Extensions of DuckDB that run programs.
pub(super) const PROGRAM_EXTENSIONS: &[&str] = &["shellfs"];

/// Languages in which functions may do anything, besides those whose names end in `u`.
pub(super) const LANGUAGES: &[&str] = &["plsh", "plr", "plpython", "plcontainer"];

/// Functions that load a library into the server.
pub(super) const LOADING: &[&str] = &["install_jar", "replace_jar", "load_jar", "install_file", "replace_file"];

/// Settings that say which libraries a server loads, or where it looks for them: of PostgreSQL, MySQL and DuckDB.
#[rustfmt::skip] // Many words to a line.
pub(super) const LIBRARY_PLACES: &[&str] = &[
    "session_preload_libraries", "shared_preload_libraries", "local_preload_libraries", "dynamic_library_path",
    "extension_control_path", "jit_provider", "archive_library", "oauth_validator_libraries",
    "plugin_dir", "extension_directory", "custom_extension_repository", "autoinstall_extension_repository",
];

/// Settings of MySQL that name libraries or files with statements, which the server runs when it starts.
pub(super) const PLUGINS: &[&str] = &["plugin_load", "plugin_load_add", "early_plugin_load", "init_file"];

/// Functions of Hive and Spark that call any method of Java, and the classes whose methods only compute.
pub(super) const REFLECTING: &[&str] = &["reflect", "reflect2", "java_method", "try_reflect"];
pub(super) const COMPUTING: &[&str] =
    &["java.util.UUID", "java.lang.Math", "java.lang.String", "java.net.URLDecoder", "java.net.URLEncoder"];

/// Words between `CREATE` or `ALTER` and the kind of the object.
pub(super) const MODIFIERS: &[&str] = &[
    "or",
    "replace",
    "alter",
    "and",
    "compile",
    "resolve",
    "force",
    "noforce",
    "editionable",
    "noneditionable",
    "temporary",
    "temp",
    "global",
    "local",
    "external",
    "trusted",
    "procedural",
    "aggregate",
];

/// Extensions of files with code that a server loads.
pub(super) const LIBRARIES: &[&str] = &["so", "dll", "dylib", "sl", "jar", "py"];

/// Extensions of files that a web server or a shell runs, rather than files that hold data.
pub(super) const SCRIPTS: &[&str] =
    &["php", "phtml", "php5", "jsp", "jspx", "asp", "aspx", "ashx", "cgi", "sh", "bash", "py", "pl", "rb"];
