//! The stable error codes. They are part of hookbox's contract, so they are all listed here.

use serde::{Serialize, Serializer};
use std::fmt;

macro_rules! codes {
    ($($variant:ident = $code:literal, $title:literal, $meaning:literal;)+) => {
        /// A stable error code. Its meaning never changes between versions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $code, "` ", $title, ": ", $meaning, ".")] $variant,)+
        }

        impl Code {
            /// Every code, in numerical order.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// Returns the code as users see it, such as `E101`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $code),+ }
            }

            /// Returns a short name, such as `timeout`.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),+ }
            }

            /// Returns the code's meaning in one clause.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Code::$variant => $meaning),+ }
            }
        }
    };
}

codes! {
    Timeout = "E101", "timeout", "the hook did not answer within its time limit";
    Memory = "E102", "memory", "the component asked for more memory than its limit";
    Trap = "E103", "trap", "the component crashed, or a native hook panicked";
    Exited = "E104", "exited", "the component called `exit` instead of returning an Action";
    Action = "E105", "action", "the hook's answer is not a valid Action";
    OutputSize = "E106", "output-size", "the hook's answer is larger than its limit";
    Fuel = "E107", "fuel", "the component used up its fuel";
    Failed = "E108", "failed", "the hook itself said that it failed";
    Limit = "E109", "limit", "the component reached its limit of instances, tables, handles or random bytes";
    Unrest = "E110", "unrest", "the hooks kept rewriting the Input after each other";
    Ignored = "E111", "ignored", "a part of an answer has no effect on this event";
    Dropped = "E112", "dropped", "too many async hooks are in flight, so this one was not started";
    Cancelled = "E113", "cancelled", "the caller gave the event up before the hook had answered";
    Import = "E201", "import", "the component imports something that it was not granted";
    NotAComponent = "E202", "not-a-component", "the file is not a WebAssembly component";
    Export = "E203", "export", "the component does not export `hookbox:hook/hook` with the right type";
    Compile = "E204", "compile", "the component was refused by the validator or the compiler, or takes too long to compile";
    Unreadable = "E205", "unreadable", "the component's file cannot be read, or is too large";
    Grant = "E206", "grant", "a grant cannot be given, or would hand over what decides which hooks run";
    Cache = "E207", "cache", "the cache of compiled components could not be used; components are compiled again";
    Script = "E208", "script", "this hookbox was built without a component of its own that is needed here, or a script is not valid UTF-8";
    Cage = "E209", "cage", "this system lacks a part of the cage in which components are compiled";
    Untrusted = "E301", "untrusted", "a project's hooks are not trusted";
    Changed = "E302", "changed", "a project's config or a file that it names has changed since it was trusted";
    Pin = "E303", "pin", "the component is not the one that the config pins";
    Permissions = "E304", "permissions", "a file belongs to another user, others can change it, or it lies outside of its project";
    Spawn = "E401", "spawn", "the shell hook's command could not be started";
    Exit = "E402", "exit", "the shell hook ended with a failure status or by a signal";
    ConfigUnreadable = "E501", "config-unreadable", "a config file cannot be read, or is too large";
    ConfigSyntax = "E502", "config-syntax", "a config file is not valid TOML";
    ConfigKey = "E503", "config-key", "a config file has an unknown key, or lacks one";
    ConfigValue = "E504", "config-value", "a value in a config file is not one that its key takes";
    ConfigOrder = "E505", "config-order", "a hook with a store or the network stands before one that may rewrite the tool call";
    InputSyntax = "E601", "input-syntax", "the Input is not one valid JSON value";
    InputDuplicate = "E602", "input-duplicate", "the Input has the same key twice in one object";
    InputDepth = "E603", "input-depth", "the Input is nested too deeply";
    InputSize = "E604", "input-size", "the Input is too large";
    InputEncoding = "E605", "input-encoding", "the Input is not valid UTF-8";
    InputShape = "E606", "input-shape", "the Input lacks a field, or a field has the wrong type";
    InputName = "E607", "input-name", "the tool's name may pass for another, so every hook of the event was asked";
    Usage = "E701", "usage", "the command line is not valid, or a directory that it needs is unknown";
    Person = "E702", "person", "only a person at a terminal that no agent started may do this";
    Log = "E801", "log", "the decision log could not be written; the decision stands";
    Internal = "E901", "internal", "hookbox itself failed: please report it";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
