//! Programs that print what others wrote.

/// Programs that print what other people wrote, and the service that each queries.
pub(super) const SERVICES: &[(&str, &str)] = &[
    ("gh", "github.com"),
    ("hub", "github.com"),
    ("glab", "gitlab.com"),
    ("tea", "gitea.com"),
    ("jira", "jira"),
    ("linear", "linear.app"),
    ("slack", "slack.com"),
    ("npm", "registry.npmjs.org"),
    ("yarn", "registry.npmjs.org"),
    ("pnpm", "registry.npmjs.org"),
    ("bun", "registry.npmjs.org"),
    ("pip", "pypi.org"),
    ("pip3", "pypi.org"),
    ("poetry", "pypi.org"),
    ("gem", "rubygems.org"),
    ("bundle", "rubygems.org"),
    ("composer", "packagist.org"),
    ("cargo", "crates.io"),
    ("brew", "brew.sh"),
    ("lynx", "the web"),
    ("w3m", "the web"),
    ("links", "the web"),
    ("elinks", "the web"),
    ("ddgr", "the web"),
    ("googler", "the web"),
    ("youtube-dl", "the web"),
    ("yt-dlp", "the web"),
    ("ipfs", "IPFS"),
    ("gcalcli", "a calendar"),
    ("khal", "a calendar"),
    ("himalaya", "mail"),
    ("neomutt", "mail"),
    ("notmuch", "mail"),
    ("mutt", "mail"),
    ("mail", "mail"),
    ("dig", "DNS"),
    ("drill", "DNS"),
    ("host", "DNS"),
    ("nslookup", "DNS"),
    ("whois", "WHOIS"),
];

/// Programs whose subcommand `logs` prints what services wrote, such as what their visitors sent.
pub(super) const LOGGING: &[&str] =
    &["docker", "docker-compose", "podman", "nerdctl", "kubectl", "oc", "heroku", "fly", "flyctl"];

/// Subcommands of these programs that only print what happens on this machine.
pub(super) const OWN: &[&str] = &[
    "test",
    "run",
    "start",
    "build",
    "install",
    "i",
    "ci",
    "add",
    "exec",
    "auth",
    "login",
    "logout",
    "config",
    "version",
    "--version",
    "help",
    "--help",
    "completion",
    "alias",
    "lint",
    "audit",
    "init",
    "status",
    "ls",
    "list",
    "publish",
    "dev",
    "pack",
    "link",
    "rebuild",
    "prune",
    "dedupe",
    "create",
    "--prefix",
    "remove",
    "uninstall",
    "update",
    "up",
    "dlx",
    "why",
];

/// The package managers among these programs. Most of their subcommands are about this machine.
pub(super) const MANAGERS: &[&str] =
    &["npm", "yarn", "pnpm", "bun", "pip", "pip3", "poetry", "gem", "bundle", "composer", "cargo", "brew"];

/// Programs that fetch packages and show what is in a repository, by subcommands that are called alike: those of
/// operating systems, languages, clusters and others.
pub(super) const REPOSITORIES: &str = "apt apt-get aptitude nala dnf dnf5 microdnf yum zypper apk snap flatpak conda \
    mamba micromamba uv helm mix rebar3 krew port choco winget scoop pkg guix nix opam cabal stack luarocks zef nimble \
    shards raco spago vcpkg conan nuget dotnet dart flutter swift pod carthage deno jsr pipx pdm rye hatch bower volta \
    pear pecl wp ansible-galaxy puppet juju vagrant mise asdf tlmgr pkcon";
/// Programs that do nothing else.
pub(super) const FETCHING: &str =
    "apt-cache pacman yay paru eix emerge xbps-query xbps-install nix-env cpan cpanm fwupdmgr";

/// The package managers whose builds print what the packages tell: warnings, and what their scripts print.
pub(super) const BUILDING: &[&str] = &["cargo", "cabal", "stack", "swift", "dotnet", "nix", "mix", "conan", "vcpkg"];
/// The subcommands that build.
pub(super) const BUILDS: &[&str] = &["build", "b", "check", "c", "compile", "doc"];

/// Subcommands of package managers that print what a package's author wrote: texts, and while a package is installed
/// also warnings and what its scripts print. They may come after another word: `hex.info`, `remote-info`.
pub(super) const TELLING: &[&str] = &[
    "view",
    "info",
    "show",
    "v",
    "search",
    "find",
    "s",
    "pip",
    "repo",
    "docs",
    "bugs",
    "npm",
    "install",
    "i",
    "ci",
    "add",
    "update",
    "up",
    "upgrade",
    "require",
    "reinstall",
    "get",
    "outdated",
    "pub",
    "package",
    "collection",
    "role",
    "module",
    "plugin",
    "box",
    "fetch",
    "vendor",
    "pull",
    "query",
    "changelog",
];

/// Programs that print what is in binary files, such as the title of a picture.
pub(super) const EXTRACTING: &[&str] = &[
    "exiftool",
    "exiv2",
    "identify",
    "magick",
    "ffprobe",
    "mediainfo",
    "pdftotext",
    "pdfinfo",
    "pdfgrep",
    "mutool",
    "antiword",
    "catdoc",
    "docx2txt",
    "odt2txt",
    "unrtf",
    "tesseract",
    "zbarimg",
    "sqlite3",
];

/// The schemes of objects in stores of clouds.
pub(super) const STORES: &[&str] = &["s3://", "gs://", "oss://", "hdfs://"];

/// Programs that name an object in a store without a scheme, and the words with which each reads one.
pub(super) const READING: &[(&str, &[&str])] = &[
    ("mc", &["cat", "head", "sql"]),
    ("mcli", &["cat", "head", "sql"]),
    ("az", &["download"]),
    ("b2", &["cat", "download-file", "download-file-by-name", "download"]),
    ("swift", &["download"]),
    ("openstack", &["save"]),
    ("oci", &["get"]),
    ("wrangler", &["get"]),
    ("hadoop", &["-cat", "-text", "-head", "-tail"]),
    ("hdfs", &["-cat", "-text", "-head", "-tail"]),
    ("aws", &["get-object"]),
    ("dbxcli", &["get"]),
    ("gdrive", &["download"]),
    ("rados", &["get"]),
];
/// Words with which they print it instead of saving it. Words such as `cat` always print.
pub(super) const PRINTED: &[&str] = &["-", "/dev/stdout", "/dev/fd/1", "--stdout", "--pipe"];
