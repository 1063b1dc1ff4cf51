//! Components that are part of hookbox.

use super::cache::VERSIONS;
#[cfg(feature = "cross")]
use super::compiler::compile_for;
use super::digest::Digest;
use super::engines::Metering;
use super::grants::Grants;
use super::limits::Limits;
use super::prepare::{Prepared, Source};
use super::sandbox::Sandbox;
use super::unchecked::NativeCode;
use crate::policy::Policy;
use crate::protocol::{Code, Failure};
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A component that is part of hookbox. It imports nothing.
pub(super) struct Embedded {
    pub(super) name: &'static str,
    pub(super) bytes: &'static [u8],
    /// The digest, computed when hookbox was built, because digesting a megabyte takes longer than a call.
    sha256: [u8; 32],
}

impl Embedded {
    /// Finds a component by its name. `what` says what the component does, for the error.
    ///
    /// # Errors
    /// Returns a failure if hookbox was built without the component.
    pub(super) fn find(name: &str, what: &str) -> Result<&'static Self, Failure> {
        EMBEDDED.iter().find(|embedded| embedded.name == name).ok_or_else(|| {
            let message = format!(
                "needs {what}, which this hookbox was built without: build it again after `cargo xtask guests`"
            );
            Failure::new(Code::Script, message)
        })
    }

    pub(super) fn digest(&self) -> Digest {
        Digest::from(self.sha256)
    }

    /// Returns the component's machine code, if it was installed with this program.
    pub(super) fn installed(&self) -> Option<NativeCode> {
        NativeCode::installed(&self.code_file(), &self.mark())
    }

    /// Returns a digest of what the installed machine code is bound to: the component, and the versions of hookbox and
    /// of its engine. The engine itself checks its settings, the system and the features of the processor.
    fn mark(&self) -> Digest {
        let [hookbox, engine] = VERSIONS;
        Digest::of([hookbox, engine, self.digest().to_string().as_str()].join("\n").as_bytes())
    }

    /// Returns the name of the file with the component's machine code, next to the program. The name differs for each
    /// version of the component, of hookbox and of the engine.
    fn code_file(&self) -> String {
        let digest: String = self.mark().to_string().chars().take(16).collect();
        format!("hookbox-{}-{digest}.code", self.name.replace('/', "-"))
    }

    /// Writes the component's machine code into a directory. Returns the path of the file.
    fn write_code(&self, code: &NativeCode, dir: &Path) -> Result<PathBuf, Failure> {
        let path = dir.join(self.code_file());
        // A running program may have the old file mapped, so the file is replaced and never overwritten.
        let unfinished = path.with_extension("unfinished");
        let mark = self.mark();
        let file = [code.bytes().unwrap_or_default(), mark.as_bytes().as_slice()].concat();
        let written = std::fs::write(&unfinished, file).and_then(|()| std::fs::rename(&unfinished, &path));
        let failed = |error| Failure::new(Code::Cache, format!("`{}` could not be written: {error}", path.display()));
        written.map_err(failed).map(|()| path.clone())
    }
}

impl Policy {
    pub(super) fn embedded(&self) -> Result<&'static Embedded, Failure> {
        Embedded::find(self.component, &format!("the policy `{}`", self.name))
    }

    /// Returns the SHA-256 of the policy's component in lower-case hex, or `None` if hookbox was built without it.
    #[must_use]
    pub fn digest(&self) -> Option<String> {
        self.embedded().ok().map(|embedded| embedded.digest().to_string())
    }

    /// Returns the policy's component, or `None` if hookbox was built without it.
    #[must_use]
    pub fn component(&self) -> Option<&'static [u8]> {
        self.embedded().ok().map(|embedded| embedded.bytes)
    }
}

impl Sandbox {
    /// Prepares a policy that ships with hookbox. `pin` is the SHA-256 that the policy's component must have, in
    /// lower-case hex.
    ///
    /// # Errors
    /// Returns a failure if the component is not the pinned one or cannot be compiled in time, or if this hookbox was
    /// built without it.
    pub fn prepare_policy(&self, policy: &Policy, pin: Option<&str>, limits: Limits) -> Result<Prepared, Failure> {
        self.prepare_source(&Source::Embedded(policy.embedded()?), pin, Grants::default(), limits)
    }

    /// Writes the machine code of hookbox's own components into a directory and returns the paths of the files. They
    /// are to be installed next to the program: the code is then mapped directly instead of being compiled, checked and
    /// copied. The code is for this machine's processor.
    ///
    /// # Errors
    /// Returns a failure if a component cannot be compiled, or if a file cannot be written.
    pub fn write_own_code(&self, dir: &Path) -> Result<Vec<PathBuf>, Failure> {
        let compile = |embedded| self.compiled(&Source::Embedded(embedded), Metering::None);
        EMBEDDED.iter().map(|embedded| embedded.write_code(&compile(embedded)?, dir)).collect()
    }
}

/// Like [`Sandbox::write_own_code`], for another system: all processors of the `target` can run the code. Compiles in
/// this process, since these components are trusted.
///
/// # Errors
/// Returns a failure if this hookbox has no compiler for the target, or if a file cannot be written.
#[cfg(feature = "cross")]
pub fn write_own_code_for(target: &str, dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    EMBEDDED.iter().map(|embedded| embedded.write_code(&compile_for(embedded.bytes, target)?, dir)).collect()
}

#[cfg(test)]
mod tests {
    use super::Embedded;

    #[test]
    fn installed_code_is_bound_to_the_component_and_to_the_versions() {
        let [one, other] = [[1; 32], [2; 32]].map(|sha256| Embedded { name: "policies/x", bytes: b"", sha256 });
        assert_ne!(one.mark(), other.mark());
        assert_ne!(one.mark(), one.digest(), "another version of the engine would run the code");
        assert_ne!(one.code_file(), other.code_file());
    }
}
