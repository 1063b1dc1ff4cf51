//! The table of commands that discard data of a service, a database or a cloud.

use crate::prefix::{is_one_of, summary};
use hookbox_policy::Names;

/// A command that loses data.
pub(super) struct Loss {
    /// The programs, separated by `|`.
    programs: &'static str,
    /// The [`summary`] of the programs. It rules out most rows without comparing texts.
    summary: u64,
    /// The words that the command begins with, in this order, without options and their values. `|` separates
    /// alternatives.
    pub(super) words: &'static [&'static str],
    /// The options of which one must be given. If the list is empty, none is needed.
    pub(super) with: &'static [&'static str],
    /// The data that is lost.
    pub(super) what: &'static str,
}

macro_rules! losses {
    ($($programs:literal $words:tt $(with $with:tt)? => $what:literal;)+) => {
        &[$(Loss {
            programs: $programs,
            summary: summary($programs),
            words: &$words,
            with: losses!(@ $($with)?),
            what: $what,
        }),+]
    };
    (@) => { &[] };
    (@ $with:tt) => { &$with };
}

// The macro must come before the modules that use it.
mod hosted;
mod local;
mod stored;

/// The losses, by program. A program may have several rows.
const TABLES: [&[Loss]; 3] = [hosted::LOSSES, stored::LOSSES, local::LOSSES];

/// Returns the rows of a program.
pub(super) fn losses(program: &str) -> impl Iterator<Item = &'static Loss> {
    let of_program = summary(program);
    TABLES.into_iter().flatten().filter(move |loss| loss.summary & of_program != 0 && is_one_of(program, loss.programs))
}

/// Programs with many kinds of resources. The policy asks about any action that deletes one.
#[rustfmt::skip] // One name per line would fill a page.
pub(super) static SERVICES: Names = Names::new(&[
    "aws", "gcloud", "gclou", "az", "doctl", "linode-cli", "vultr-cli", "scw", "civo", "hcloud", "oci", "ibmcloud", "aliyun", "tccli",
    "openstack", "exo", "upctl", "fly", "flyctl", "cf", "scalingo", "koyeb", "render", "northflank", "rancher",
    "stripe", "twilio", "square", "algolia", "meilisearch", "ldcli", "split", "unleash", "flipt", "pd", "newrelic", "datadog-ci", "dog",
    "op", "doppler", "infisical", "circleci", "sentry-cli", "auth0", "okta", "contentful", "sanity", "shopify", "pscale", "turso",
    "neonctl", "neon", "mongocli", "confluent", "temporal", "fastly", "akamai", "cloudflared", "flarectl", "sendgrid", "postmark",
    "braintree", "elastic", "ecctl", "databricks", "snow", "dbt-cloud", "grafanactl", "grafana-cli", "buildkite", "jfrog", "jf",
    "heroku", "netlify", "ntl", "firebase", "supabase", "railway", "amplify", "deployctl", "dokku", "juju", "xe", "couchbase-cli", "hcp", "boundary",
    "rosa", "prefect", "wandb", "hf", "huggingface-cli", "kaggle", "cloudsmith", "airtable", "hasura", "nomad", "vultr", "bx", "ovhcloud", "yc",
    "akeyless", "modal", "vastai", "runpodctl", "astro", "dagster", "nova", "cinder", "garage", "tiup", "sqlmesh", "pulsarctl", "nsc", "bws",
]);

/// The programs that run SQL.
#[rustfmt::skip]
pub(super) static DATABASES: Names = Names::new(&[
    "psql", "mysql", "mariadb", "sqlite3", "sqlite", "sqlcmd", "duckdb", "clickhouse-client", "clickhouse", "cockroach", "bq", "snowsql",
    "snow", "usql", "mycli", "pgcli", "litecli", "cqlsh", "influx", "isql", "sqlplus", "trino", "presto", "beeline", "hive", "impala-shell",
    "spark-sql", "turso", "rqlite", "dolt", "tsql", "mssql-cli", "iredis", "surreal",
    "cypher-shell", "aql", "ysqlsh", "ycqlsh", "db2", "vsql", "mysqlsh", "clickhouse-local", "hdbsql", "ksql", "cbq", "crash",
]);
