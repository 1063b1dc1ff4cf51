//! The types of hookbox's protocol: what a hook receives, what it answers, and what the chain decides.

mod action;
mod code;
mod dispatch;
mod encode;
mod event;
mod failure;
mod field;
mod hidden;
mod input;
mod input_error;
mod json;
mod outcome;
mod read_action;
mod record;
mod tool;
mod tool_result;
mod verdict;
mod weight;

pub use action::Action;
pub use code::Code;
#[doc(hidden)]
pub use encode::ObjectWriter;
pub use encode::visible_json;
pub use event::{Event, UnknownEvent};
pub use failure::Failure;
pub(crate) use failure::os_words;
pub use field::{Field, FieldType};
pub use hidden::visible;
pub(crate) use hidden::{is_hidden, is_plain, replace as replace_hidden};
pub use input::Input;
pub use input_error::InputError;
#[doc(hidden)]
pub(crate) use json::members;
pub use json::{Json, JsonError, JsonFault, MAX_DEPTH, MAX_INPUT_BYTES};
pub(crate) use json::{Key, check, typed};
pub use json::{Member, object};
pub use outcome::{Kind, Outcome, Source, Warning, Would};
pub use read_action::ActionError;
pub(crate) use read_action::MAX_ACTION_BYTES;
pub use record::{Answer, Manner, Origin, ProcessReport, Record};
pub use tool::{Access, Place, Tool, ToolKind, ToolPath, ToolShell};
pub use tool_result::ToolResult;
pub use verdict::{Decision, OnError, Permission, Verdict};
pub(crate) use weight::{check_weight, light_object};
