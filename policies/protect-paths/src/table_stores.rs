//! The files that programs keep for themselves, and the subcommands that write them.

use hookbox_policy::{Index, index};

/// A file that a program writes without being given its path.
pub(crate) struct Store {
    pub(crate) programs: &'static [&'static str],
    /// The subcommands that write the file. A word that begins with a dash may be anywhere among the arguments, and a
    /// `*` stands for any ending. An empty text stands for any use of the program.
    pub(crate) writes: &'static [&'static str],
    pub(crate) path: &'static str,
    /// Options and variables that name another file.
    pub(crate) moved: &'static [&'static str],
    /// Options with which the file is not written, and words after the subcommand that only read.
    pub(crate) but: &'static [&'static str],
    /// Settings that hold no secret and name no program. A `*` stands for any beginning or ending.
    pub(crate) harmless: &'static [&'static str],
    /// Whether the command is asked about at most: it is a login, which the user may want, or it writes neither a secret
    /// nor the name of a program.
    pub(crate) is_asked: bool,
}

type Texts = &'static [&'static str];

impl Store {
    const fn except(self, harmless: Texts) -> Self {
        Self { harmless, ..self }
    }
}

const fn row(programs: Texts, writes: Texts, path: &'static str, moved: Texts, but: Texts) -> Store {
    Store { programs, writes, path, moved, but, harmless: &[], is_asked: false }
}

const fn asked(programs: Texts, writes: Texts, path: &'static str, moved: Texts, but: Texts) -> Store {
    Store { is_asked: true, ..row(programs, writes, path, moved, but) }
}

/// Returns the rows of a program.
pub(crate) fn of(program: &str) -> impl Iterator<Item = &'static Store> {
    BY_PROGRAM.rows(program).filter_map(|row| STORES.get(row)).filter(move |store| store.programs.contains(&program))
}

/// The rows of the table by the programs in them.
static BY_PROGRAM: Index = index!(STORES, |store| store.programs);

/// Options of GnuPG that change keys or trust. GnuPG accepts abbreviations.
#[rustfmt::skip] // Many words to a line.
const GPG: &[&str] = &[
    "--edit-k*", "--fast-imp*", "--fetch*", "--full-g*", "--gen-k*", "--generate*", "--imp*", "--lsign*", "--quick*", "--rece*", "--recv*", "--refresh*",
    "--sign-k*",
];

const GPG_READS: &[&str] = &["--dry-run", "-n", "--no-default-keyring"];

/// What changes the keys that `apt` trusts. `adv` hands its options to GnuPG.
#[rustfmt::skip] // Many words to a line.
const APT_KEY: &[&str] = &[
    "add", "adv --delete*", "adv --edit-k*", "adv --fetch*", "adv --imp*", "adv --rece*", "adv --recv*", "adv --refresh*", "del", "net-update", "update",
];

#[rustfmt::skip] // Many words to a line.
const PACMAN_KEY_READS: &[&str] = &[
    "--export", "--finger", "--help", "--list-keys", "--list-sigs", "--verify", "--version", "-V", "-e", "-f", "-h", "-l", "-v",
];

#[rustfmt::skip] // Many words to a line.
const NPM: &[&str] = &[
    "audit", "color", "depth", "engine-strict", "fetch-retries", "fetch-retry-*", "fetch-timeout", "fund", "init-author-*", "init-license", "init-version",
    "init.author.*", "init.license", "legacy-peer-deps", "loglevel", "maxsockets", "omit", "package-lock", "progress",
    "save", "save-exact", "save-prefix", "send-metrics", "timing", "update-notifier", "auto-install-peers", "node-linker", "shamefully-hoist",
    "strict-peer-dependencies",
];

const NPM_CONFIG: &[&str] = &["--userconfig", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig"];

#[rustfmt::skip] // Many words to a line.
const GCLOUD: &[&str] = &[
    "account", "billing/quota_project", "core/account", "core/disable_usage_reporting", "core/project", "project",
    "*location", "*region", "*zone",
];

#[rustfmt::skip] // Many words to a line.
const PIP: &[&str] = &[
    "*.disable-pip-version-check", "*.no-cache-dir", "*.progress-bar", "*.require-virtualenv", "*.retries", "*.timeout",
];

/// What the service manager of the system does with units that are there already.
#[rustfmt::skip] // Many words to a line.
const UNITS: &[&str] = &[
    "add-requires", "add-wants", "disable", "enable", "mask", "preset*", "reenable", "revert", "set-default", "unmask",
];

#[rustfmt::skip] // Many words to a line.
const USER_UNITS: &[&str] = &[
    "--user add-requires", "--user add-wants", "--user disable", "--user enable", "--user mask", "--user preset*",
    "--user reenable", "--user revert", "--user set-default", "--user unmask",
];

const SYSTEMCTL: &[&str] = &["--runtime", "--user"];

const KUBECONFIG: &[&str] = &["--kubeconfig", "KUBECONFIG"];

/// The files. A choice among what is there already, such as `kubectl config use-context`, is not listed.
#[rustfmt::skip] // One row to a file.
const STORES: &[Store] = &[
    asked(&["aws"], &["configure"], "~/.aws/config", &[], &["export-credentials", "get", "help", "list", "list-profiles", "set"]),
    row(&["aws"], &["configure set"], "~/.aws/config", &[], &[]).except(&["*max_attempts", "*output", "*region", "*retry_mode"]),
    asked(&["aliyun"], &["configure"], "~/.aliyun/config.json", &[], &["get", "list"]),
    asked(&["az"], &["account clear", "config set", "config unset", "configure", "login", "logout"], "~/.azure", &["AZURE_CONFIG_DIR"],
        &["--defaults", "--list-defaults", "-d", "-l"])
        .except(&["core.collect_telemetry", "core.no_color", "core.only_show_errors", "core.output", "defaults.*"]),
    asked(&["buildah", "podman", "skopeo"], &["login", "logout"], "~/.config/containers/auth.json", &["--authfile", "REGISTRY_AUTH_FILE"], &["--get-login"]),
    asked(&["cargo"], &["login", "logout"], "~/.cargo/credentials.toml", &[], &[]),
    row(&["composer"], &["config -g", "config --global"], "~/.composer/config.json", &["COMPOSER_HOME"], &["--list"]),
    asked(&["databricks"], &["auth login", "configure"], "~/.databrickscfg", &["DATABRICKS_CONFIG_FILE"], &[]),
    asked(&["docker", "nerdctl"], &["login", "logout"], "~/.docker/config.json", &["--config", "DOCKER_CONFIG"], &[]),
    asked(&["doctl"], &["auth init", "auth remove"], "~/.config/doctl", &["--config", "-c"], &[]),
    asked(&["gcloud"], &["auth activate-service-account", "auth application-default login", "auth application-default revoke", "auth login", "auth revoke",
        "config configurations delete", "config set", "config unset", "init"], "~/.config/gcloud", &["CLOUDSDK_CONFIG"], &[]).except(GCLOUD),
    asked(&["gcloud"], &["auth configure-docker"], "~/.docker/config.json", &["DOCKER_CONFIG"], &[]),
    asked(&["gem"], &["signin", "signout"], "~/.gem/credentials", &[], &[]),
    asked(&["gh"], &["auth login", "auth logout", "auth refresh", "auth switch"], "~/.config/gh", &["GH_CONFIG_DIR"], &[]),
    row(&["gh"], &["config set"], "~/.config/gh", &["GH_CONFIG_DIR"], &[])
        .except(&["accessible_*", "color_labels", "git_protocol", "prefer_editor_prompt", "prompt", "spinner"]),
    asked(&["gh"], &["auth setup-git"], "~/.gitconfig", &["GIT_CONFIG_GLOBAL"], &[]),
    row(&["git"], &["credential approve", "credential reject", "credential-store erase", "credential-store store"], "~/.git-credentials", &["--file"], &[]),
    asked(&["glab"], &["auth login", "auth logout"], "~/.config/glab-cli", &["GLAB_CONFIG_DIR"], &[]),
    row(&["glab"], &["config set"], "~/.config/glab-cli", &["GLAB_CONFIG_DIR"], &[])
        .except(&["check_update", "display_hyperlinks", "git_protocol", "glamour_style", "no_prompt"]),
    asked(&["gpg", "gpg2"], GPG, "~/.gnupg", &["--homedir", "GNUPGHOME"], GPG_READS),
    row(&["gpg", "gpg2"], &["--delete*"], "~/.gnupg", &["--homedir", "GNUPGHOME"], GPG_READS),
    asked(&["gpg", "gpg2"], &["--no-default-keyring"], "~/.gnupg", &["--homedir", "--keyring", "--primary-keyring", "GNUPGHOME"],
        &["--fingerprint", "--list-keys", "--show-keys", "--verify", "-k"]),
    // The keys that package managers, and the firmware, trust.
    asked(&["apt-key"], APT_KEY, "/etc/apt/trusted.gpg.d", &["--keyring"], &[]),
    asked(&["gem"], &["cert --add", "cert --remove", "cert -a", "cert -r"], "~/.gem/trust", &[], &[]),
    asked(&["mokutil"], &["--import*", "-i"], "/sys/firmware/efi/efivars", &[], &[]),
    asked(&["opkg-key"], &["add", "remove"], "/etc/opkg/keys", &[], &[]),
    asked(&["pacman-key"], &[""], "/etc/pacman.d/gnupg", &["--gpgdir"], PACMAN_KEY_READS),
    asked(&["rpm"], &["--import"], "/var/lib/rpm", &["--dbpath"], &[]),
    asked(&["rpmkeys"], &["--delete", "--erase", "--import"], "/var/lib/rpm", &["--dbpath"], &[]),
    asked(&["zypper"], &["--gpg-auto-import-keys"], "/var/lib/rpm", &[], &[]),
    asked(&["cosign", "crane", "oras"], &["auth login", "auth logout", "login", "logout"], "~/.docker/config.json", &["--registry-config", "DOCKER_CONFIG"], &[]),
    asked(&["helm"], &["registry login", "registry logout"], "~/.config/helm/registry/config.json", &["--registry-config", "HELM_REGISTRY_CONFIG"], &[]),
    asked(&["heroku"], &["auth:login", "auth:logout", "login", "logout"], "~/.netrc", &[], &[]),
    row(&["keytool"], &["-changealias", "-delete", "-genkey*", "-genseckey", "-import*", "-keypasswd", "-storepasswd"], "~/.keystore",
        &["-destkeystore", "-keystore"], &[]),
    row(&["kubectl", "oc"], &["config set", "config set-cluster", "config set-credentials"], "~/.kube/config", KUBECONFIG, &[])
        .except(&["contexts.*", "current-context"]),
    asked(&["kubectl", "oc"], &["config delete-*", "config unset"], "~/.kube/config", KUBECONFIG, &[]).except(&["current-context"]),
    asked(&["oc"], &["login", "logout"], "~/.kube/config", KUBECONFIG, &[]),
    row(&["npm"], &["c set", "config edit", "config set", "set"], "~/.npmrc", NPM_CONFIG, &[]).except(NPM),
    asked(&["npm"], &["add-user", "adduser", "c delete", "config delete", "config fix", "config rm", "login", "logout"], "~/.npmrc", NPM_CONFIG, &[])
        .except(NPM),
    row(&["pnpm"], &["c set", "config delete", "config set", "set"], "~/.config/pnpm/rc", &[], &[]).except(NPM),
    asked(&["oci"], &["setup"], "~/.oci", &["--config-file"], &[]),
    row(&["pass"], &["add", "copy", "cp", "delete", "edit", "generate", "init", "insert", "move", "mv", "remove", "rename", "rm"], "~/.password-store",
        &["PASSWORD_STORE_DIR"], &[]),
    row(&["pip", "pip3"], &["config edit", "config set", "config unset"], "~/.config/pip/pip.conf", &["PIP_CONFIG_FILE"], &["--site"]).except(PIP),
    row(&["python", "python3"], &["-m pip config edit", "-m pip config set", "-m pip config unset"], "~/.config/pip/pip.conf", &["PIP_CONFIG_FILE"],
        &["--site"]).except(PIP),
    asked(&["poetry"], &["config certificates*", "config http-basic*", "config pypi-token*", "config repositories*"], "~/.config/pypoetry/auth.toml", &[],
        &["--list", "--local"]),
    asked(&["rclone"], &["config create", "config delete", "config disconnect", "config password", "config reconnect", "config update"], "~/.config/rclone",
        &["--config", "RCLONE_CONFIG"], &[]),
    asked(&["s3cmd"], &["--configure"], "~/.s3cfg", &["--config", "-c"], &[]),
    row(&["secret-tool"], &["clear", "store"], "~/.local/share/keyrings", &[], &[]),
    row(&["security"], &["add-*", "create-keychain", "default-keychain -s", "delete-*", "import", "list-keychains -s", "login-keychain -s",
        "remove-trusted-cert", "set-*", "trust-settings-import"], "~/Library/Keychains", &[], &[]),
    asked(&["snow"], &["connection add", "connection remove"], "~/.snowflake", &["--config-file"], &[]),
    row(&["ssh-copy-id"], &[""], "~/.ssh/authorized_keys", &[], &["-n"]),
    row(&["ssh-keygen"], &["-A"], "/etc/ssh", &[], &[]),
    asked(&["terraform", "tofu"], &["login", "logout"], "~/.terraform.d/credentials.tfrc.json", &[], &[]),
    asked(&["vault"], &["login"], "~/.vault-token", &[], &["-no-store"]),
    row(&["yarn", "yarnpkg"], &["config delete registry", "config delete script-shell", "config set --home", "config set -H", "config set registry",
        "config set script-shell", "login", "npm login", "npm logout"], "~/.yarnrc", &[], &[]),
    // What shells and commits run.
    row(&["conda", "mamba"], &["init"], "~/.bashrc", &[], &["--dry-run", "-d"]),
    row(&["fish_add_path", "funcsave"], &[""], "~/.config/fish", &[], &["--dry-run", "-n"]),
    row(&["husky"], &["add", "init", "set"], ".husky/pre-commit", &[], &[]),
    row(&["micromamba"], &["shell init"], "~/.bashrc", &[], &["--dry-run"]),
    row(&["pipx"], &["ensurepath"], "~/.bashrc", &[], &[]),
    row(&["pnpm"], &["setup"], "~/.bashrc", &[], &[]),
    row(&["uv"], &["tool update-shell"], "~/.bashrc", &[], &[]),
    row(&["volta"], &["setup"], "~/.profile", &[], &[]),
    // What the machine starts, and who may log in.
    row(&["systemctl"], &["edit", "enable ./*", "enable /*", "link", "set-property"], "/etc/systemd/system", &[], SYSTEMCTL),
    asked(&["systemctl"], UNITS, "/etc/systemd/system", &[], SYSTEMCTL),
    row(&["systemctl"], &["--user edit", "--user enable ./*", "--user enable /*", "--user link", "--user set-property"], "~/.config/systemd/user", &[],
        &[]),
    asked(&["systemctl"], USER_UNITS, "~/.config/systemd/user", &[], &[]),
    row(&["dracut", "grub-install", "grub2-install", "mkinitcpio", "update-grub", "update-grub2", "update-initramfs"], &[""], "/boot", &[], &[]),
    row(&["adduser", "chfn", "deluser", "newusers", "useradd", "userdel", "usermod", "vipw"], &[""], "/etc/passwd", &[], &[]),
    row(&["chsh"], &[""], "/etc/passwd", &[], &["--list-shells", "-l"]),
    row(&["chage"], &[""], "/etc/shadow", &[], &["--list", "-l"]),
    row(&["chpasswd", "passwd"], &[""], "/etc/shadow", &[], &["--status", "-S"]),
    row(&["addgroup", "delgroup", "gpasswd", "groupadd", "groupdel", "groupmems", "groupmod", "vigr"], &[""], "/etc/gshadow", &[], &[]),
    row(&["authselect"], &["apply-changes", "disable-feature", "enable-feature", "opt-out", "select"], "/etc/pam.d", &[], &[]),
    row(&["pam-auth-update"], &[""], "/etc/pam.d", &[], &[]),
    row(&["visudo"], &[""], "/etc/sudoers", &["--file", "-f"], &["--check", "-c", "-cf", "-cq", "-cqf", "-qc", "-qcf"]),
    // What tools write by themselves into a project.
    row(&["dotenvx"], &["decrypt", "encrypt", "rotate", "set"], ".env", &["--env-file", "-f"], &["--stdout"]),
    row(&["dotenv"], &["set", "unset"], ".env", &["--file", "-f"], &[]),
    row(&["python", "python3"], &["-m dotenv set", "-m dotenv unset"], ".env", &["--file", "-f"], &[]),
    row(&["dotenv-vault"], &["build", "login", "logout", "new", "pull"], ".env", &[], &[]),
    row(&["artisan", "php", "sail"], &["artisan env:*", "artisan jwt:secret", "artisan key:generate", "env:*", "jwt:secret", "key:generate"], ".env", &[],
        &["--show"]),
    row(&["shopify"], &["app env pull"], ".env", &["--env-file"], &[]),
    row(&["eas"], &["env:pull"], ".env.local", &["--path"], &[]),
    row(&["azd"], &["env set*"], ".azure", &[], &[]),
    row(&["rails"], &["credentials:edit"], "config/credentials.yml.enc", &[], &[]),
    // Where `ssh` and `kubectl` log in to.
    row(&["ssh-keygen"], &["-H", "-R*"], "~/.ssh/known_hosts", &["-f"], &["-F"]),
    row(&["aws"], &["eks update-kubeconfig"], "~/.kube/config", KUBECONFIG, &["--dry-run"]),
    row(&["az"], &["aks get-credentials"], "~/.kube/config", &["--file", "-f", "KUBECONFIG"], &[]),
    row(&["doctl"], &["k8s cluster kubeconfig remove", "k8s cluster kubeconfig save", "kubernetes cluster kubeconfig remove",
        "kubernetes cluster kubeconfig save"], "~/.kube/config", &["KUBECONFIG"], &[]),
    row(&["eksctl"], &["utils write-kubeconfig"], "~/.kube/config", KUBECONFIG, &[]),
    row(&["gcloud"], &["container clusters get-credentials", "container fleet memberships get-credentials"], "~/.kube/config", &["KUBECONFIG"], &[]),
    row(&["ibmcloud"], &["ks cluster config"], "~/.kube/config", &["KUBECONFIG"], &["--output"]),
    row(&["k3d"], &["kubeconfig merge --kubeconfig-merge-default", "kubeconfig merge -d"], "~/.kube/config", &["KUBECONFIG"], &[]),
    row(&["kind"], &["export kubeconfig"], "~/.kube/config", KUBECONFIG, &[]),
    row(&["oci"], &["ce cluster create-kubeconfig"], "~/.kube/config", &["--file", "KUBECONFIG"], &[]),
    row(&["tsh"], &["kube login"], "~/.kube/config", &["KUBECONFIG"], &[]),
    row(&["alternatives", "update-alternatives"], &["--auto", "--config", "--install", "--remove*", "--set*"], "/etc/alternatives", &["--altdir"], &[]),
];
