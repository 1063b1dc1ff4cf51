//! The commands that destroy something, and how much.
//!
//! The rules are from the programs' own manuals: they cover what the manuals say cannot be undone, or ends what others
//! use.

use super::Radius::{self, High, Low, Medium};

/// What a command destroys.
pub(super) struct Harm {
    pub(super) radius: Radius,
    pub(super) category: &'static str,
}

/// A command that destroys.
struct Rule {
    programs: &'static [&'static str],
    /// The subcommand, if it takes one. Options may come before it, and may have values.
    words: &'static [&'static str],
    /// The options of which the command has one, if it destroys only with an option. One-letter options may be
    /// combined.
    options: &'static [&'static str],
    radius: Radius,
    category: &'static str,
}

const fn rule(
    radius: Radius,
    category: &'static str,
    programs: &'static [&'static str],
    words: &'static [&'static str],
    options: &'static [&'static str],
) -> Rule {
    Rule { programs, words, options, radius, category }
}

const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl", "docker-compose", "podman-compose"];
const CLUSTERS: &[&str] = &["kubectl", "oc"];
const PLANS: &[&str] = &["terraform", "tofu", "terragrunt", "pulumi", "cdk"];
const CLOUDS: &[&str] =
    &["gcloud", "az", "gsutil", "doctl", "heroku", "flyctl", "fly", "gh", "glab", "vercel", "wrangler"];
const PACKAGES: &[&str] =
    &["apt", "apt-get", "dnf", "yum", "zypper", "apk", "brew", "pip", "pip3", "npm", "pnpm", "yarn", "snap", "flatpak"];

const RULES: &[Rule] = &[
    rule(High, "fs-delete", &["rm"], &[], &["-r", "-R", "--recursive"]),
    rule(Medium, "fs-delete", &["rm", "unlink", "truncate"], &[], &[]),
    rule(High, "fs-delete", &["shred", "srm"], &[], &[]),
    rule(Low, "fs-delete", &["rmdir"], &[], &[]),
    rule(High, "fs-delete", &["find"], &[], &["-delete"]),
    rule(
        High,
        "fs-delete",
        &["rsync"],
        &[],
        &["--delete", "--delete-before", "--delete-after", "--remove-source-files"],
    ),
    rule(Low, "permissions", &["chmod", "chown", "chgrp"], &[], &["-R", "--recursive"]),
    rule(High, "disk", &["wipefs", "blkdiscard", "mkswap", "fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk"], &[], &[]),
    rule(High, "disk", &["parted", "lvremove", "vgremove", "pvremove", "cryptsetup"], &[], &[]),
    rule(High, "disk", &["zfs", "zpool", "btrfs"], &["destroy"], &[]),
    rule(High, "disk", &["btrfs"], &["subvolume", "delete"], &[]),
    rule(
        High,
        "git",
        &["git"],
        &["push"],
        &["-f", "--force", "--force-with-lease", "-d", "--delete", "--mirror", "--prune"],
    ),
    rule(High, "git", &["git"], &["reset"], &["--hard"]),
    rule(High, "git", &["git"], &["clean"], &["-f", "--force"]),
    rule(High, "git", &["git"], &["filter-branch"], &[]),
    rule(High, "git", &["git"], &["filter-repo"], &[]),
    rule(Medium, "git", &["git"], &["branch"], &["-D", "-d", "--delete"]),
    rule(Medium, "git", &["git"], &["tag"], &["-d", "--delete"]),
    rule(Medium, "git", &["git"], &["checkout"], &["-f", "--force", "--"]),
    rule(Medium, "git", &["git"], &["restore"], &[]),
    rule(Medium, "git", &["git"], &["rm"], &[]),
    rule(Medium, "git", &["git"], &["stash", "drop"], &[]),
    rule(Medium, "git", &["git"], &["stash", "clear"], &[]),
    rule(Medium, "git", &["git"], &["reflog", "expire"], &[]),
    rule(Medium, "git", &["git"], &["worktree", "remove"], &[]),
    rule(Medium, "git", &["git"], &["update-ref"], &["-d"]),
    rule(High, "containers", CONTAINERS, &["volume", "rm"], &[]),
    rule(High, "containers", CONTAINERS, &["volume", "prune"], &[]),
    rule(High, "containers", CONTAINERS, &["system", "prune"], &[]),
    rule(High, "containers", CONTAINERS, &["down"], &["-v", "--volumes", "--rmi"]),
    rule(High, "containers", CONTAINERS, &["stack", "rm"], &[]),
    rule(High, "containers", CONTAINERS, &["service", "rm"], &[]),
    rule(High, "containers", CONTAINERS, &["secret", "rm"], &[]),
    rule(High, "containers", CONTAINERS, &["swarm", "leave"], &[]),
    rule(Medium, "containers", CONTAINERS, &["prune"], &[]),
    rule(Medium, "containers", CONTAINERS, &["rm"], &[]),
    rule(Medium, "containers", CONTAINERS, &["rmi"], &[]),
    rule(Low, "containers", CONTAINERS, &["kill"], &[]),
    rule(Low, "containers", CONTAINERS, &["down"], &[]),
    rule(High, "cluster", CLUSTERS, &["delete"], &[]),
    rule(High, "cluster", CLUSTERS, &["drain"], &[]),
    rule(High, "cluster", CLUSTERS, &["replace"], &["--force"]),
    rule(High, "cluster", &["helm"], &["uninstall"], &[]),
    rule(High, "cluster", &["helm"], &["delete"], &[]),
    rule(High, "cloud", PLANS, &["destroy"], &[]),
    rule(High, "cloud", PLANS, &["apply"], &["-destroy", "-auto-approve"]),
    rule(High, "cloud", PLANS, &["state", "rm"], &[]),
    rule(High, "cloud", CLOUDS, &["delete"], &[]),
    rule(High, "cloud", CLOUDS, &["destroy"], &[]),
    rule(High, "cloud", CLOUDS, &["remove"], &[]),
    rule(High, "cloud", &["gsutil", "aws"], &["rm"], &[]),
    rule(High, "cloud", &["gsutil", "aws"], &["rb"], &[]),
    rule(High, "cloud", &["aws"], &["sync"], &["--delete"]),
    rule(High, "database", &["dropdb", "dropuser"], &[], &[]),
    rule(High, "database", &["mysqladmin"], &["drop"], &[]),
    rule(High, "database", &["redis-cli"], &["flushall"], &[]),
    rule(High, "database", &["redis-cli"], &["flushdb"], &[]),
    rule(High, "system", &["shutdown", "reboot", "halt", "poweroff", "userdel", "groupdel"], &[], &[]),
    rule(Medium, "system", &["kill", "pkill", "killall"], &[], &[]),
    rule(Medium, "system", &["systemctl", "service"], &["stop"], &[]),
    rule(Medium, "system", &["systemctl"], &["disable"], &[]),
    rule(Medium, "system", &["systemctl"], &["mask"], &[]),
    rule(High, "system", &["crontab"], &[], &["-r"]),
    rule(High, "system", &["iptables", "ip6tables"], &[], &["-F", "--flush", "-X"]),
    rule(High, "system", &["nft"], &["flush"], &[]),
    rule(High, "packages", &["npm", "pnpm", "yarn"], &["unpublish"], &[]),
    rule(Medium, "packages", PACKAGES, &["remove"], &[]),
    rule(Medium, "packages", PACKAGES, &["purge"], &[]),
    rule(Medium, "packages", PACKAGES, &["autoremove"], &[]),
    rule(Medium, "packages", PACKAGES, &["uninstall"], &[]),
];

/// The programs that take a database statement among their words.
const DATABASES: [&str; 9] =
    ["psql", "mysql", "mariadb", "sqlite3", "mongosh", "mongo", "clickhouse-client", "duckdb", "sqlcmd"];

/// The beginnings of statements that destroy.
const STATEMENTS: [&str; 6] = ["drop ", "truncate ", "delete from ", "dropdatabase(", "deletemany(", ".drop("];

/// Returns what a command destroys.
pub(super) fn harm(program: &str, words: &[&str]) -> Option<Harm> {
    let program = program.to_lowercase();
    let rules = RULES.iter().filter(|rule| rule.programs.contains(&program.as_str()) && rule.fits(words));
    let listed = rules.max_by_key(|rule| rule.radius).map(|rule| (rule.radius, rule.category));
    let is_statement = |word: &&str| {
        let word = word.to_lowercase();
        STATEMENTS.iter().any(|statement| word.contains(statement))
    };
    let is_deletion =
        |word: &&str| ["delete-", "terminate-", "remove-", "purge-"].iter().any(|verb| word.starts_with(verb));
    let harm = match program.as_str() {
        "dd" if words.iter().any(|word| word.starts_with("of=")) => Some((High, "disk")),
        name if name.split('.').next() == Some("mkfs") || name == "mke2fs" => Some((High, "disk")),
        "aws" if words.iter().any(is_deletion) => Some((High, "cloud")),
        // A refspec with a plus sign replaces what is there. One with nothing before the colon deletes it.
        "git" if words.contains(&"push") && words.iter().any(|word| word.starts_with(['+', ':'])) => {
            Some((High, "git"))
        }
        name if DATABASES.contains(&name) && words.iter().any(is_statement) => Some((High, "database")),
        _ => listed,
    };
    harm.map(|(radius, category)| Harm { radius, category })
}

impl Rule {
    fn fits(&self, words: &[&str]) -> bool {
        let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
        let has_words = self.words.is_empty() || plain.windows(self.words.len()).any(|part| part == self.words);
        has_words
            && (self.options.is_empty() || words.iter().any(|word| self.options.iter().any(|option| has(word, option))))
    }
}

/// Whether a word is this option, contains it among other letters, or gives it a value.
fn has(word: &str, option: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let mut name = option.chars().skip(1);
    match (letters, name.next(), name.next()) {
        (Some(letters), Some(letter), None) if letter != '-' => letters.contains(letter),
        _ => word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')),
    }
}
