//! The components that are part of hookbox. An installed program contains each of them.

use super::assert_at_most;
use crate::support::guests;

/// The most KiB of each: a twenty-fifth more than when it was last measured. The components do not contain paths of the
/// machine that builds them.
const LIMITS: [(&str, u64); 10] = [
    ("commands", 1294),
    ("quickjs", 1309),
    ("policies/command-allowlist", 357),
    ("policies/injection-scan", 965),
    ("policies/mcp-guard", 688),
    ("policies/network-egress", 757),
    ("policies/no-destructive-commands", 1246),
    ("policies/no-secret-leaks", 1382),
    ("policies/package-guard", 1086),
    ("policies/protect-paths", 755),
];

#[test]
fn hookboxs_own_components_are_no_larger_than_they_were() {
    for (name, limit) in LIMITS {
        let file = format!("{name}.wasm");
        if guests::is_built(&file) {
            assert_at_most(&format!("KiB of {name}"), (guests::read(&file).len() as u64).div_ceil(1024), limit);
        }
    }
}
