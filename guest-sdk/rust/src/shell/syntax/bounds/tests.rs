use super::{SHORT, is_counted_within, is_short};

/// Repeats everything that nests, and everything that is counted otherwise, up to beyond the longest short text.
#[test]
fn a_short_text_is_within_the_bounds() {
    let parts =
        ["(", "((", "$(", "<(", "()a", "()if ", "${", "{ ", "! ", "if ", "while ", "case ", "[[ ", "function a if "];
    let others = ["`", "\"`", "$((1+", "a{b,'", "<<a\n", ";", "a", "for ", "x=("];
    for part in parts.iter().chain(&others) {
        for more in ["", "a ", "(", ";if "] {
            for times in 0..=SHORT {
                let text = format!("{part}{more}").repeat(times);
                assert!(!is_short(&text) || is_counted_within(&text), "{text}");
            }
        }
    }
    assert!(is_short("cargo test --workspace 2>&1 | tail -50"));
    let usual = "cd crates/x && cargo test --locked 2>&1 | grep -E 'FAILED|error' | head -n 20; git add -A src && git commit -m ";
    assert!(is_short(&format!("{usual}'Fix the parser of nested groups, which are in brackets'")));
    assert!(!is_short(&"if ".repeat(SHORT / 3)) && !is_short(&"(".repeat(SHORT / 2)));
}
