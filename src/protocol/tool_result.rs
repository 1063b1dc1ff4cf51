//! The result of a tool.

use super::ObjectWriter;
use serde::{Deserialize, Serialize};

/// The result of a tool call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
pub struct ToolResult {
    /// Whether the tool failed.
    pub is_error: bool,
    /// The content of the result, as the model sees it.
    pub content: String,
}

impl ToolResult {
    pub(crate) fn to_json(&self) -> String {
        let mut out = ObjectWriter::with_capacity(48 + self.content.len());
        out.flag("is_error", self.is_error).text("content", &self.content);
        out.finish()
    }
}
