//! The inspection of a component, which finds out what it is and needs without running it.

use super::digest::ComponentFile;
use super::engines::Metering;
use super::imports::Needs;
use super::prepare::Source;
use super::sandbox::Sandbox;
use super::{exports, imports};
use crate::policy::Policy;
use crate::protocol::Failure;
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of an inspection: what a component is and needs.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Inspection {
    /// The component's SHA-256 in lower-case hex.
    pub sha256: String,
    /// The component's size in bytes.
    pub size: u64,
    /// The names of the component's exports.
    pub exports: Vec<String>,
    /// The component's imports, in its own order.
    pub imports: Vec<ImportReport>,
    /// The keys under `grants` that the component cannot run without.
    pub grants: Vec<&'static str>,
    /// The same grants as an entry of `hooks.toml` spells them, for a person to adapt: `{ store = { scope = "session" }
    /// }`. `None` if the component needs no grant.
    #[serde(skip)]
    pub grants_entry: Option<String>,
    /// Whether the component can run as a hook with these grants.
    pub runnable: bool,
    /// Why the component cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// One import of a component.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ImportReport {
    /// The import's name, including the version.
    pub name: String,
    /// The key under `grants` that grants the import. `None` if it needs no grant, or if no grant covers it.
    pub grant: Option<&'static str>,
    /// Whether hookbox can link it at all.
    pub offered: bool,
    /// What the import needs, as text.
    pub note: String,
}

impl Sandbox {
    /// Compiles a component and lists what it exports and imports.
    ///
    /// # Errors
    /// Returns a failure if the bytes are not a valid component.
    pub fn inspect(&self, file: &ComponentFile) -> Result<Inspection, Failure> {
        self.inspect_source(&Source::File(file), file.size())
    }

    /// Like [`inspect`](Sandbox::inspect), for a policy that ships with hookbox.
    ///
    /// # Errors
    /// Returns a failure if this hookbox was built without the policy.
    pub fn inspect_policy(&self, policy: &Policy) -> Result<Inspection, Failure> {
        let embedded = policy.embedded()?;
        self.inspect_source(&Source::Embedded(embedded), embedded.bytes.len() as u64)
    }

    fn inspect_source(&self, source: &Source<'_>, size: u64) -> Result<Inspection, Failure> {
        let (component, _) = self.component(source, Metering::None)?;
        let engine = self.engine(Metering::None, 0)?;
        let imports = imports::list(&component, engine);
        let key_and_value = |needs: Needs| Some((needs.grant()?, needs.sample()));
        let grants: BTreeMap<&str, &str> = imports.iter().filter_map(|import| key_and_value(import.needs)).collect();
        let entry: Vec<String> = grants.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        let missing = imports.iter().find(|import| !import.needs.is_offered());
        let problem = match (exports::find_run(&component, engine), missing) {
            (Err(failure), _) => Some(failure.message),
            (Ok(_), Some(import)) => Some(format!("imports `{}`: {}", import.name, import.needs.remedy())),
            (Ok(_), None) => None,
        };
        Ok(Inspection {
            sha256: source.digest().to_string(),
            size,
            exports: exports::names(&component, engine),
            imports: imports
                .iter()
                .map(|import| ImportReport {
                    name: import.name.clone(),
                    grant: import.needs.grant(),
                    offered: import.needs.is_offered(),
                    note: import.needs.remedy(),
                })
                .collect(),
            grants_entry: (!entry.is_empty()).then(|| format!("{{ {} }}", entry.join(", "))),
            grants: grants.into_keys().collect(),
            runnable: problem.is_none(),
            problem,
        })
    }
}
