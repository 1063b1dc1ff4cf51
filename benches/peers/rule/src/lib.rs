//! The rule of `benches/rule` as a plugin for extism.

#[path = "../../../rule/src/rule.rs"]
mod rule;

use extism_pdk::{Error, FnResult, plugin_fn};

#[plugin_fn]
pub fn run(input: String) -> FnResult<String> {
    Ok(hookbox_sdk::answer(rule::judge, &input).map_err(Error::msg)?)
}
