//! The `hookbox` command.

fn main() {}
