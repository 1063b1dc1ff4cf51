//! Names and types that stand beside the name of a secret.

use crate::lists::Words;

/// Types, which may stand between a name and its value.
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

/// Names that say nothing but that a value follows; another one says whose.
pub(in crate::named) static VALUES: Words =
    Words::new(&["value", "val", "default", "defaultvalue", "content", "data", "stringvalue", "plaintext"]);

/// What names are called whose value stands beside them.
pub(in crate::named) static NAMES: Words =
    Words::new(&["name", "key", "id", "variable", "var", "property", "field", "parameter", "env"]);
