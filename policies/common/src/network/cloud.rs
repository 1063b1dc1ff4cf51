//! Programs with a built-in service: what they send to it, and options that lead to other hosts.
//!
//! Using a service that the user has configured needs no question; sending data from this machine does.

use super::lists::FLAGS;
use super::{Host, Target, Traffic, addresses, arguments, containers, is_in_domain, is_url, references, target};
use crate::{Command, Options, Word, options_but};

/// A program and its service.
struct Service {
    names: &'static [&'static str],
    host: &'static str,
    /// The first words of the subcommands that send data.
    sends: &'static [&'static [&'static str]],
    /// The options whose value is a different host of the service.
    hosts: &'static [&'static str],
}

const fn row(
    names: &'static [&'static str],
    host: &'static str,
    sends: &'static [&'static [&'static str]],
    hosts: &'static [&'static str],
) -> Service {
    Service { names, host, sends, hosts }
}

/// The services' own domains. If these names are in arguments, they do not mean another host.
const OWN: &[&str] = &["amazonaws.com", "windows.net", "googleapis.com"];

/// The schemes of object stores, and their hosts.
const STORES: &[(&str, &str)] = &[
    ("s3://", "s3.amazonaws.com"),
    ("gs://", "storage.googleapis.com"),
    ("az://", "blob.core.windows.net"),
    ("b2://", "backblazeb2.com"),
    ("oss://", "aliyuncs.com"),
    ("cos://", "myqcloud.com"),
    ("r2://", "r2.cloudflarestorage.com"),
];

#[rustfmt::skip] // A table reads better with one row per line.
const SERVICES: &[Service] = &[
    row(&["gh"], "github.com", &[&["gist", "create"], &["gist", "edit"], &["release", "upload"], &["release", "create"], &["repo", "create"], &["secret", "set"], &["variable", "set"], &["ssh-key", "add"], &["gpg-key", "add"], &["repo", "deploy-key"]], &["--hostname"]),
    row(&["glab"], "gitlab.com", &[&["snippet", "create"], &["release", "create"], &["release", "upload"], &["repo", "create"], &["variable", "set"], &["ssh-key", "add"]], &["--hostname", "-h"]),
    row(&["aws"], "amazonaws.com", &[&["s3api", "put-object"], &["s3api", "upload-part"], &["s3api", "put-bucket-policy"], &["secretsmanager", "put-secret-value"], &["lambda", "update-function-code"], &["ssm", "put-parameter"], &["glacier", "upload-archive"], &["kinesis", "put-record"], &["sns", "publish"], &["sqs", "send-message"]], &["--endpoint-url"]),
    row(&["gcloud"], "googleapis.com", &[&["functions", "deploy"], &["compute", "scp"], &["secrets", "create"], &["pubsub", "topics"]], &[]),
    row(&["az"], "core.windows.net", &[&["storage", "blob", "upload"], &["storage", "blob", "upload-batch"], &["storage", "blob", "sync"], &["storage", "file", "upload"], &["storage", "copy"]], &["--blob-endpoint"]),
    row(&["gsutil", "s3cmd", "s4cmd", "s5cmd", "azcopy", "ossutil", "coscmd", "b2", "rclone", "mc", "mcli"], "", &[&["put"], &["pipe"], &["upload_file"], &["upload-file"], &["rcat"], &["upload"]], &["--host", "--endpoint-url", "--endpoint"]),
    row(&["npm", "pnpm", "yarn", "bun"], "registry.npmjs.org", &[&["publish"], &["npm", "publish"]], &["--registry"]),
    row(&["cargo"], "crates.io", &[&["publish"]], &[]),
    row(&["twine"], "upload.pypi.org", &[&["upload"]], &["--repository-url"]),
    row(&["uv", "poetry", "hatch", "flit", "pdm"], "upload.pypi.org", &[&["publish"]], &["--publish-url", "--index-url", "--default-index", "--extra-index-url", "--index"]),
    row(&["gem"], "rubygems.org", &[&["push"]], &["--host", "--source"]),
    row(&["vsce", "ovsx"], "marketplace.visualstudio.com", &[&["publish"]], &["--registryUrl"]),
    row(&["docker", "podman", "nerdctl", "buildah"], "docker.io", &[], &["-H", "--host"]),
    row(&["heroku", "now"], "", &[], &[]),
    row(&["firebase"], "firebase.googleapis.com", &[&["deploy"]], &[]),
    row(&["fly", "flyctl"], "api.fly.io", &[&["deploy"]], &[]),
    row(&["railway"], "backboard.railway.app", &[&["up"]], &[]),
    row(&["vercel"], "api.vercel.com", &[&["deploy"]], &[]),
    row(&["netlify"], "api.netlify.com", &[&["deploy"]], &[]),
    row(&["wrangler"], "api.cloudflare.com", &[&["deploy"], &["publish"], &["pages", "deploy"], &["pages", "publish"]], &[]),
    row(&["surge"], "surge.sh", &[&["publish"]], &[]),
    row(&["huggingface-cli", "hf"], "huggingface.co", &[&["upload"], &["upload-large-folder"]], &[]),
    row(&["wandb"], "api.wandb.ai", &[&["sync"], &["artifact", "put"]], &[]),
    row(&["kaggle"], "www.kaggle.com", &[&["datasets", "create"], &["datasets", "version"], &["kernels", "push"], &["models", "create"]], &[]),
    row(&["ntfy"], "ntfy.sh", &[&["publish"], &["pub"], &["send"]], &[]),
    row(&["w3"], "up.web3.storage", &[&["up"]], &[]),
];

/// The options of all these programs that take a value.
const VALUES: &[&str] = &["--profile", "--region", "--query", "--output", "--config"];

/// Returns the other options of a program that take a value. A letter means different things to different programs:
/// `docker run -d` and `gsutil cp -n` take no value.
fn values_of(program: &str) -> &'static [&'static str] {
    match program {
        "gh" | "glab" => &[
            "-R",
            "--repo",
            "-X",
            "--method",
            "-H",
            "--header",
            "-f",
            "-F",
            "--field",
            "--raw-field",
            "--input",
            "-q",
            "--jq",
            "-t",
            "--template",
        ],
        "docker" | "podman" | "nerdctl" | "buildah" => &[
            "-c",
            "--context",
            "-e",
            "--env",
            "-l",
            "--label",
            "--log-level",
            "-m",
            "--memory",
            "--name",
            "--network",
            "-p",
            "--password",
            "--publish",
            "-u",
            "--user",
            "--username",
            "-v",
            "--volume",
            "-w",
            "--workdir",
        ],
        _ => &[],
    }
}

/// Reads a command of one of these programs. Returns whether it was one.
pub(super) fn read(command: &Command, traffic: &mut Traffic) -> bool {
    let Some(service) = SERVICES.iter().find(|service| service.names.contains(&command.name)) else {
        return false;
    };
    let values = [service.hosts, VALUES, values_of(command.name)].concat();
    let args = addresses::requested(command);
    let read = options_but(&args, &values, FLAGS);
    for value in read.values(service.hosts).filter(|value| !value.text().starts_with("unix:")) {
        traffic.url(value);
    }
    let verbs: Vec<&str> = read.operands.iter().map(Word::text).take(5).collect();
    // The values of options that are not known may come before the subcommand: `npm -w pkg publish`.
    let may_skip =
        args.first().is_some_and(|word| word.text().starts_with(['-', '+'])) || verbs.first() == Some(&"workspace");
    let is_said = |sends: &[&str]| {
        let mut starts = 0..=if may_skip { 2 } else { 0 };
        starts.any(|start| verbs.get(start..).is_some_and(|verbs| verbs.starts_with(sends)))
    };
    let is_elsewhere = is_elsewhere(service, &read, command);
    if let Some(sends) = service.sends.iter().find(|sends| is_said(sends)) {
        // `az` and `glab` give a name with `-n`.
        let dry: &[&str] = if matches!(command.name, "az" | "glab") { &["--dry-run"] } else { &["--dry-run", "-n"] };
        let is_dry = read.has(dry)
            && read.value(&["--dry-run"]).is_none_or(|value| value.text() != "false")
            && command.name != "gh";
        if !is_dry && !service.host.is_empty() && !is_elsewhere {
            traffic.service(service.host, &sends.join(" "), None);
        }
        if !is_dry {
            traffic.sends(&format!("{} {}", command.name, sends.join(" ")));
        }
    }
    match command.name {
        "gh" | "glab" if verbs.first() == Some(&"api") => api(service.host, &read, traffic),
        "docker" | "podman" | "nerdctl" | "buildah" => {
            images(&read.operands, traffic);
            containers::read(&args, &read.operands, traffic);
        }
        "gh" | "glab" if verbs.starts_with(&["repo", "clone"]) => {
            read.operands.iter().filter(|word| is_url(word.text())).for_each(|word| traffic.url(word));
        }
        "gh" if matches!(verbs.first(), Some(&"codespace" | &"cs")) && verbs.contains(&"visibility") => {
            if read.operands.iter().any(|word| word.text().ends_with(":public") || word.text().ends_with(":org")) {
                traffic.serves = Some("it opens a port to others".to_owned());
            }
        }
        "gh" | "glab" => {}
        _ if read.has(&["--dry-run", "--dryrun"]) => {}
        // Other programs take the host of the bucket from another option.
        "aws" | "s4cmd" | "s5cmd" if is_elsewhere => objects(command, &read.operands, true, traffic),
        _ => objects(command, &read.operands, false, traffic),
    }
    if !matches!(command.name, "gh" | "glab") {
        urls(command, &args, &read, &verbs, traffic);
    }
    true
}

/// Reads the URLs of other hosts than those of the services, in operands, options and settings.
fn urls(command: &Command, args: &[Word], read: &Options, verbs: &[&str], traffic: &mut Traffic) {
    let is_other = |word: &&Word| {
        let is_own = |host: &Host| OWN.iter().any(|domain| is_in_domain(&host.name, domain));
        is_url(word.text())
            && !is_store(word.text())
            && !matches!(target(word.text()), Target::Host(host) if is_own(&host) && host.posing_as.is_none())
    };
    let attached = args.iter().take_while(|word| word.text() != "--").filter(|word| word.text().starts_with('-'));
    let attached: Vec<Word> = attached.filter_map(arguments::url).filter(|_| may_request(command, verbs)).collect();
    // `npm config set registry=https://host`
    let is_set = is_manager(command.name) && verbs.iter().take(2).any(|verb| *verb == "set");
    let is_of_package = verbs.iter().take(2).any(|verb| *verb == "pkg");
    let set = read.operands.iter().filter(|word| is_set && !(is_of_package && is_for_people(word.text())));
    let set = set.filter_map(|word| Some(word.after(word.text().find('=')? + 1)));
    let set: Vec<Word> = set.collect();
    let urls = read.operands.iter().chain(&attached).chain(&set).filter(is_other);
    urls.for_each(|word| traffic.url(word));
}

/// The variables that name another host of a service.
const VARIABLES: &[(&[&str], &[&str])] = &[
    (&["aws"], &["AWS_ENDPOINT_URL"]),
    (&["gh"], &["GH_HOST"]),
    (&["npm", "pnpm", "yarn", "bun"], &["npm_config_registry", "NPM_CONFIG_REGISTRY", "YARN_NPM_REGISTRY_SERVER"]),
    (&["huggingface-cli", "hf"], &["HF_ENDPOINT"]),
];

/// Whether a command names another host of its service, so that nothing is sent to the usual one. A proxy only passes
/// on what is sent, and a variable may be for another program.
fn is_elsewhere(service: &Service, read: &Options, command: &Command) -> bool {
    let is_host = |word: &Word| matches!(target(word.text()), Target::Host(_));
    let rows = VARIABLES.iter().filter(|(names, _)| names.contains(&command.name));
    let variables: Vec<&str> = rows.flat_map(|(_, variables)| *variables).copied().collect();
    let sets = &command.facts.assignments;
    // `AWS_ENDPOINT_URL_S3` counts more than `AWS_ENDPOINT_URL`.
    let is_ignored = sets
        .iter()
        .any(|set| set.name == "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS" || set.name.starts_with("AWS_ENDPOINT_URL_"));
    let mut named = sets.iter().filter(|set| variables.contains(&set.name.as_str()) && !is_ignored);
    // The last of these options counts.
    read.value(service.hosts).is_some_and(is_host) || named.any(|set| is_host(&Word::from(&set.value)))
}

fn is_manager(name: &str) -> bool {
    matches!(name, "npm" | "pnpm" | "yarn" | "bun")
}

/// The fields of a package that only tell people something.
#[rustfmt::skip] // Many words to a line.
const FOR_PEOPLE: &[&str] = &[
    "author", "bugs", "contributors", "description", "funding", "homepage", "keywords", "license", "maintainers", "repository",
];

/// Whether a setting of a package reaches nothing: `homepage=https://host`, `author.url=https://host`.
fn is_for_people(setting: &str) -> bool {
    FOR_PEOPLE.contains(&setting.split(['.', '[', '=']).next().unwrap_or_default())
}

/// Whether the URLs in the options of a command may be requested, and are not for a script of the project, or for what a
/// container is built from.
fn may_request(command: &Command, verbs: &[&str]) -> bool {
    const OWN: &[&str] = &[
        "add", "config", "create", "dlx", "exec", "i", "info", "init", "install", "link", "login", "publish", "set",
        "up", "update", "upgrade", "view", "x",
    ];
    match command.name {
        // What follows the image is for the program in it, which may request the URL.
        "docker" | "podman" | "nerdctl" | "buildah" => {
            verbs.iter().take(3).any(|verb| matches!(*verb, "run" | "exec" | "create"))
        }
        "npm" => !matches!(verbs.first(), Some(&"run" | &"run-script" | &"start" | &"t" | &"test")),
        "pnpm" | "yarn" | "bun" => verbs.iter().take(3).any(|verb| OWN.contains(verb)),
        _ => true,
    }
}

fn is_store(text: &str) -> bool {
    STORES.iter().any(|(scheme, _)| text.starts_with(scheme))
}

/// Reads `gh api`. It writes if it has fields or another method; a GraphQL query reads.
fn api(host: &str, read: &Options, traffic: &mut Traffic) {
    let method = read.value(&["-X", "--method"]).map(Word::text);
    let has_fields = read.has(&["-f", "-F", "--field", "--raw-field", "--input"]);
    // What a file holds is not known.
    let may_change = |value: &Word| value.text().contains("mutation") || value.text().contains("=@");
    let is_query = read.operands.get(1).is_some_and(|word| word.text() == "graphql")
        && !read.has(&["--input"])
        && !read.values(&["-f", "-F", "--field", "--raw-field"]).any(may_change);
    let sends = match method {
        Some(method) => !matches!(method, "GET" | "get" | "HEAD"),
        None => has_fields && !is_query,
    };
    if sends {
        traffic.service(host, "api", Some(format!("a request that writes, {}", method.unwrap_or("with fields"))));
    }
    read.operands.iter().skip(1).filter(|word| is_url(word.text())).for_each(|word| traffic.url(word));
}

/// Reads a copy into an object store. The last operand is its target. A word after a long option may be the value of
/// that option, so the last of the other operands counts, too, unless it is the source: `sync . s3://b --exclude x`. With
/// `is_named`, the copy goes to the host that the command names.
fn objects(command: &Command, operands: &[Word], is_named: bool, traffic: &mut Traffic) {
    let is_verb = |word: &Word| {
        matches!(
            word.text(),
            "cp" | "mv" | "sync" | "rsync" | "copy" | "copyto" | "put" | "upload" | "move" | "moveto" | "mirror"
        )
    };
    let Some(at) = operands.iter().position(is_verb) else {
        return;
    };
    let all = operands.get(at + 1..).unwrap_or_default();
    let may_be_value = |word: &&Word| {
        let is_value = |pair: &[Word]| match pair {
            [option, value] => option.text().starts_with("--") && !option.text().contains('=') && value == *word,
            _ => false,
        };
        command.args().windows(2).any(is_value)
    };
    let last = all.last().filter(|_| all.len() > 1);
    let sure = all.iter().rfind(|word| !may_be_value(word)).filter(|sure| all.first() != Some(*sure));
    last.into_iter().chain(sure.filter(|sure| last != Some(*sure))).for_each(|word| object(word, is_named, traffic));
}

/// Reads the target of a copy.
fn object(last: &Word, is_named: bool, traffic: &mut Traffic) {
    let mut named = Traffic::default();
    references::connection(last.text(), &mut named);
    if !named.is_none() {
        for contact in &mut traffic.contacts {
            if named.contacts.contains(contact) {
                contact.sends = Some(format!("a copy to {}", last.raw()));
            }
        }
        return;
    }
    let host = STORES.iter().find(|(scheme, _)| last.text().starts_with(scheme)).map(|(_, host)| *host);
    if host.is_some() && is_named {
        traffic.sends(&format!("a copy to {}", last.raw()));
    } else if let Some(host) = host {
        traffic.service(host, last.raw(), Some(format!("a copy to {}", last.raw())));
    } else if let Some((remote, _)) =
        last.text().trim_start_matches(':').split_once(':').filter(|(name, _)| name.len() > 1 && !name.contains('/'))
    {
        // This is a remote from rclone's own config, or a kind of store whose settings are elsewhere.
        if !is_url(last.text()) && !last.text().starts_with(":local:") {
            traffic.service(remote, last.raw(), Some(format!("a copy to {}", last.raw())));
        }
    }
    if is_url(last.text()) && !is_store(last.text()) {
        traffic.url(last);
        traffic.sends(&format!("a copy to {}", last.raw()));
    }
}

/// Reads `docker push registry/image` and `docker login registry`.
fn images(operands: &[Word], traffic: &mut Traffic) {
    let words: Vec<&Word> = operands.iter().filter(|word| !matches!(word.text(), "image" | "manifest")).collect();
    let [verb, rest @ ..] = words.as_slice() else {
        return;
    };
    let sends = verb.text() == "push";
    let runs = matches!(verb.text(), "run" | "create");
    if !runs && !matches!(verb.text(), "push" | "pull" | "login") {
        return;
    }
    // The values of options may come before the image that is run.
    let is_image = |word: &&&Word| {
        let text = word.text();
        let host = text.split('/').next().unwrap_or_default();
        !text.starts_with(['/', '.', '~']) && text.contains('/') && host.contains('.') && !text.contains(['=', ' '])
    };
    let image = if runs { rest.iter().find(is_image) } else { rest.first() };
    let Some(image) = image else {
        return;
    };
    let registry = image.text().split('/').next().unwrap_or_default();
    let is_host = registry.contains(['.', ':']) || registry == "localhost" || verb.text() == "login";
    let is_named = is_host && (image.text().contains('/') || verb.text() == "login");
    if is_named {
        traffic.host(&Word::new(registry), Some(443));
    } else if sends {
        traffic.service("docker.io", image.raw(), None);
    }
    if sends {
        traffic.sends(&format!("the image {}", image.raw()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_has_one_row() {
        let mut names: Vec<&str> = SERVICES.iter().flat_map(|service| service.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
