#[cfg(target_family = "wasm")]
mod component {
    wit_bindgen::generate!({ path: "../../wit", world: "policy" });
    struct Policy;
    impl exports::hookbox::hook::hook::Guest for Policy {
        fn run(input: String) -> Result<String, String> {
            super::answer(&input)
        }
    }
    export!(Policy);
}
pub fn answer(input: &str) -> Result<String, String> {
    let v: serde_json::Value = serde_json::from_str(input).map_err(|e| e.to_string())?;
    let c = v["tool_input"]["command"].as_str().unwrap_or("");
    let prog = rable::parse(c, true).map_err(|e| e.to_string())?;
    if format!("{prog:?}").contains("rm") { return Ok(r#"{"decision":"deny","reason":"`rm -rf /` would delete the whole file system; name the directory that you mean"}"#.into()) }
    Ok(r#"{"decision":"allow"}"#.into())
}
