//! `cargo xtask picture`: draws `docs/overview.svg` from `docs/overview.txt`.
//!
//! Each line of the text describes a box: its title, its contents, and the label of the arrow to the next box. The last
//! line is the label of the arrow back to the first box.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;

const TEXT: &str = "docs/overview.txt";
const PICTURE: &str = "docs/overview.svg";

const BOX: (usize, usize) = (176, 84);
const GAP: usize = 84;
const TOP: usize = 16;
const LEFT: usize = 8;

pub(crate) fn run(args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("usage: cargo xtask picture");
    }
    tools::write(&tools::root().join(PICTURE), draw(&read(TEXT)?)?.as_bytes())
}

fn read(path: &str) -> Result<String> {
    std::fs::read_to_string(tools::root().join(path)).with_context(|| format!("`{path}` cannot be read"))
}

/// Draws the picture that a text describes.
fn draw(text: &str) -> Result<String> {
    let lines: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.is_empty()).map(|line| line.split('|').map(str::trim).collect()).collect();
    let (back, boxes) = lines.split_last().context("the text is empty")?;
    let width = LEFT * 2 + boxes.len() * BOX.0 + boxes.len().saturating_sub(1) * GAP;
    let middle = TOP + BOX.1 / 2;
    let below = TOP + BOX.1 + 28;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {}\" width=\"{width}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#57606a\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#f6f8fa\"/>\n",
        below + 34,
    );
    for (index, parts) in boxes.iter().enumerate() {
        let [title, contents @ .., next] = parts.as_slice() else {
            bail!("a box has a title, lines and an arrow: {parts:?}")
        };
        let x = LEFT + index * (BOX.0 + GAP);
        let center = x + BOX.0 / 2;
        writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{TOP}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#fff\" stroke=\"#57606a\"/>\n\
             <text x=\"{center}\" y=\"{}\" font-weight=\"bold\" font-size=\"15\" fill=\"#1f2328\">{}</text>",
            BOX.0,
            BOX.1,
            TOP + 24,
            escape(title),
        )?;
        for (line, content) in contents.iter().enumerate() {
            let y = TOP + 46 + line * 18;
            writeln!(svg, "<text x=\"{center}\" y=\"{y}\" fill=\"#57606a\">{}</text>", escape(content))?;
        }
        if index + 1 < boxes.len() {
            let (from, to) = (x + BOX.0, x + BOX.0 + GAP);
            writeln!(
                svg,
                "<path d=\"M{from} {middle}H{to}\" stroke=\"#57606a\" marker-end=\"url(#tip)\"/>\n\
                 <text x=\"{}\" y=\"{}\" fill=\"#1f2328\">{}</text>",
                from + GAP / 2,
                middle - 8,
                escape(next),
            )?;
        }
    }
    let (first, last) = (LEFT + BOX.0 / 2, width - LEFT - BOX.0 / 2);
    writeln!(
        svg,
        "<path d=\"M{last} {}V{below}H{first}V{}\" fill=\"none\" stroke=\"#57606a\" marker-end=\"url(#tip)\"/>\n\
         <text x=\"{}\" y=\"{}\" fill=\"#1f2328\">{}</text>\n</svg>",
        TOP + BOX.1,
        TOP + BOX.1,
        width / 2,
        below + 20,
        escape(&back.join(" | ")),
    )?;
    Ok(svg)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{PICTURE, TEXT, draw, read};

    #[test]
    fn the_picture_in_the_docs_is_what_its_text_says() {
        assert_eq!(read(PICTURE).unwrap(), draw(&read(TEXT).unwrap()).unwrap(), "run `cargo xtask picture`");
    }

    #[test]
    fn text_is_escaped_and_a_box_without_an_arrow_is_refused() {
        assert!(draw("a | <b> & c | d\ne | f |\ng").unwrap().contains(">&lt;b&gt; &amp; c</text>"));
        assert!(draw("a\nback").is_err());
    }
}
