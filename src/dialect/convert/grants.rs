//! The grants of a hook, as `hooks.toml` writes them.

use crate::dialect::toml_text::string;
use crate::runtime::component::{DirAccess, DirGrant, Grants, NetGrant, NetRule, StoreGrant};

/// Returns the grants as an inline table. `None` if nothing is granted.
pub(super) fn toml(grants: &Grants) -> Option<String> {
    let Grants { dirs, env, clocks, random, store, net } = grants;
    let mut parts = Vec::new();
    if !dirs.is_empty() {
        let dirs = dirs.iter().map(|dir| {
            let access = match dir.access {
                DirAccess::Read => "read",
                DirAccess::ReadWrite => "read-write",
            };
            let path = string(&dir.host_path.display().to_string());
            let max_bytes = match dir.max_bytes {
                DirGrant::MAX_BYTES => String::new(),
                bytes => format!(", max_bytes = \"{bytes}B\""),
            };
            format!("{{ path = {path}, as = {}, access = \"{access}\"{max_bytes} }}", string(&dir.guest_path))
        });
        parts.push(format!("dirs = [{}]", dirs.collect::<Vec<_>>().join(", ")));
    }
    if !env.is_empty() {
        let names: Vec<String> = env.iter().map(|variable| string(&variable.name)).collect();
        parts.push(format!("env = [{}]", names.join(", ")));
    }
    parts.extend(clocks.then(|| "clocks = true".to_owned()));
    parts.extend(random.then(|| "random = true".to_owned()));
    parts.extend(store.as_ref().map(store_grant));
    parts.extend(net.as_ref().map(net_grant));
    (!parts.is_empty()).then(|| format!("{{ {} }}", parts.join(", ")))
}

fn store_grant(store: &StoreGrant) -> String {
    let default = StoreGrant::new(store.scope);
    let mut parts = vec![format!("scope = \"{}\"", store.scope.as_str())];
    if store.quota != default.quota {
        parts.push(format!("quota = \"{}B\"", store.quota));
    }
    parts.extend(store.ttl.map(|ttl| format!("ttl = \"{}\"", humantime::format_duration(ttl))));
    format!("store = {{ {} }}", parts.join(", "))
}

fn net_grant(net: &NetGrant) -> String {
    let rules: Vec<String> = net.rules.iter().map(net_rule).collect();
    format!("net = [{}]", rules.join(", "))
}

fn net_rule(rule: &NetRule) -> String {
    let NetRule { url, methods, bearer, headers, private, ca, proxy } = rule;
    let mut parts = vec![format!("url = {}", string(url))];
    if !methods.is_empty() {
        let methods: Vec<String> = methods.iter().map(|method| string(method)).collect();
        parts.push(format!("methods = [{}]", methods.join(", ")));
    }
    parts.extend(bearer.as_ref().map(|source| format!("bearer = {}", string(source))));
    if !headers.is_empty() {
        let headers: Vec<String> =
            headers.iter().map(|(name, source)| format!("{} = {}", string(name), string(source))).collect();
        parts.push(format!("header = {{ {} }}", headers.join(", ")));
    }
    parts.extend(private.then(|| "private = true".to_owned()));
    parts.extend(ca.as_ref().map(|ca| format!("ca = {}", string(&ca.display().to_string()))));
    parts.extend(proxy.then(|| "proxy = true".to_owned()));
    format!("{{ {} }}", parts.join(", "))
}
