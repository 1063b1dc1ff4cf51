//! Patterns in the syntax of Go's `regexp` package, matched by the `regex` crate.
//!
//! The crate has its own dialect: `\d` is Unicode there, `[a&&b]` an intersection, `\<` a word start. So a pattern is
//! parsed by Go's rules and rewritten in the few forms that mean the same in both. A pattern that Go refuses is
//! refused. A pattern that Go accepts but the crate cannot express is refused too, never matched differently.
//!
//! Differences from Go 1.27:
//! - Only refused by hookbox: patterns over 16 MiB compiled, nesting more than 100 levels deep, an escaped surrogate
//!   like `\x{D800}`, and the four scripts that Unicode 17 added.
//! - Only refused by Go: patterns that Go's own representation makes too deep (hundreds of alternatives, each one the
//!   start of the next) or too large (tens of thousands of `\pL{0}`).
//! - The characters of `\p{..}`, `\P{..}` and `(?i)` are those of Unicode 16, and `(?i)\p{LC}` includes U+0345.

mod class;
mod escape;
mod flags;
mod group;
mod repeat;
#[cfg(test)]
mod tests;
mod unicode;

use self::flags::Flags;
use self::group::{Group, Piece};
use self::repeat::Repetition;
use ::regex::{Regex, RegexBuilder};

/// The largest compiled size of a pattern, in bytes. Go has no such limit, so no real pattern should reach this one: a
/// few hundred repetitions of every letter there is still fit.
const MAX_BYTES: usize = 16 << 20;

/// What surrounds a pattern to match the whole text. As in Go, it surrounds the pattern's text, so `a)|(?:b` means
/// "starts with a, or ends with b".
const PREFIX: &str = "^(?:";
const SUFFIX: &str = ")$";

/// Compiles a pattern of Go's `regexp` so that it matches as `^(?:` + pattern + `)$` does in Go.
///
/// # Errors
/// Returns an error that says what is wrong with the pattern, in Go's words if Go refuses it too.
pub(crate) fn compile_whole(pattern: &str) -> Result<Regex, PatternError> {
    let translated = translate(pattern).map_err(PatternError::new)?;
    RegexBuilder::new(&translated)
        .size_limit(MAX_BYTES)
        // Each level is a group with a sequence in it. The innermost group has a set within a set.
        .nest_limit(2 * Piece::MAX_HEIGHT + 10)
        .build()
        .map_err(|error| {
            PatternError::Unsupported(match error {
                ::regex::Error::CompiledTooBig(_) => format!("over {MAX_BYTES} bytes compiled"),
                other => {
                    // The lines before the last quote the translated pattern, which no user has seen.
                    let message = other.to_string();
                    let reason = message.lines().last().unwrap_or_default();
                    format!("unsupported expression: {}", reason.trim_start_matches("error: "))
                }
            })
        })
}

/// The error for a pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatternError {
    /// Go refuses the pattern.
    #[error("{0}")]
    Invalid(String),
    /// Go accepts the pattern, or may accept it, but hookbox cannot use it.
    #[error("{0}")]
    Unsupported(String),
}

impl PatternError {
    /// The prefixes of the messages for patterns that only hookbox refuses.
    const OURS: [&str; 2] = ["unsupported ", "expression "];

    fn new(message: String) -> Self {
        if PatternError::OURS.iter().any(|begins| message.starts_with(begins)) {
            PatternError::Unsupported(message)
        } else {
            PatternError::Invalid(message)
        }
    }
}

/// Returns the anchored pattern in the syntax of the `regex` crate.
pub(crate) fn translate(pattern: &str) -> Result<String, String> {
    let anchored = format!("{PREFIX}{pattern}{SUFFIX}");
    Parser { pattern, flags: Flags::default(), group: Group::default(), outer: Vec::new() }.parse(&anchored)
}

struct Parser<'p> {
    /// The pattern without the anchors, for messages.
    pattern: &'p str,
    flags: Flags,
    /// The innermost open group. The top level counts as a group, too.
    group: Group,
    /// The groups around the innermost one, outermost first.
    outer: Vec<Group>,
}

impl Parser<'_> {
    fn parse(mut self, anchored: &str) -> Result<String, String> {
        let mut text = anchored;
        // The text from the last repetition on, if that was the last item.
        let mut repeated = None;
        while let Some((first, after)) = split_first(text) {
            if let Some(repetition) = Repetition::parse(text)? {
                let after = repetition.after;
                if let Some(repeated) = repeated {
                    return Err(refused("invalid nested repetition operator", repeated, after));
                }
                let Some(copies) = self.group.repeat(&repetition)? else {
                    return Err(refused("missing argument to repetition operator", text, after));
                };
                if copies > Repetition::MAX_COPIES {
                    return Err(refused("invalid repeat count", text, after));
                }
                repeated = Some(text);
                text = after;
            } else {
                text = self.item(first, after, text)?;
                repeated = None;
            }
        }
        if self.outer.is_empty() { Ok(self.group.close()?.text) } else { Err(self.refused_whole("missing closing )")) }
    }

    /// Reads anything but a repetition, and returns the rest.
    fn item<'t>(&mut self, first: char, after: &'t str, text: &'t str) -> Result<&'t str, String> {
        let flags = self.flags;
        match first {
            '(' => return self.open(text),
            ')' => self.close()?,
            '|' => self.group.end_branch()?,
            '^' => self.group.push(if flags.multi_line { "(?m:^)" } else { r"\A" }),
            '$' => self.group.push(if flags.multi_line { "(?m:$)" } else { r"\z" }),
            '.' => self.group.push(if flags.dot_newline { "(?s:.)" } else { r"[^\n]" }),
            '[' => {
                let (set, after) = class::bracketed(text)?;
                self.group.push(flags.fold(set));
                return Ok(after);
            }
            '\\' => return self.escape(text),
            _ => self.push_literal(first),
        }
        Ok(after)
    }

    /// Reads an escape, which starts with a backslash.
    fn escape<'t>(&mut self, text: &'t str) -> Result<&'t str, String> {
        for (escape, assertion) in [(r"\A", r"\A"), (r"\z", r"\z"), (r"\b", r"(?-u:\b)"), (r"\B", r"(?-u:\B)")] {
            if let Some(after) = text.strip_prefix(escape) {
                self.group.push(assertion);
                return Ok(after);
            }
        }
        if let Some(quoted) = text.strip_prefix(r"\Q") {
            let (literals, after) = quoted.split_once(r"\E").unwrap_or((quoted, ""));
            literals.chars().for_each(|literal| self.push_literal(literal));
            return Ok(after);
        }
        if let Some((set, after)) = class::escaped(text)? {
            self.group.push(self.flags.fold(set));
            return Ok(after);
        }
        let (literal, after) = escape::character(text)?;
        self.push_literal(literal);
        Ok(after)
    }

    fn push_literal(&mut self, literal: char) {
        let mut pattern = String::new();
        escape::push_char(&mut pattern, literal);
        self.group.push(self.flags.fold(pattern));
    }

    /// Reads the head of a group, or flags for the rest of the current one.
    fn open<'t>(&mut self, text: &'t str) -> Result<&'t str, String> {
        let outer_flags = self.flags;
        let (is_capture, after) = if let Some(named) = text.strip_prefix("(?P<").or_else(|| text.strip_prefix("(?<")) {
            (true, group::after_name(named).map_err(|after| refused("invalid named capture", text, after))?)
        } else if text.starts_with("(?") {
            let head = outer_flags.change(text)?;
            self.flags = head.flags;
            if !head.opens_group {
                return Ok(head.after);
            }
            (false, head.after)
        } else {
            (true, text.strip_prefix('(').unwrap_or_default())
        };
        let group = Group::new(is_capture, outer_flags);
        self.outer.push(std::mem::replace(&mut self.group, group));
        Ok(after)
    }

    /// Ends the current group, and its flags with it.
    fn close(&mut self) -> Result<(), String> {
        let Some(outer) = self.outer.pop() else {
            return Err(self.refused_whole("unexpected )"));
        };
        let group = std::mem::replace(&mut self.group, outer);
        self.flags = group.outer_flags;
        self.group.add(group.close()?);
        Ok(())
    }

    fn refused_whole(&self, reason: &str) -> String {
        format!("{reason}: `{}`", self.pattern)
    }
}

/// Returns Go's message about the part of `text` before `after`. The anchor after the pattern is not quoted.
fn refused(reason: &str, text: &str, after: &str) -> String {
    let end = text.len().saturating_sub(after.len().max(SUFFIX.len()));
    format!("{reason}: `{}`", text.get(..end).unwrap_or(text))
}

fn split_first(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    chars.next().map(|first| (first, chars.as_str()))
}
