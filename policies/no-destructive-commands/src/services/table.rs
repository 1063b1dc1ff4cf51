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

/// Returns the rows of a program.
pub(super) fn losses(program: &str) -> impl Iterator<Item = &'static Loss> {
    let of_program = summary(program);
    LOSSES.iter().filter(move |loss| loss.summary & of_program != 0 && is_one_of(program, loss.programs))
}

/// The losses, by program. A program may have several rows.
#[rustfmt::skip] // A table reads better with one row per line.
const LOSSES: &[Loss] = losses! {
    // Disks, snapshots and discs
    "lvconvert" [] with ["--merge"] => "what changed since the snapshot";
    "zfs" ["receive|recv"] with ["-F"] => "what changed since the snapshot";
    "multipath" [] with ["-F"] => "the paths to disks in use";
    "wodim|cdrecord|cdrskin" [] with ["blank=all", "blank=fast", "blank=disc"] => "what the disc holds";
    "xorriso|xorrisofs" [] with ["-blank"] => "what the disc holds";
    // Repositories
    "hub" ["delete"] => "a repository";
    "tea" ["repo|repos", "delete|rm"] => "a repository";
    "git" ["annex", "drop"] with ["--force"] => "what may be the only copy of files";
    "git" ["http-push"] with ["--force"] => "commits of others";
    // Infrastructure
    "kubectl|oc" ["apply"] with ["--prune"] => "what the cluster runs and these files do not name";
    "aws" ["ec2", "deregister-image"] => "an image";
    "redis-cli|valkey-cli|keydb-cli" ["shutdown|SHUTDOWN", "nosave|NOSAVE"] => "what is not saved yet";
    "terraform|tofu|terragrunt" ["destroy"] => "all infrastructure of this configuration";
    "terraform|tofu|terragrunt" ["apply"] with ["-destroy", "--destroy"] => "all infrastructure of this configuration";
    "terragrunt" ["destroy-all"] => "all infrastructure of this configuration";
    "terragrunt" ["run-all|run", "destroy"] => "all infrastructure of this configuration";
    "terraform|tofu|terragrunt" ["state", "rm|remove"] => "what is known of the infrastructure";
    "terraform|tofu|terragrunt" ["state", "push"] => "what is known of the infrastructure";
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

    // Phones and boards
    "adb" ["shell", "pm", "uninstall"] => "an application of the phone with its data";
    "adb" ["shell", "recovery|wipe"] => "what is on the phone";
    "fastboot" ["erase|format"] => "what is on the phone";
    "fastboot" [] with ["-w"] => "what is on the phone";
    "fastboot" ["flashing|oem", "unlock|unlock_critical|lock"] => "what is on the phone";
    "idevicerestore" [] with ["-e", "--erase"] => "what is on the phone";
    "xcrun" ["simctl", "erase|delete", "all"] => "all simulated phones";
    "esptool|esptool.py" ["erase_flash|erase-flash|erase_region|erase-region"] => "what is on the board";

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
    "eksctl|kops" ["delete"] => "the cluster";
    // A single test cluster on this machine is recreated by the next run.
    "k3d" ["cluster", "delete"] with ["--all", "-a"] => "all clusters of this machine";
    "kind" ["delete", "clusters"] with ["--all", "-A"] => "all clusters of this machine";
    "minikube" ["delete"] with ["--all", "--purge"] => "all clusters of this machine";
    "colima|crc" ["delete"] => "the cluster with all that is in it";
    "kubeadm" ["reset"] => "what the node knows of its cluster";
    "machinectl" ["remove"] => "the machine";
    "virsh" ["destroy"] => "what the virtual machine has in its memory";
    "vmrun|prlctl|utmctl|tart|orb|orbctl" ["delete|deleteVM|destroy"] => "the virtual machine";
    "VBoxManage|vboxmanage" ["closemedium"] with ["--delete"] => "a disk of a virtual machine";
    "govc" ["vm.destroy|datastore.rm|snapshot.remove|pool.destroy|folder.destroy|object.destroy"] => "a virtual machine or its data";
    "talosctl" ["reset"] => "the node";
    "clusterctl" ["delete"] => "the cluster";
    "k3s-uninstall.sh|k3s-agent-uninstall.sh|rke2-uninstall.sh|microk8s.reset" [] => "the cluster with all that is in it";
    "microk8s" ["reset"] => "the cluster with all that is in it";
    "juju" ["kill-controller|remove-application|remove-unit"] => "the application";
    "crane|skopeo" ["delete"] => "an image that others may use";
    "regctl|oras" ["tag|image|manifest|blob", "delete|rm"] => "an image that others may use";
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
    "mongorestore" [] with ["--drop"] => "the collections that it restores";
    "pg_restore" [] with ["-c", "--clean"] => "the tables that it restores";
    "pg_resetwal|pg_resetxlog" [] => "transactions of the database";
    "couchbase-cli" ["bucket-delete|bucket-flush|reset-cipher-suites|user-manage"] with ["--force", "--delete", "--bucket"] => "a bucket or its data";
    "zkCli.sh|zookeepercli" ["deleteall|rmr|deleter"] => "nodes of the store";
    "pulsar-admin" ["topics|namespaces|tenants|clusters", "delete|delete-partitioned-topic"] => "messages or their place";
    "airflow" ["db", "reset|clean"] => "the database";
    "airflow" ["dags", "delete"] => "what is known of past runs";
    "dotnet" ["ef", "database", "drop"] => "the database";
    "mvn|mvnw|gradle|gradlew" ["flyway:clean|flywayClean|liquibase:dropAll|liquibaseDropAll|dropAll"] => "the database";
    "flask" ["db", "downgrade"] => "tables of the database";
    "wp" ["db", "reset|drop|clean"] => "the database";
    "wp" ["site", "empty|delete"] => "the content of the site";
    "drush" ["sql-drop|sql:drop|site-install|site:install|si"] => "the database";
    "magento" ["setup:uninstall"] => "the database";
    "drizzle-kit" ["drop"] => "migrations of the database";
    "drizzle-kit" ["push"] with ["--force"] => "data of the database";
    "dvc" ["destroy|gc"] => "versions of data";
    "mlflow" ["gc"] => "experiments";
    "influx" ["bucket|org|user", "delete"] => "measurements";
    "influx" ["delete"] => "measurements";
    "etcdctl" ["del"] with ["--prefix", "--from-key"] => "keys of the store";
    "consul" ["kv", "delete"] with ["-recurse", "--recurse"] => "keys of the store";
    "prisma" ["migrate", "reset"] => "the database";
    "prisma" ["db", "push"] with ["--force-reset", "--accept-data-loss"] => "data of the database";
    "rails|rake" ["db:drop|db:reset|db:purge|db:drop:all|db:truncate_all|db:migrate:reset|db:schema:load"] => "the database";
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
    "memcflush" [] => "everything in the store";
    "neo4j-admin" ["database|dbms", "delete|drop"] => "the database";
    "pg_dropcluster" [] => "a whole cluster of databases";

    // Storage clusters
    "gluster" ["volume", "delete|reset|remove-brick"] => "a volume of the storage cluster";
    "rados" ["rmpool|purge|rm|cppool"] => "objects of the storage cluster";
    "rbd" ["rm|remove"] => "an image of the storage cluster";
    "rbd" ["snap|trash", "purge|rm|remove"] => "images of the storage cluster";
    "ceph" ["osd", "purge|destroy|lost|rm"] => "disks of the storage cluster";
    "ceph" ["fs|mon", "rm|remove"] => "a part of the storage cluster";
    "ceph-volume" ["lvm", "zap"] => "a disk of the storage cluster";
    "linstor" ["resource-definition|rd|resource|r|storage-pool|sp|volume-definition|vd", "delete|d"] => "a volume of the storage cluster";
    "drbdadm" ["wipe-md|invalidate|invalidate-remote"] => "a volume of the storage cluster";
    "hdfs|hadoop" [] with ["-rm", "-rmr", "-expunge", "-deleteSnapshot", "-rmdir"] => "files of the storage cluster";
    "lfs" ["pool_destroy|rmfid"] => "files of the storage cluster";

    // Backups and storage
    "restic|rustic" ["forget|prune"] => "backups";
    "restic" ["key", "remove"] => "access to the backups";
    "borg" ["delete|prune|compact"] => "backups";
    "duplicity" ["remove-older-than|remove-all-but-n-full|cleanup"] => "backups";
    "kopia" ["snapshot", "delete|expire"] => "backups";
    "pgbackrest" ["stanza-delete|expire"] => "backups";
    "wal-g|wal-e" ["delete"] => "backups";
    "barman" ["delete"] => "backups";
    "snapper" ["delete"] => "snapshots";
    "timeshift" [] with ["--delete", "--delete-all"] => "snapshots";
    "rclone" ["delete|purge|deletefile|rmdirs|sync|cleanup|bisync|move"] => "files of the remote";
    "mc" ["rb"] => "a bucket";
    "mc" ["rm"] with ["--recursive", "-r", "--force"] => "objects of a bucket";
    "mc" ["mirror"] with ["--remove"] => "objects of a bucket";
    "mc" ["admin", "bucket|user|policy", "delete|remove|rm"] => "a bucket or access to it";
    "s3cmd|s5cmd|s4cmd" ["rb|del|rm"] => "objects of a bucket";
    "s3cmd" ["sync"] with ["--delete-removed"] => "objects of a bucket";
    "gsutil" ["rb|rm"] => "objects of a bucket";
    "gsutil" ["rsync"] with ["-d"] => "objects of a bucket";
    "aws" ["organizations", "close-account|remove-account-from-organization|leave-organization"] => "an account with all that is in it";
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
    "firebase" ["firestore:delete|firestore:databases:delete|database:remove|projects:delete|hosting:disable|functions:delete|auth:delete"] => "stored data";
    "gh" ["repo", "delete|archive"] => "the repository";
    "gh" ["release|secret|variable|ssh-key|gpg-key|label|gist|run|cache|issue|codespace|project", "delete|delete-asset"] => "what others rely on";
    "glab" ["repo|release|variable|issue|mr|ssh-key|label|project", "delete"] => "what others rely on";
    "eb" ["terminate"] => "the environment";
    "amplify" ["delete"] => "the backend";
    "npm|pnpm|yarn" ["unpublish"] => "a published package";
    "npm|pnpm|yarn" ["owner|dist-tag|dist-tags|access|org|team", "rm|remove|revoke|destroy"] => "access to a package, or its published name";
    "cargo|gem" ["owner"] with ["-r", "--remove"] => "access to a package";
    "sf|sfdx" ["org|data|project|package|sandbox", "delete"] => "what the organization keeps";
    "cargo" ["yank"] => "a published version";
    "gem" ["yank"] => "a published version";
    "nats" ["stream|consumer|kv|object", "rm|delete|del|purge"] => "messages or stored data";
    "kafka-topics|kafka-topics.sh" [] with ["--delete"] => "a topic with all messages";
    "kafka-consumer-groups|kafka-consumer-groups.sh" [] with ["--delete"] => "the state of consumers";
    "kafka-delete-records|kafka-delete-records.sh" [] => "messages";
    "rpk" ["topic|group|cluster|user|acl|security", "delete"] => "topics, or access to them";
    "rpk" ["topic", "trim-prefix|trim"] => "messages";
    "rabbitmqctl" ["reset|force_reset|delete_queue|delete_vhost|purge_queue|delete_user"] => "queues and messages";
    "rabbitmqadmin" ["delete|purge"] => "queues and messages";
    "vault" ["secrets|auth", "disable"] => "all secrets of an engine";
    "vault" ["kv", "destroy|delete"] => "secrets";
    "vault" ["kv", "metadata", "delete"] => "secrets";
    "vault" ["delete"] => "secrets";
    "vault" ["lease", "revoke"] with ["-prefix", "-force"] => "all leases below a path";
    "vault" ["policy|namespace", "delete"] => "access to secrets";
    "kong" ["migrations", "reset"] => "the database of the gateway";

    // The machine
    "crontab" [] with ["-r"] => "all jobs of the user";
    "userdel" [] with ["-r", "-rf", "-fr", "--remove"] => "the user with all files of the home directory";
    "deluser" [] with ["--remove-home", "--remove-all-files"] => "the user with all files of the home directory";
    "groupdel|delgroup" [] => "a group of users";
    "dscl" [] with ["-delete"] => "a record of the system";
    "sysadminctl" [] with ["-deleteUser"] => "the user";
    "passwd" [] with ["-d", "--delete", "-l", "--lock"] => "the login of the user";
    "efibootmgr" [] with ["-B", "--delete-bootnum", "-O", "--delete-bootorder"] => "a way to boot";
    "nvram" [] with ["-c", "-d"] => "settings of the firmware";
    "defaults" ["delete"] with ["-g", "-globalDomain", "NSGlobalDomain"] => "the settings of all programs";
    "iptables|ip6tables|ebtables" [] with ["-F", "--flush", "-X"] => "the rules of the firewall";
    "nft" ["flush"] => "the rules of the firewall";
    "ufw" ["disable|reset"] => "the firewall";
    "setenforce" ["0|permissive|Permissive"] => "a protection of the system";
    "csrutil" ["disable"] => "a protection of the system";
    "spctl" [] with ["--master-disable", "--global-disable"] => "a protection of the system";
    "tmutil" ["delete|deletelocalsnapshots|deleteinprogress|disable"] => "backups";
    "wevtutil" ["cl|clear-log"] => "the log of the system";
    "wmic" ["shadowcopy", "delete"] => "backups";
    "bcdedit" ["/set|/delete|/deletevalue"] => "a way to boot";
    "reg" ["delete|DELETE"] => "settings of the system";
    "diskpart" [] => "partitions";
    "fsutil" ["usn", "deletejournal"] => "a record of the file system";
    "asr" ["restore"] with ["--erase", "-erase"] => "a disk";

    // Passwords and keys
    "gpg|gpg2" [] with ["--delete-secret-keys", "--delete-secret-key", "--delete-secret-and-public-key", "--delete-secret-and-public-keys"] => "private keys";
    "pass|gopass" ["rm|remove|delete"] => "passwords";
    "security" ["delete-keychain|delete-generic-password|delete-internet-password|delete-identity"] => "passwords";
    "secret-tool" ["clear"] => "passwords";
    "keyring" ["del"] => "passwords";
    "bw|lpass" ["delete|rm"] => "passwords";

    // Version control other than git
    "hg|chg" ["strip|purge|rollback"] => "changes that are nowhere else";
    "hg|chg" ["update|up|checkout|co"] with ["-C", "--clean"] => "changes that are not committed";
    "hg|chg" ["revert"] with ["--all", "-a", "-C", "--no-backup"] => "changes that are not committed";
    "svn" ["revert"] => "changes that are not committed";
    "svn" ["cleanup"] with ["--remove-unversioned", "--remove-ignored"] => "files that svn does not know";
    "fossil" ["revert|scrub|purge"] => "changes that are nowhere else";
    "bzr|brz" ["revert|uncommit|clean-tree"] => "changes that are nowhere else";
    "darcs" ["revert|obliterate|unpull"] => "changes that are nowhere else";
    "jj" ["op|operation", "abandon"] => "the way back to earlier states";
    "p4" ["obliterate|revert"] => "changes or files for good";
    "cvs" ["update|up"] with ["-C"] => "changes that are not committed";
    "vssadmin" ["delete|Delete"] => "backups";
    "wbadmin" ["delete"] => "backups";
};

/// Programs with many kinds of resources. The policy asks about any action that deletes one.
#[rustfmt::skip] // One name per line would fill a page.
pub(super) static SERVICES: Names = Names::new(&[
    "aws", "gcloud", "gclou", "az", "doctl", "linode-cli", "vultr-cli", "scw", "civo", "hcloud", "oci", "ibmcloud", "aliyun", "tccli",
    "openstack", "exo", "upctl", "fly", "flyctl", "cf", "scalingo", "koyeb", "render", "northflank", "rancher",
    "stripe", "twilio", "square", "algolia", "meilisearch", "ldcli", "split", "unleash", "flipt", "pd", "newrelic", "datadog-ci", "dog",
    "op", "doppler", "infisical", "circleci", "sentry-cli", "auth0", "okta", "contentful", "sanity", "shopify", "pscale", "turso",
    "neonctl", "neon", "mongocli", "confluent", "temporal", "fastly", "akamai", "cloudflared", "flarectl", "sendgrid", "postmark",
    "braintree", "elastic", "ecctl", "databricks", "snow", "dbt-cloud", "grafanactl", "grafana-cli", "buildkite", "jfrog", "jf",
    "heroku", "netlify", "firebase", "supabase", "railway", "amplify", "deployctl", "dokku", "juju", "xe", "couchbase-cli", "hcp", "boundary",
    "rosa", "prefect", "wandb", "hf", "huggingface-cli", "kaggle", "cloudsmith", "airtable", "hasura", "nomad", "vultr", "bx", "ovhcloud", "yc",
]);

/// The programs that run SQL.
#[rustfmt::skip]
pub(super) static DATABASES: Names = Names::new(&[
    "psql", "mysql", "mariadb", "sqlite3", "sqlite", "sqlcmd", "duckdb", "clickhouse-client", "clickhouse", "cockroach", "bq", "snowsql",
    "snow", "usql", "mycli", "pgcli", "litecli", "cqlsh", "influx", "isql", "sqlplus", "trino", "presto", "beeline", "hive", "impala-shell",
    "spark-sql", "turso", "rqlite", "dolt", "tsql", "mssql-cli", "iredis", "surreal",
]);
