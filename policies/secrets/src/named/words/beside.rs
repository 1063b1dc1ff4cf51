//! Names and types that appear next to the name of a secret.

use crate::lists::Words;

/// Types that may come between a name and its value.
pub(in crate::named) static TYPES: Words = Words::new(&[
    "string",
    "str",
    "char",
    "varchar",
    "text",
    "bytes",
    "byte",
    "any",
    "object",
    "secretstring",
    "secretstr",
    "optional",
    "vec",
    "nsstring",
    "buffer",
    "wchar_t",
    "u8",
    "uint8",
    "std",
    "option",
    "cow",
    "box",
    "arc",
    "static",
    "final",
    "readonly",
    "const",
    "type",
    "undefined",
    "null",
    "none",
    "cstring",
    "chararray",
    "union",
    "system.string",
    "std::string",
    "java.lang.string",
]);

/// Names that only say that a value follows. Another name says what the value is.
pub(in crate::named) static VALUES: Words =
    Words::new(&["value", "val", "default", "defaultvalue", "content", "data", "stringvalue", "plaintext"]);

/// Names of the members that contain the name of a value next to them.
pub(in crate::named) static NAMES: Words =
    Words::new(&["name", "key", "id", "variable", "var", "property", "field", "parameter", "env"]);
