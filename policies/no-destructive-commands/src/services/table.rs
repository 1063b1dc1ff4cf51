//! Commands that discard data of a service, a database or a cloud.

/// A command that loses something.
pub(super) struct Loss {
    /// The programs, separated by `|`.
    pub(super) program: &'static str,
    /// The words that the command begins with, in this order, without options and their values. `|` separates
    /// alternatives.
    pub(super) words: &'static [&'static str],
    /// One of these options must be given, unless the list is empty.
    pub(super) with: &'static [&'static str],
    /// What is lost.
    pub(super) what: &'static str,
}

macro_rules! losses {
    ($($program:literal $words:tt $(with $with:tt)? => $what:literal;)+) => {
        &[$(Loss { program: $program, words: &$words, with: losses!(@ $($with)?), what: $what }),+]
    };
    (@) => { &[] };
    (@ $with:tt) => { &$with };
}

/// What is lost, by program. A program may have several rows.
#[rustfmt::skip] // A table reads better with one row per line.
pub(super) const LOSSES: &[Loss] = losses! {
    // Infrastructure
    "terraform|tofu|terragrunt" ["destroy"] => "all infrastructure of this configuration";
    "terraform|tofu|terragrunt" ["apply"] with ["-destroy", "--destroy"] => "all infrastructure of this configuration";
    "terragrunt" ["destroy-all"] => "all infrastructure of this configuration";
    "terragrunt" ["run-all|run", "destroy"] => "all infrastructure of this configuration";
    "terraform|tofu|terragrunt" ["state", "rm|remove"] => "what is known of the infrastructure";
    "terraform|tofu" ["workspace", "delete"] => "a workspace";
    "pulumi" ["destroy|down"] => "all resources of the stack";
    "pulumi" ["stack", "rm|remove"] => "the stack";
    "pulumi" ["state", "delete"] => "what is known of the infrastructure";
    "cdk|cdktf" ["destroy"] => "the stack";
    "sam|copilot" ["delete"] => "the stack";
    "copilot" ["app|env|svc|job", "delete"] => "the application";
    "serverless|sls|sst" ["remove"] => "the service";
    "ansible-galaxy" ["role|collection", "remove"] => "installed roles";
    "vagrant" ["destroy"] => "the virtual machine";
    "virsh" ["undefine|vol-delete|pool-delete|snapshot-delete|vol-wipe"] => "a virtual machine or its disk";
    "VBoxManage|vboxmanage" ["unregistervm"] with ["--delete", "--delete-all"] => "a virtual machine with its disks";
    "multipass|lxc|incus" ["delete"] => "the virtual machine";
    "qm|pct" ["destroy"] => "the virtual machine";
    "nomad" ["job", "stop"] with ["-purge", "--purge"] => "the job";
    "nomad" ["namespace|volume", "delete"] => "what the cluster keeps";
    "packer" ["delete"] => "an image";

    // Clusters and containers
    "helm" ["uninstall|delete|del|un"] => "the release";
    "helmfile" ["destroy|delete"] => "all releases";
    "velero" ["uninstall"] => "the backups";
    "velero" ["backup|restore|schedule|backup-location|snapshot-location", "delete"] => "the backups";
    "oc" ["delete"] => "resources of the cluster";
    "argocd" ["app|appset|proj|cluster|repo", "delete|rm"] => "the application";
    "flux" ["delete"] => "the application";
    "flux" ["uninstall"] => "the deployments";
    "istioctl|linkerd" ["uninstall"] => "the mesh";
    "eksctl|kops|k3d|kind" ["delete"] => "the cluster";
    "k3d|kind" ["cluster", "delete"] => "the cluster";
    "minikube|colima|crc" ["delete"] => "the cluster with all that is in it";
    "kubeadm" ["reset"] => "what the node knows of its cluster";
    "docker|podman|nerdctl" ["volume", "rm|prune|remove"] => "what is in volumes";
    "docker|podman" ["stack|swarm|service|secret|config", "rm|leave|remove"] => "what runs in the swarm";
    "docker|podman" ["compose", "down|rm"] with ["-v", "--volumes"] => "what is in volumes";
    "docker-compose|podman-compose" ["down|rm"] with ["-v", "--volumes"] => "what is in volumes";
    "podman" ["system|machine", "reset"] => "all images, containers and volumes";
    "podman" ["machine", "rm"] => "the virtual machine";
    "limactl" ["delete|factory-reset"] => "the virtual machine";

    // Databases
    "mysqladmin|mariadb-admin" ["drop"] => "a whole database";
    "dropdb" [] => "a whole database";
    "dropuser" [] => "a user of the database";
    "redis-cli|valkey-cli|keydb-cli" ["flushall|FLUSHALL|flushdb|FLUSHDB|FlushAll|FlushDB"] => "everything in the store";
    "redis-cli|valkey-cli" ["script|SCRIPT|function|FUNCTION", "flush|FLUSH"] => "scripts of the store";
    "influx" ["bucket|org|user", "delete"] => "measurements";
    "influx" ["delete"] => "measurements";
    "etcdctl" ["del"] with ["--prefix", "--from-key"] => "keys of the store";
    "consul" ["kv", "delete"] with ["-recurse", "--recurse"] => "keys of the store";
    "prisma" ["migrate", "reset"] => "the database";
    "prisma" ["db", "push"] with ["--force-reset", "--accept-data-loss"] => "data of the database";
    "rails|rake" ["db:drop|db:reset|db:purge|db:drop:all|db:migrate:reset|db:schema:load"] => "the database";
    "artisan" ["migrate:fresh|migrate:reset|migrate:refresh|db:wipe"] => "the database";
    "php" ["artisan", "migrate:fresh|migrate:reset|migrate:refresh|db:wipe"] => "the database";
    "python|python3" ["manage.py|./manage.py", "flush|reset_db|sqlflush"] => "the data of the database";
    "manage.py|django-admin" ["flush|reset_db"] => "the data of the database";
    "console|bin/console" ["doctrine:database:drop|doctrine:schema:drop"] => "the database";
    "php" ["bin/console", "doctrine:database:drop|doctrine:schema:drop"] => "the database";
    "sequelize|sequelize-cli" ["db:drop|db:migrate:undo:all"] => "the database";
    "typeorm" ["schema:drop"] => "the database";
    "mikro-orm" ["schema:drop|schema:fresh|migration:fresh"] => "the database";
    "knex" ["migrate:rollback"] with ["--all"] => "the tables of the database";
    "alembic" ["downgrade", "base"] => "the tables of the database";
    "flyway" ["clean"] => "the database";
    "liquibase" ["drop-all|dropAll"] => "the database";
    "dbmate" ["drop"] => "the database";
    "migrate" ["drop"] => "the database";
    "goose" ["reset|down-to"] => "the tables of the database";
    "mix" ["ecto.drop|ecto.reset"] => "the database";
    "sqlx" ["database", "drop|reset"] => "the database";
    "diesel" ["database", "reset|drop"] => "the database";
    "supabase" ["db", "reset"] => "the database";
    "supabase" ["projects|branches|functions|secrets|storage", "delete|rm|unset"] => "what the project keeps";
    "atlas" ["schema", "clean"] => "the database";
    "nodetool" ["removenode|decommission|clearsnapshot"] => "data of the cluster";
    "pg_dropcluster" [] => "a whole cluster of databases";

    // Backups and storage
    "restic|rustic" ["forget|prune"] => "backups";
    "restic" ["key", "remove"] => "access to the backups";
    "borg" ["delete|prune|compact"] => "backups";
    "duplicity" ["remove-older-than|remove-all-but-n-full|cleanup"] => "backups";
    "kopia" ["snapshot", "delete|expire"] => "backups";
    "rclone" ["delete|purge|deletefile|rmdirs|sync|cleanup|bisync|move"] => "files of the remote";
    "mc" ["rb"] => "a bucket";
    "mc" ["rm"] with ["--recursive", "-r", "--force"] => "objects of a bucket";
    "mc" ["mirror"] with ["--remove"] => "objects of a bucket";
    "mc" ["admin", "bucket|user|policy", "delete|remove|rm"] => "a bucket or access to it";
    "s3cmd|s5cmd|s4cmd" ["rb|del|rm"] => "objects of a bucket";
    "s3cmd" ["sync"] with ["--delete-removed"] => "objects of a bucket";
    "gsutil" ["rb|rm"] => "objects of a bucket";
    "gsutil" ["rsync"] with ["-d"] => "objects of a bucket";
    "azcopy" ["remove|rm"] => "objects of a container";
    "azcopy" ["sync"] with ["--delete-destination", "--delete-destination=true"] => "objects of a container";
    "aws" ["s3", "rb"] => "a bucket";
    "aws" ["s3", "rm"] with ["--recursive"] => "objects of a bucket";
    "aws" ["s3", "sync"] with ["--delete"] => "objects of a bucket";
    "gcloud" ["storage", "rm"] => "objects of a bucket";
    "gcloud" ["storage", "rsync"] with ["--delete-unmatched-destination-objects"] => "objects of a bucket";
    "bq" ["rm"] => "a table or a data set";
    "b2" ["delete-bucket|delete-file-version|rm"] => "objects of a bucket";

    // Platforms
    "heroku" ["apps:destroy|pg:reset|destroy|addons:destroy|redis:reset|pipelines:destroy"] => "the application or its data";
    "fly|flyctl" ["destroy"] => "the application";
    "vercel|now" ["rm|remove"] => "the deployment";
    "vercel" ["project|env|domains|secrets", "rm|remove"] => "what the project keeps";
    "netlify" ["sites:delete|env:unset"] => "the site";
    "railway" ["delete|down"] => "the deployment";
    "wrangler" ["delete"] => "the worker";
    "wrangler" ["d1|kv:namespace|kv:key|r2|queues|pages|secret", "delete"] => "stored data";
    "wrangler" ["kv|r2|pages", "namespace|key|bucket|object|deployment|project", "delete"] => "stored data";
    "firebase" ["firestore:delete|database:remove|hosting:disable|functions:delete|auth:delete"] => "stored data";
    "gh" ["repo", "delete|archive"] => "the repository";
    "gh" ["release|secret|variable|ssh-key|gpg-key|label|gist|run|cache|issue|codespace|project", "delete|delete-asset"] => "what others rely on";
    "glab" ["repo|release|variable|issue|mr|ssh-key|label|project", "delete"] => "what others rely on";
    "npm|pnpm|yarn" ["unpublish"] => "a published package";
    "cargo" ["yank"] => "a published version";
    "gem" ["yank"] => "a published version";
    "nats" ["stream|consumer|kv|object", "rm|delete|del|purge"] => "messages or stored data";
    "kafka-topics|kafka-topics.sh" [] with ["--delete"] => "a topic with all messages";
    "kafka-consumer-groups|kafka-consumer-groups.sh" [] with ["--delete"] => "the state of consumers";
    "kafka-delete-records|kafka-delete-records.sh" [] => "messages";
    "rabbitmqctl" ["reset|force_reset|delete_queue|delete_vhost|purge_queue|delete_user"] => "queues and messages";
    "rabbitmqadmin" ["delete|purge"] => "queues and messages";
    "vault" ["secrets|auth", "disable"] => "all secrets of an engine";
    "vault" ["kv", "destroy"] => "secrets";
    "vault" ["kv", "metadata", "delete"] => "secrets";
    "vault" ["delete"] => "secrets";
    "vault" ["lease", "revoke"] with ["-prefix", "-force"] => "all leases below a path";
    "vault" ["policy|namespace", "delete"] => "access to secrets";
    "kong" ["migrations", "reset"] => "the database of the gateway";

    // The machine
    "crontab" [] with ["-r"] => "all jobs of the user";
    "userdel" [] with ["-r", "-rf", "-fr", "--remove"] => "the user with all files of the home directory";
    "deluser" [] with ["--remove-home", "--remove-all-files"] => "the user with all files of the home directory";
    "tmutil" ["delete|deletelocalsnapshots"] => "backups";
    "vssadmin" ["delete|Delete"] => "backups";
    "wbadmin" ["delete"] => "backups";
};

/// Programs with many kinds of resources: any action that deletes one is asked about.
#[rustfmt::skip] // One name per line would fill a page.
pub(super) const SERVICES: &[&str] = &[
    "aws", "gcloud", "gclou", "az", "doctl", "linode-cli", "vultr-cli", "scw", "civo", "hcloud", "oci", "ibmcloud", "aliyun", "tccli",
    "openstack", "exo", "upctl", "fly", "flyctl", "cf", "scalingo", "koyeb", "render", "northflank", "rancher",
    "stripe", "twilio", "square", "algolia", "meilisearch", "ldcli", "split", "unleash", "flipt", "pd", "newrelic", "datadog-ci", "dog",
    "op", "doppler", "infisical", "circleci", "sentry-cli", "auth0", "okta", "contentful", "sanity", "shopify", "pscale", "turso",
    "neonctl", "neon", "mongocli", "confluent", "temporal", "fastly", "akamai", "cloudflared", "flarectl", "sendgrid", "postmark",
    "braintree", "elastic", "ecctl", "databricks", "snow", "dbt-cloud", "grafanactl", "grafana-cli", "buildkite", "jfrog", "jf",
];

/// The programs that run SQL.
#[rustfmt::skip]
pub(super) const DATABASES: &[&str] = &[
    "psql", "mysql", "mariadb", "sqlite3", "sqlite", "sqlcmd", "duckdb", "clickhouse-client", "clickhouse", "cockroach", "bq", "snowsql",
    "snow", "usql", "mycli", "pgcli", "litecli", "cqlsh", "influx", "isql", "sqlplus", "trino", "presto", "beeline", "hive", "impala-shell",
    "spark-sql", "turso", "rqlite", "dolt", "tsql", "mssql-cli", "iredis", "surreal",
];
