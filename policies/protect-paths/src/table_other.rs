//! The files that the user is asked about, and the exceptions from protection.

use crate::table::Group;

/// The files that the user is asked about.
pub(crate) const ASKED: &[Group] = &[
    Group {
        why: "says what runs on the build server, with its secrets",
        patterns: &[
            ".github/workflows",
            ".github/actions",
            ".gitea/workflows",
            ".forgejo/workflows",
            ".buildkite",
            ".circleci",
            ".drone.yml",
            ".gitlab-ci.yml",
            ".gitlab-ci.yaml",
            ".travis.yml",
            ".woodpecker.yml",
            ".woodpecker",
            "azure-pipelines.yml",
            "bitbucket-pipelines.yml",
            "jenkinsfile",
        ],
    },
    Group { why: "runs programs when somebody commits or pushes", patterns: &[".husky", ".githooks"] },
    Group {
        why: "is a lock file, which the package manager keeps",
        patterns: &[
            ".terraform.lock.hcl",
            "bun.lock",
            "bun.lockb",
            "cargo.lock",
            "cartfile.resolved",
            "chart.lock",
            "composer.lock",
            "deno.lock",
            "flake.lock",
            "gemfile.lock",
            "go.sum",
            "go.work.sum",
            "gradle.lockfile",
            "mix.lock",
            "npm-shrinkwrap.json",
            "package-lock.json",
            "package.resolved",
            "packages.lock.json",
            "pdm.lock",
            "pipfile.lock",
            "pixi.lock",
            "pnpm-lock.yaml",
            "podfile.lock",
            "poetry.lock",
            "pubspec.lock",
            "stack.yaml.lock",
            "uv.lock",
            "yarn.lock",
        ],
    },
];

/// Examples of protected files.
pub(crate) const EXCEPTED: &[&str] = &[
    ".env*.example",
    ".env*.sample",
    ".env*.template",
    ".env*.tmpl",
    ".env*.tpl",
    ".env*.dist",
    ".env*.defaults",
    ".env*.schema",
    ".env*.d.ts",
    ".env.example*",
    ".env.sample*",
    ".env.template*",
    "*.example",
    "*.sample",
    "*.template",
];

/// Texts about the file that they are named after: `id_rsa.md`.
pub(crate) const TEXTS: &[&str] = &["*.md", "*.rst", "*.adoc"];

/// Directories that an agent keeps below its settings for its own work. The rest of the path is judged by itself, since
/// it may be in a working tree.
pub(crate) const WORK: &[&str] = &[
    ".claude/plans",
    ".claude/projects/*/memory",
    ".claude/worktrees",
    ".codex/worktrees",
    ".cursor/plans",
    ".cursor/worktrees",
    ".gemini/tmp",
    ".gemini/worktrees",
    ".kilocode/worktrees",
    ".opencode/plans",
];

/// Places outside the project where anything may be written, in addition to the known directories for temporary files.
pub(crate) const SCRATCH: &[&str] = &[
    "/dev/fd",
    "/dev/full",
    "/dev/null",
    "/dev/pts",
    "/dev/shm",
    "/dev/stderr",
    "/dev/stdout",
    "/dev/tty",
    "/dev/zero",
    "/private/tmp",
    "/private/var/folders",
    "/private/var/tmp",
    "/proc/self/fd",
    "/tmp",
    "/var/folders",
    "/var/tmp",
];
