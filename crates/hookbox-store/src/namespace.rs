//! The owner of state: the layer and the name of the hook, and the scope.

use crate::{Error, ErrorKind};
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The most bytes of the path or name in a namespace; Linux allows paths of 4 KiB.
const MOST_NAME: usize = 4 << 10;

/// The most bytes of a session's id. Agents use UUIDs and file names.
const MOST_SESSION_ID: usize = 4 << 10;

/// The first byte of an encoded namespace.
const FORMAT: u8 = 1;

/// The config layer that names a hook. Hooks of the same name in different layers do not share state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Layer {
    /// A layer identified by a name, such as `user`. It is the same on every machine, which the scope
    /// [`Shared`](Scope::Shared) needs.
    Named(String),
    /// The layer of the project at this path.
    Project(PathBuf),
}

impl Layer {
    /// The user's own layer.
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

/// Which calls share a hook's state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scope {
    /// The calls of one session of an agent.
    Session(SessionKey),
    /// The calls for the project at this path.
    Project(PathBuf),
    /// All calls of the user.
    User,
    /// All machines that use the same server.
    Shared,
}

impl Scope {
    /// The scope of the session with this id, which is hashed: ids may be long, contain any text, or be secret.
    ///
    /// # Errors
    /// The id is empty, or longer than 4 KiB.
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

/// The first 16 hexadecimal digits, enough to tell sessions apart.
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

/// Where one hook keeps its state. A hook cannot name another's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Namespace {
    layer: Layer,
    hook: String,
    scope: Scope,
}

/// A namespace as the stores know it: a hash, so it has a fixed length and no separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NamespaceId(pub(crate) [u8; 32]);

impl Namespace {
    /// The namespace of the hook with this name in this layer.
    ///
    /// # Errors
    /// The hook's name is empty, or a name or path is longer than 4 KiB.
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

    /// The layer that names the hook.
    #[must_use]
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// The name of the hook.
    #[must_use]
    pub fn hook(&self) -> &str {
        &self.hook
    }

    /// Which calls share the state.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The layer, the hook and the scope, each with a tag.
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

    /// One byte string for each namespace: every field begins with its tag and its length.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        for (tag, field) in self.fields() {
            bytes.push(tag);
            bytes.extend((field.len() as u64).to_le_bytes());
            bytes.extend(field);
        }
        bytes
    }

    /// The inverse of [`encode`](Namespace::encode); `None` for anything that it does not return.
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

/// For people; control characters are escaped.
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
