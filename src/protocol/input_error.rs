//! Why an Input cannot be used.

use super::{Code, JsonError, JsonFault};

/// The error for an Input that cannot be used. No hook saw it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct InputError {
    /// The code, which is one of the `E6xx` codes.
    pub code: Code,
    /// What is wrong and where.
    pub message: String,
}

impl InputError {
    /// Creates the error for an Input that is strict JSON but has the wrong shape.
    pub(crate) fn shape(message: &str) -> Self {
        InputError { code: Code::InputShape, message: message.to_owned() }
    }
}

impl From<JsonError> for InputError {
    fn from(error: JsonError) -> Self {
        InputError {
            code: match error.fault {
                JsonFault::Syntax => Code::InputSyntax,
                JsonFault::DuplicateKey => Code::InputDuplicate,
                JsonFault::Depth => Code::InputDepth,
                JsonFault::Size => Code::InputSize,
                JsonFault::Encoding => Code::InputEncoding,
            },
            message: format!("the Input is not usable: {}", error.message),
        }
    }
}
