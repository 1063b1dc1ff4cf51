//! The files that programs keep for themselves, and the subcommands that write them.

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
}

type Texts = &'static [&'static str];

const fn row(programs: Texts, writes: Texts, path: &'static str, moved: Texts, but: Texts) -> Store {
    Store { programs, writes, path, moved, but }
}

/// Options of GnuPG that change keys or trust. GnuPG accepts abbreviations.
#[rustfmt::skip] // Many words to a line.
const GPG: &[&str] = &[
    "--delete*", "--edit-k*", "--fast-imp*", "--fetch*", "--full-g*", "--gen-k*", "--generate*", "--imp*", "--lsign*", "--quick*", "--rece*", "--recv*",
    "--refresh*", "--sign-k*",
];

const KUBECONFIG: &[&str] = &["--kubeconfig", "KUBECONFIG"];

/// The files. A choice among what is there already, such as `kubectl config use-context`, is not listed.
#[rustfmt::skip] // One row to a file.
pub(crate) const STORES: &[Store] = &[
    row(&["aws"], &["configure"], "~/.aws/config", &[], &["export-credentials", "get", "help", "list", "list-profiles"]),
    row(&["aliyun"], &["configure"], "~/.aliyun/config.json", &[], &["get", "list"]),
    row(&["az"], &["account clear", "config set", "config unset", "configure", "login", "logout"], "~/.azure", &["AZURE_CONFIG_DIR"],
        &["--list-defaults", "-l"]),
    row(&["buildah", "podman", "skopeo"], &["login", "logout"], "~/.config/containers/auth.json", &["--authfile", "REGISTRY_AUTH_FILE"], &["--get-login"]),
    row(&["cargo"], &["login", "logout"], "~/.cargo/credentials.toml", &[], &[]),
    row(&["composer"], &["config -g", "config --global"], "~/.composer/config.json", &["COMPOSER_HOME"], &["--list"]),
    row(&["databricks"], &["auth login", "configure"], "~/.databrickscfg", &["DATABRICKS_CONFIG_FILE"], &[]),
    row(&["docker", "nerdctl"], &["login", "logout"], "~/.docker/config.json", &["--config", "DOCKER_CONFIG"], &[]),
    row(&["doctl"], &["auth init", "auth remove"], "~/.config/doctl", &["--config", "-c"], &[]),
    row(&["gcloud"], &["auth activate-service-account", "auth application-default login", "auth application-default revoke", "auth login", "auth revoke",
        "config configurations create", "config configurations delete", "config set", "config unset", "init"], "~/.config/gcloud", &["CLOUDSDK_CONFIG"], &[]),
    row(&["gcloud"], &["auth configure-docker"], "~/.docker/config.json", &["DOCKER_CONFIG"], &[]),
    row(&["gem"], &["signin", "signout"], "~/.gem/credentials", &[], &[]),
    row(&["gh"], &["auth login", "auth logout", "auth refresh", "auth switch", "config set"], "~/.config/gh", &["GH_CONFIG_DIR"], &[]),
    row(&["gh"], &["auth setup-git"], "~/.gitconfig", &["GIT_CONFIG_GLOBAL"], &[]),
    row(&["git"], &["credential approve", "credential reject", "credential-store erase", "credential-store store"], "~/.git-credentials", &["--file"], &[]),
    row(&["glab"], &["auth login", "auth logout", "config set"], "~/.config/glab-cli", &["GLAB_CONFIG_DIR"], &[]),
    row(&["gpg", "gpg2"], GPG, "~/.gnupg", &["--homedir", "GNUPGHOME"], &["--dry-run", "-n", "--no-default-keyring"]),
    row(&["gpg", "gpg2"], &["--no-default-keyring"], "~/.gnupg", &["--homedir", "--keyring", "--primary-keyring", "GNUPGHOME"],
        &["--fingerprint", "--list-keys", "--show-keys", "--verify", "-k"]),
    row(&["heroku"], &["auth:login", "auth:logout", "login", "logout"], "~/.netrc", &[], &[]),
    row(&["keytool"], &["-changealias", "-delete", "-genkey*", "-genseckey", "-import*", "-keypasswd", "-storepasswd"], "~/.keystore",
        &["-destkeystore", "-keystore"], &[]),
    row(&["kubectl", "oc"], &["config delete-*", "config rename-context", "config set*", "config unset"], "~/.kube/config", KUBECONFIG, &[]),
    row(&["oc"], &["login", "logout"], "~/.kube/config", KUBECONFIG, &[]),
    row(&["npm"], &["add-user", "adduser", "c delete", "c set", "config delete", "config edit", "config fix", "config rm", "config set", "login", "logout",
        "set"], "~/.npmrc", &["--userconfig", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig"], &[]),
    row(&["pnpm"], &["c set", "config delete", "config set", "set"], "~/.config/pnpm/rc", &[], &[]),
    row(&["oci"], &["setup"], "~/.oci", &["--config-file"], &[]),
    row(&["pass"], &["add", "copy", "cp", "delete", "edit", "generate", "init", "insert", "move", "mv", "remove", "rename", "rm"], "~/.password-store",
        &["PASSWORD_STORE_DIR"], &[]),
    row(&["pip", "pip3"], &["config edit", "config set", "config unset"], "~/.config/pip/pip.conf", &["PIP_CONFIG_FILE"], &["--site"]),
    row(&["python", "python3"], &["-m pip config edit", "-m pip config set", "-m pip config unset"], "~/.config/pip/pip.conf", &["PIP_CONFIG_FILE"],
        &["--site"]),
    row(&["poetry"], &["config certificates*", "config http-basic*", "config pypi-token*", "config repositories*"], "~/.config/pypoetry/auth.toml", &[],
        &["--list", "--local"]),
    row(&["rclone"], &["config create", "config delete", "config disconnect", "config password", "config reconnect", "config update"], "~/.config/rclone",
        &["--config", "RCLONE_CONFIG"], &[]),
    row(&["s3cmd"], &["--configure"], "~/.s3cfg", &["--config", "-c"], &[]),
    row(&["secret-tool"], &["clear", "store"], "~/.local/share/keyrings", &[], &[]),
    row(&["security"], &["add-*", "create-keychain", "default-keychain -s", "delete-*", "import", "list-keychains -s", "login-keychain -s",
        "remove-trusted-cert", "set-*", "trust-settings-import"], "~/Library/Keychains", &[], &[]),
    row(&["snow"], &["connection add", "connection remove"], "~/.snowflake", &["--config-file"], &[]),
    row(&["ssh-copy-id"], &[""], "~/.ssh/authorized_keys", &[], &["-n"]),
    row(&["ssh-keygen"], &["-A"], "/etc/ssh", &[], &[]),
    row(&["terraform", "tofu"], &["login", "logout"], "~/.terraform.d/credentials.tfrc.json", &[], &[]),
    row(&["vault"], &["login"], "~/.vault-token", &[], &["-no-store"]),
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
    row(&["systemctl"], &["add-requires", "add-wants", "disable", "edit", "enable", "link", "mask", "preset*", "reenable", "revert", "set-default",
        "set-property", "unmask"], "/etc/systemd/system", &[], &["--runtime", "--user"]),
    row(&["systemctl"], &["--user add-requires", "--user add-wants", "--user disable", "--user edit", "--user enable", "--user link", "--user mask",
        "--user preset*", "--user reenable", "--user revert", "--user set-default", "--user set-property", "--user unmask"], "~/.config/systemd/user", &[],
        &[]),
    row(&["dracut", "grub-install", "grub2-install", "mkinitcpio", "update-grub", "update-grub2", "update-initramfs"], &[""], "/boot", &[], &[]),
    row(&["adduser", "chfn", "deluser", "newusers", "useradd", "userdel", "usermod", "vipw"], &[""], "/etc/passwd", &[], &[]),
    row(&["chsh"], &[""], "/etc/passwd", &[], &["--list-shells", "-l"]),
    row(&["chage"], &[""], "/etc/shadow", &[], &["--list", "-l"]),
    row(&["chpasswd", "passwd"], &[""], "/etc/shadow", &[], &["--status", "-S"]),
    row(&["addgroup", "delgroup", "gpasswd", "groupadd", "groupdel", "groupmems", "groupmod", "vigr"], &[""], "/etc/gshadow", &[], &[]),
    row(&["authselect"], &["apply-changes", "disable-feature", "enable-feature", "opt-out", "select"], "/etc/pam.d", &[], &[]),
    row(&["pam-auth-update"], &[""], "/etc/pam.d", &[], &[]),
    row(&["visudo"], &[""], "/etc/sudoers", &["--file", "-f"], &["--check", "-c", "-cf", "-cq", "-cqf", "-qc", "-qcf"]),
];
