//! Namespaces, which identify the owner of state by the layer and the name of the hook, and by the scope.

use crate::{Error, ErrorKind};
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The maximum length of a path or name in a namespace, in bytes. Linux allows paths of 4 KiB.
const MOST_NAME: usize = 4 << 10;

/// The maximum length of a session's id, in bytes. Agents use UUIDs and file names.
const MOST_SESSION_ID: usize = 4 << 10;

/// The first byte of an encoded namespace.
const FORMAT: u8 = 1;

/// The config layer that declares a hook. Hooks of the same name in different layers do not share state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Layer {
    /// A layer identified by a name, such as `user`. The name is the same on every machine, as the scope
    /// [`Shared`](Scope::Shared) requires.
    Named(String),
    /// The layer of the project at this path.
    Project(PathBuf),
}

impl Layer {
    /// Returns the user's own layer.
    #[must_use]
    pub fn user() -> Self {
        Layer::Named("user".to_owned())
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layer::Named(name) => write!(f, "{}", name.escape_debug()),
            Layer::Project(path) => write!(f, "project {}", path.to_string_lossy().escape_debug()),
        }
    }
}

/// The set of calls that share a hook's state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scope {
    /// The calls of one session of an agent.
    Session(SessionKey),
    /// The calls for the project at this path.
    Project(PathBuf),
    /// All calls of the user.
    User,
    /// All calls on all machines that use the same server.
    Shared,
}

impl Scope {
    /// Returns the scope of the session with this id. The id is hashed, because ids may be long, contain any text, or
    /// be secret.
    ///
    /// # Errors
    /// Returns an error if the id is empty or longer than 4 KiB.
    pub fn session(id: &str) -> Result<Self, Error> {
        match id.len() {
            0 => Err(Error::open(ErrorKind::Invalid, "the session has no id, so it can have no state of its own")),
            size if size > MOST_SESSION_ID => {
                Err(Error::too_large("the id of the session", size, MOST_SESSION_ID, "bytes"))
            }
            _ => {
                let hash = blake3::derive_key("hookbox-store 2026-11-23 session", id.as_bytes());
                Ok(Scope::Session(SessionKey(hash)))
            }
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Session(key) => write!(f, "session {key}"),
            Scope::Project(path) => write!(f, "project {}", path.to_string_lossy().escape_debug()),
            Scope::User => f.write_str("user"),
            Scope::Shared => f.write_str("shared"),
        }
    }
}

/// The hash of a session's id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionKey([u8; 32]);

/// Writes the first 16 hexadecimal digits, which are enough to tell sessions apart.
impl fmt::Display for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = blake3::Hash::from_bytes(self.0).to_hex();
        f.write_str(hex.get(..16).unwrap_or_default())
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionKey({self})")
    }
}

/// The place where one hook keeps its state. A hook cannot name the namespace of another hook.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Namespace {
    layer: Layer,
    hook: String,
    scope: Scope,
}

/// The hash by which the stores identify a namespace. A hash has a fixed length and needs no separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NamespaceId(pub(crate) [u8; 32]);

impl Namespace {
    /// Creates the namespace of the hook with this name in this layer.
    ///
    /// # Errors
    /// Returns an error if the hook's name is empty, or if a name or path is longer than 4 KiB.
    pub fn new(layer: Layer, hook: impl Into<String>, scope: Scope) -> Result<Self, Error> {
        let namespace = Namespace { layer, hook: hook.into(), scope };
        if namespace.hook.is_empty() {
            return Err(Error::open(ErrorKind::Invalid, "the hook has no name, so it can have no state"));
        }
        for (what, bytes) in ["the layer", "the name of the hook", "the scope"].into_iter().zip(namespace.fields()) {
            if bytes.1.len() > MOST_NAME {
                return Err(Error::too_large(what, bytes.1.len(), MOST_NAME, "bytes"));
            }
        }
        Ok(namespace)
    }

    /// Returns the layer that declares the hook.
    #[must_use]
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// Returns the name of the hook.
    #[must_use]
    pub fn hook(&self) -> &str {
        &self.hook
    }

    /// Returns the scope, which determines the calls that share the state.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the layer, the hook and the scope, each with a tag.
    fn fields(&self) -> [(u8, &[u8]); 3] {
        let layer = match &self.layer {
            Layer::Named(name) => (b'n', name.as_bytes()),
            Layer::Project(path) => (b'p', path_bytes(path)),
        };
        let scope: (u8, &[u8]) = match &self.scope {
            Scope::Session(SessionKey(hash)) => (b's', hash.as_slice()),
            Scope::Project(path) => (b'p', path_bytes(path)),
            Scope::User => (b'u', &[]),
            Scope::Shared => (b'x', &[]),
        };
        [layer, (b'h', self.hook.as_bytes()), scope]
    }

    /// Encodes the namespace as a byte string that no other namespace has: every field begins with its tag and its
    /// length.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        for (tag, field) in self.fields() {
            bytes.push(tag);
            bytes.extend((field.len() as u64).to_le_bytes());
            bytes.extend(field);
        }
        bytes
    }

    /// Decodes a result of [`encode`](Namespace::encode). Returns `None` for any other bytes.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(&[FORMAT])?;
        let mut field = || {
            let (tag, after) = rest.split_first()?;
            let (length, after) = after.split_first_chunk::<8>()?;
            let (field, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            rest = after;
            Some((*tag, field))
        };
        let layer = match field()? {
            (b'n', name) => Layer::Named(str::from_utf8(name).ok()?.to_owned()),
            (b'p', path) => Layer::Project(bytes_path(path)),
            _ => return None,
        };
        let (b'h', hook) = field()? else { return None };
        let scope = match field()? {
            (b's', hash) => Scope::Session(SessionKey(hash.try_into().ok()?)),
            (b'p', path) => Scope::Project(bytes_path(path)),
            (b'u', []) => Scope::User,
            (b'x', []) => Scope::Shared,
            _ => return None,
        };
        if !rest.is_empty() {
            return None;
        }
        Namespace::new(layer, str::from_utf8(hook).ok()?, scope).ok()
    }

    pub(crate) fn id(&self) -> NamespaceId {
        NamespaceId(blake3::derive_key("hookbox-store 2026-11-23 namespace", &self.encode()))
    }
}

/// Writes the namespace for people, with control characters escaped.
impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}; {})", self.hook.escape_debug(), self.layer, self.scope)
    }
}

fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

fn bytes_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}
