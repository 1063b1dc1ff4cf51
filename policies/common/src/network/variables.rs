//! Hosts in the variables that programs read: `https_proxy=…`, `GOPROXY=…`.

use super::{Traffic, host, is_url};
use crate::{Command, UNKNOWN, Word};

/// Variables whose value is the registry or the service that a program uses, in lower case.
const SERVICES: &[&str] = &[
    "yarn_npm_registry_server",
    "pip_index_url",
    "pip_extra_index_url",
    "uv_index",
    "uv_index_url",
    "uv_default_index",
    "uv_extra_index_url",
    "goproxy",
    "rustup_dist_server",
    "rustup_update_root",
    "electron_mirror",
    "nvm_nodejs_org_mirror",
    "pub_hosted_url",
    "homebrew_artifact_domain",
    "homebrew_bottle_domain",
    "hf_endpoint",
    "anthropic_base_url",
    "openai_base_url",
    "openai_api_base",
    "ollama_host",
    "vault_addr",
    "consul_http_addr",
    "nomad_addr",
    "mysql_host",
];

/// Whether a variable, in lower case, names a registry or a service.
fn names_service(name: &str) -> bool {
    SERVICES.contains(&name)
        || name.starts_with("npm_config_") && ["registry", "_proxy"].iter().any(|end| name.ends_with(end))
        || name.starts_with("cargo_registries_") && name.ends_with("_index")
        || name.starts_with("aws_endpoint_url_")
}

/// Reads the variables that a command sets.
pub(super) fn read(command: &Command, traffic: &mut Traffic) {
    let assignments = command.facts.assignments.iter().map(|set| (set.name.as_str(), Word::from(&set.value)));
    let is_declaration = matches!(command.name, "export" | "declare" | "typeset" | "local" | "readonly")
        // `go env -w GOPROXY=…`
        || command.name == "go" && command.args().first().is_some_and(|word| word.text() == "env");
    let declared = command.args().iter().filter(|_| is_declaration).filter_map(|word| {
        let (name, _) = word.text().split_once('=')?;
        Some((name, word.after(name.len() + 1)))
    });
    for (name, value) in assignments.chain(declared) {
        let lower = name.to_ascii_lowercase();
        match lower.as_str() {
            "http_proxy" | "https_proxy" | "all_proxy" | "ftp_proxy" | "rsync_proxy" | "aws_endpoint_url"
            | "gh_host" | "docker_host" | "pghost" | "pghostaddr" | "cups_server" => {
                let is_path = ["unix:", "npipe:", "/"].iter().any(|start| value.text().starts_with(start));
                // The variable only copies another variable's value, or is cleared.
                if !value.text().is_empty() && !is_path && !value.text().starts_with(UNKNOWN) {
                    traffic.url(&value);
                }
            }
            _ if lower.starts_with("rclone_")
                && ["_host", "_endpoint", "_url"].iter().any(|end| lower.ends_with(end)) =>
            {
                traffic.url(&value);
            }
            // `GOPROXY=https://host,direct`
            _ if names_service(&lower) => {
                let parts = value.text().split([',', '|', ' ']).map(|part| part.trim_start_matches("sparse+"));
                let is_host = |part: &&str| is_url(part) && !part.starts_with(UNKNOWN) || host::looks_like_host(part);
                parts.filter(is_host).for_each(|part| traffic.url(&Word::new(part)));
            }
            "curl_home" | "wgetrc" | "system_wgetrc" => traffic.hides(format!("{name} names a config file")),
            _ => {}
        }
    }
}
