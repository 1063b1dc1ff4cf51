//! Programs that may be given a file with secrets.

use hookbox_policy::Names;

/// Programs that use a file without showing it.
#[rustfmt::skip] // Many names to a line.
pub(crate) static USERS: Names = Names::new(&[
    "source", ".", "ssh", "ssh-add", "ssh-keygen", "ssh-copy-id", "kubectl", "oc", "helm", "k9s", "docker",
    "docker-compose", "podman", "nerdctl", "terraform", "tofu", "ansible", "ansible-playbook", "bun", "deno", "java",
    "make", "gmake", "dotenv", "direnv", "foreman", "honcho", "overmind", "heroku", "npm", "npx", "yarn", "pnpm",
    "test", "[", "[[", "stat", "ls", "chmod", "chown", "touch", "wc", "md5sum", "sha1sum", "sha256sum", "sha512sum",
    "sum", "cksum", "b2sum", "basename", "dirname", "realpath", "readlink",
    "file", "cmp", "rm", "mkdir", "du", "sops", "age", "gpg-agent", "keytool", "cargo",
    "go", "gradle", "mvn", "mysqldump", "pg_dump", "redis-cli", "mongosh", "aws", "gcloud", "gsutil", "az", "gh",
    "glab", "certbot", "openvpn", "wg-quick", "vi", "vim", "nvim", "nano", "emacs", "code", "sh", "bash", "zsh",
    "dash", "act", "artisan", "asdf", "borg", "bundle", "caddy", "cdk", "chezmoi", "composer", "conda", "dbmate",
    "diesel", "django-admin", "doppler", "dotenv-linter", "dotenvx", "dotnet", "env-cmd", "fastlane", "firebase",
    "flask", "fly", "flyctl", "git-crypt", "goose", "gunicorn", "infisical", "jest", "just", "migrate", "mise",
    "mkcert", "mosh", "autossh", "sshfs", "sftp", "netlify", "next", "nodemon", "nx", "op", "open", "packer",
    "pipenv", "pm2", "poetry", "prisma", "pulumi", "pytest", "rails", "railway", "rake", "restic", "sam",
    "serverless", "sls", "step", "stow", "supabase", "swift", "task", "traefik", "transcrypt", "ts-node", "tsx",
    "turbo", "dotenv-cli", "godotenv", "uv", "uvicorn", "vault", "vercel", "vite", "vitest", "wrangler", "xcodebuild", "xdg-open",
]);
