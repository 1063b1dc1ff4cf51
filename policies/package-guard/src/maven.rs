//! Judges Maven, which fetches the plugins and packages that its words name.

use crate::install::{Judge, tell};
use crate::names::Registry;
use crate::spec::{self, Spec};
use hookbox_policy::{Command, Word};

/// The group whose templates Maven uses if no other is named.
const TEMPLATES: &str = "org.apache.maven.archetypes";
/// Groups whose plugins are those of Maven itself.
const OWN: [&str; 2] = ["org.apache.maven.plugins", "org.codehaus.mojo"];

impl Judge<'_> {
    /// Judges `mvn GROUP:PLUGIN:VERSION:goal`, `mvn dependency:get -Dartifact=…` and `mvn archetype:generate`.
    pub(crate) fn maven(&mut self, command: &Command) {
        if !matches!(command.name, "mvn" | "mvnw" | "mvnd" | "mvn.cmd" | "mvnw.cmd") {
            return;
        }
        let what = command.quote();
        let mut before = "";
        for word in command.args() {
            let text = word.text();
            let is_set = matches!(before, "-D" | "--define");
            before = text;
            let set = if is_set { Some(text) } else { text.strip_prefix("-D") };
            match set.and_then(|set| set.split_once('=')) {
                Some(("artifact", package)) => self.fetched_by_maven(package, &what),
                Some(("archetypeGroupId", group)) if group != TEMPLATES => self.fetched_by_maven(group, &what),
                Some(("remoteRepositories" | "archetypeCatalog" | "archetypeRepository", places)) => {
                    // This is `id::layout::https://…`.
                    for place in places.split(',').filter(|place| place.contains("://")) {
                        self.place(&spec::normal(place.rsplit("::").next().unwrap_or(place)), &what);
                    }
                }
                // These are what `mvnw` fetches and runs.
                Some(("distributionUrl" | "wrapperUrl" | "repoUrl", address)) => {
                    self.address(&Word::new(address), &what);
                }
                Some(_) => {}
                // A goal of a plugin has at least a group, a name and the goal; `-pl` has a group and a name.
                None if !text.starts_with(['-', ':']) && !text.contains([',', '/']) => {
                    let parts: Vec<&str> = text.split(':').collect();
                    if let [group, plugin, _, ..] = parts.as_slice()
                        && !OWN.contains(group)
                        && !Registry::Maven.is_popular(&format!("{group}:{plugin}"))
                    {
                        self.fetched_by_maven(&format!("{group}:{plugin}"), &what);
                    }
                }
                None => {}
            }
        }
    }

    fn fetched_by_maven(&mut self, package: &str, what: &str) {
        let name = match spec::read(Registry::Maven, &Word::new(package)) {
            Spec::Name(name) => name,
            Spec::Unknown => {
                let reason = format!("which package {what} fetches is known only when it runs; write its name");
                return self.found.unknown(reason);
            }
            _ => package.to_owned(),
        };
        if !self.is_allowed(&name) {
            self.slip(Registry::Maven, &name, what);
            let reason = format!("{what} fetches {name}; if it is wanted, add it to `allow`");
            tell(self.settings.new, reason, self.found);
        }
    }
}
