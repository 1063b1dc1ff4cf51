//! The blocks of code in a page, and the remarks before them, which readers do not see.

/// A block of code.
#[derive(Debug)]
pub struct Block<'a> {
    pub language: &'a str,
    /// The HTML comment on the line before the block, or an empty text.
    pub remark: &'a str,
    pub text: String,
    pub line: usize,
}

/// Returns all blocks of a page.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut remark = "";
    let mut is_open = false;
    for (index, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), blocks.last_mut().filter(|_| is_open)) {
            (Some(_), Some(_)) => is_open = false,
            (None, Some(block)) => block.text.extend([line, "\n"]),
            (Some(language), None) => {
                blocks.push(Block { language, remark, text: String::new(), line: index + 1 });
                is_open = true;
            }
            (None, None) => {}
        }
        let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        if !(is_open && comment.is_some()) {
            remark = comment.unwrap_or_default();
        }
    }
    assert!(!is_open, "a block is never closed");
    blocks
}

/// Returns what follows this word in a remark, as in `<!-- file: hook.js -->`.
pub fn said<'a>(remark: &'a str, word: &str) -> Option<&'a str> {
    remark.strip_prefix(word)?.strip_prefix(": ")
}
