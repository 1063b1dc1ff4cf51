//! The mistakes in a file that make an agent load none of its hooks, as observed with the real programs.
//!
//! Most agents then go on without hooks, so a mistake in somebody else's entry also switches hookbox off.

use Kind::{Flag, List, Number, Object, Text};
use Refusal::{
    ByteOrderMark, Comment, NoHooks, NoList, NoMatcher, NoNumber, NoObject, NoTime, NoType, NullList, NullMatcher,
    OddHooks, OddTime, OtherKind, OtherMember, OtherNumber, OtherType, OtherWord, Without,
};
use std::fmt;

/// Something in a file with hooks that makes the agent load none of them. A trailing comma is not listed, because no
/// agent accepts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A comment.
    Comment,
    /// A byte order mark.
    ByteOrderMark,
    /// An event whose value is neither a list nor `null`.
    NoList,
    /// An event whose value is `null`.
    NullList,
    /// An element of an event's list, or of a group's, that is not an object.
    NoObject,
    /// A group without hooks.
    NoHooks,
    /// A group whose hooks are not a list.
    OddHooks,
    /// A matcher that is not a string.
    NoMatcher,
    /// A matcher that is `null`.
    NullMatcher,
    /// A hook without a type.
    NoType,
    /// A hook of this type without this member, which must be a string.
    Without(&'static str, &'static str),
    /// A time-out that is not a number.
    NoNumber,
    /// A time-out of 0 or less.
    NoTime,
    /// A time-out that is not a whole number, or less than 0.
    OddTime,
    /// A hook whose type is not one of these.
    OtherType(&'static [&'static str]),
    /// A member of a hook that has a value other than these words.
    OtherWord(&'static str, &'static [&'static str]),
    /// A member at the top level that is not one of these.
    OtherMember(&'static [&'static str]),
    /// A member, as a JSON pointer, whose value is not of this kind.
    OtherKind(&'static str, Kind),
    /// A member, as a JSON pointer, whose value is not this number.
    OtherNumber(&'static str, u32),
}

/// A kind of JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A list.
    List,
    /// An object.
    Object,
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Flag,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Comment => f.write_str("a comment"),
            ByteOrderMark => f.write_str("a byte order mark"),
            NoList => f.write_str("an event that is not a list"),
            NullList => f.write_str("an event that is `null`"),
            NoObject => f.write_str("a group or a hook that is not an object"),
            NoHooks => f.write_str("a group without `hooks`"),
            OddHooks => f.write_str("`hooks` of a group that are not a list"),
            NoMatcher => f.write_str("a `matcher` that is not a string"),
            NullMatcher => f.write_str("a `matcher` that is `null`"),
            NoType => f.write_str("a hook without `type`"),
            Without(kind, member) => write!(f, "a hook of type `{kind}` without `{member}`"),
            NoNumber => f.write_str("a time-out that is not a number"),
            NoTime => f.write_str("a time-out of 0 or less"),
            OddTime => f.write_str("a time-out that is negative or not whole"),
            OtherType(known) => write!(f, "a type of hook other than `{}`", known.join("`, `")),
            OtherWord(member, known) => write!(f, "a hook whose `{member}` is not `{}`", known.join("` or `")),
            OtherMember(known) => write!(f, "a member at the top level other than `{}`", known.join("`, `")),
            OtherKind(pointer, kind) => write!(f, "`{}` that is not {kind}", dotted(pointer)),
            OtherNumber(pointer, number) => write!(f, "`{}` that is not {number}", dotted(pointer)),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            List => "a list",
            Object => "an object",
            Text => "a string",
            Number => "a number",
            Flag => "`true` or `false`",
        })
    }
}

/// Returns a JSON pointer as people write it.
fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}

pub(super) const CLAUDE: &[Refusal] = &[
    Comment,
    NoList,
    NoObject,
    NoHooks,
    OddHooks,
    NoMatcher,
    NullMatcher,
    NoType,
    OtherType(&["command", "prompt", "agent", "http", "mcp_tool"]),
    Without("command", "command"),
    Without("http", "url"),
    Without("prompt", "prompt"),
    NoNumber,
    NoTime,
    OtherWord("onFailure", &["block", "continue"]),
    OtherKind("/permissions", Object),
    OtherKind("/permissions/allow", List),
    OtherKind("/permissions/ask", List),
    OtherKind("/permissions/deny", List),
    OtherKind("/permissions/additionalDirectories", List),
    OtherKind("/env", Object),
    OtherKind("/model", Text),
    OtherKind("/statusLine", Object),
    OtherKind("/cleanupPeriodDays", Number),
    OtherKind("/includeCoAuthoredBy", Flag),
    OtherKind("/disableAllHooks", Flag),
];

pub(super) const CODEX: &[Refusal] = &[
    Comment,
    ByteOrderMark,
    NoList,
    NullList,
    NoObject,
    OddHooks,
    NoMatcher,
    NoType,
    OtherType(&["command", "prompt", "agent", "mcp_tool"]),
    Without("command", "command"),
    NoNumber,
    OddTime,
    OtherMember(&["hooks", "description"]),
];

pub(super) const GEMINI: &[Refusal] = &[ByteOrderMark];

pub(super) const QWEN: &[Refusal] = &[];

pub(super) const COPILOT: &[Refusal] =
    &[Comment, ByteOrderMark, NoList, NullList, OtherKind("/disableAllHooks", Flag), OtherNumber("/version", 1)];

/// What makes Copilot CLI skip a single hook and load the others.
pub(super) const COPILOT_SKIPS: &[Refusal] = &[NoNumber, NoTime, OtherType(&["command", "http", "prompt"])];

pub(super) const DROID: &[Refusal] = &[
    ByteOrderMark,
    NoList,
    NullList,
    NoObject,
    NoHooks,
    OddHooks,
    NoMatcher,
    NullMatcher,
    NoType,
    OtherType(&["command"]),
    Without("command", "command"),
    NoNumber,
];
