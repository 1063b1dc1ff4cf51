//! A law: every text that another SQL parser reads as destructive in some dialect is found.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "it is a test")]

use hookbox_policy::sql::destructive;
use proptest::prelude::*;
use sqlparser::ast::{ObjectType, Query, SetExpr, Statement};
use sqlparser::dialect::{
    BigQueryDialect, ClickHouseDialect, Dialect, DuckDbDialect, GenericDialect, MsSqlDialect, MySqlDialect,
    PostgreSqlDialect, RedshiftSqlDialect, SQLiteDialect, SnowflakeDialect,
};
use sqlparser::parser::Parser;

fn dialects() -> [Box<dyn Dialect>; 10] {
    [
        Box::new(GenericDialect {}),
        Box::new(PostgreSqlDialect {}),
        Box::new(MySqlDialect {}),
        Box::new(SQLiteDialect {}),
        Box::new(MsSqlDialect {}),
        Box::new(ClickHouseDialect {}),
        Box::new(DuckDbDialect {}),
        Box::new(BigQueryDialect {}),
        Box::new(SnowflakeDialect {}),
        Box::new(RedshiftSqlDialect {}),
    ]
}

/// Whether the other parser reads a text as destructive, in any dialect that can read it.
fn is_destructive(text: &str) -> Option<bool> {
    let read = dialects().into_iter().filter_map(|dialect| Parser::parse_sql(&*dialect, text).ok());
    read.map(|statements| statements.iter().any(destroys)).reduce(|one, other| one || other)
}

fn destroys(statement: &Statement) -> bool {
    match statement {
        Statement::Drop { object_type, temporary, .. } => {
            !temporary && matches!(object_type, ObjectType::Table | ObjectType::Schema | ObjectType::Database)
        }
        Statement::Truncate { .. } => true,
        Statement::Delete(delete) => {
            delete.selection.is_none() && delete.using.is_none() && delete.limit.is_none() && delete.tables.is_empty()
        }
        Statement::Update { selection, from, .. } => selection.is_none() && from.is_none(),
        Statement::Query(query) => in_query(query),
        // Servers explain only queries and changes of rows.
        Statement::Explain { statement, analyze, .. } => {
            let is_row = matches!(**statement, Statement::Delete(_) | Statement::Update { .. } | Statement::Query(_));
            *analyze && is_row && destroys(statement)
        }
        _ => false,
    }
}

fn in_query(query: &Query) -> bool {
    let with = query.with.iter().flat_map(|with| &with.cte_tables);
    with.into_iter().any(|table| in_query(&table.query)) || in_set(&query.body)
}

fn in_set(set: &SetExpr) -> bool {
    match set {
        SetExpr::Query(query) => in_query(query),
        SetExpr::SetOperation { left, right, .. } => in_set(left) || in_set(right),
        SetExpr::Insert(statement) | SetExpr::Update(statement) | SetExpr::Delete(statement) => destroys(statement),
        _ => false,
    }
}

/// Generates one of these words, in upper or lower case.
fn word(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    (prop::sample::select(words), any::<bool>())
        .prop_map(|(word, is_upper)| if is_upper { word.to_uppercase() } else { word.to_owned() })
}

fn gap() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&[" ", "  ", "\n", "\t", " /* x */ ", " -- y\n"][..])
}

fn name() -> impl Strategy<Value = &'static str> {
    const NAMES: [&str; 9] =
        ["users", "public.users", "a.b.c", "\"Users\"", "`users`", "[users]", "t1", "\"a b\".\"c\"", "_x"];
    prop::sample::select(&NAMES[..])
}

/// Generates a statement or something close to one, with its words in the order of some dialect.
fn statement() -> impl Strategy<Value = String> {
    let drop = (
        word(&["drop"]),
        word(&["table", "schema", "database", "view", "index", "temporary table"]),
        word(&["", "if exists"]),
        name(),
        word(&["", "cascade", "restrict", ", other", "purge", ", other cascade"]),
    )
        .prop_map(|(drop, kind, exists, name, end)| format!("{drop} {kind} {exists} {name}{}", end_of(&end)));
    let truncate = (
        word(&["truncate"]),
        word(&["", "table", "table if exists", "only", "table only"]),
        name(),
        word(&["", "cascade", "restart identity", ", other", "on cluster c"]),
    )
        .prop_map(|(truncate, table, name, end)| format!("{truncate} {table} {name}{}", end_of(&end)));
    let delete = (
        word(&["delete from", "delete"]),
        name(),
        word(&["", "as a", "a"]),
        word(&[
            "",
            "where id = 3",
            "where true",
            "returning *",
            "limit 3",
            "where a in (select b from c)",
            "order by id",
        ]),
    )
        .prop_map(|(delete, name, alias, end)| format!("{delete} {name} {alias} {end}"));
    let update = (
        word(&["update"]),
        name(),
        word(&["", "as a"]),
        word(&["set a = 1", "set a = 1, b = 'where'", "set a = (select b from c where d = 1)", "set a = b + 1"]),
        word(&["", "where id = 3", "returning *"]),
    )
        .prop_map(|(update, name, alias, set, end)| format!("{update} {name} {alias} {set} {end}"));
    let other = word(&["select 1", "insert into t values (1)", "create table t (a int)", "select 'drop table users'"]);
    prop_oneof![drop, truncate, delete, update, other]
}

fn end_of(end: &str) -> String {
    if end.is_empty() || end.starts_with(',') { end.to_owned() } else { format!(" {end}") }
}

/// Generates statements, nested or one after another.
fn text() -> impl Strategy<Value = String> {
    let wrapped = (
        statement(),
        prop::sample::select(&["{}", "with x as ({}) select * from x", "explain analyze {}", "({})"][..]),
    )
        .prop_map(|(statement, frame)| frame.replace("{}", &statement));
    let spaced = (wrapped, gap()).prop_map(|(text, gap)| text.replacen(' ', gap, 1));
    prop::collection::vec(spaced, 1..3).prop_map(|statements| statements.join(";\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_another_parser_reads_as_destructive_is_found(text in text()) {
        if is_destructive(&text) == Some(true) {
            // Without the semicolon, `truncate users` may be prose.
            prop_assert!(destructive(&format!("{text};")).is_some(), "{text}");
        }
    }
}

/// Without a text that the other parser can read, the law would check nothing.
#[test]
fn the_other_parser_reads_what_the_law_is_about() {
    for (text, expected) in [
        ("DROP TABLE users", Some(true)),
        ("TRUNCATE users", Some(true)),
        ("DELETE FROM users", Some(true)),
        ("DELETE FROM users WHERE id = 3", Some(false)),
        ("UPDATE users SET a = 1", Some(true)),
        ("WITH x AS (DELETE FROM users RETURNING *) SELECT * FROM x", Some(true)),
        ("EXPLAIN ANALYZE DELETE FROM users", Some(true)),
        ("DROP VIEW v", Some(false)),
        ("what is this", None),
    ] {
        assert_eq!(is_destructive(text), expected, "{text}");
    }
}

#[test]
fn a_merge_that_deletes_is_found_unless_a_condition_says_which_rows() {
    let merge = "MERGE INTO t USING s ON t.id = s.id WHEN";
    for (rest, found) in [
        ("MATCHED THEN DELETE", Some(false)),
        ("MATCHED AND s.gone THEN DELETE", None),
        ("NOT MATCHED BY SOURCE THEN DELETE", Some(true)),
        ("MATCHED THEN UPDATE SET a = 1", None),
    ] {
        let damage = destructive(&format!("{merge} {rest};"));
        assert_eq!(damage.map(|damage| damage.is_certain), found, "{rest}");
    }
}
