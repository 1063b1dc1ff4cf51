//! Statements that run programs or write files on the server.

use super::destructive::{Damage, Statements, doubt, sure};
use super::lexer::Kind;
use super::words::{ENABLING, JOBS, PROGRAMS, SCRIPTS};

impl Statements<'_, '_> {
    /// Judges words that run programs or write files, at any position.
    pub(super) fn program(&self, at: usize, first: usize) -> Option<Damage> {
        let token = self.get(at)?;
        let before = at.checked_sub(1).and_then(|before| self.get(before));
        let is_call = self.get(at + 1).is_some_and(|after| after.is_mark("("));
        let is_named = PROGRAMS.iter().any(|name| token.text.eq_ignore_ascii_case(name));
        let is_called = is_call
            || self.is(first, &["exec", "execute", "declare", "use"])
            || at == first
            || before.is_some_and(|before| before.is_any(&["exec", "execute"]) || before.is_mark("="));
        let is_path = before.is_some_and(|before| before.is_mark("."));
        if is_named && (is_called || is_path) {
            return sure(format!("calls `{}`, which runs programs or writes files on the server", token.text));
        }
        if let Some(damage) = self.untrusted(at, first) {
            return Some(damage);
        }
        let is_copied = self.is(first, &["copy"]) && before.is_some_and(|before| before.is_any(&["to", "from"]));
        // These are `executable('x.sh', …)` and `SOURCE(EXECUTABLE(COMMAND 'x.sh'))` of ClickHouse.
        let has_command =
            self.get(at + 2).is_some_and(|token| token.kind == Kind::Text) || self.is(at + 2, &["command"]);
        let is_executable = token.is_any(&["executable", "executablepool"]) && is_call && has_command;
        // This is `ALTER SYSTEM SET archive_command = …` of PostgreSQL.
        let is_setting = at == first + 3
            && self.is(first, &["alter"])
            && self.is(first + 1, &["system"])
            && token.text.to_ascii_lowercase().ends_with("_command");
        if token.is("program") && is_copied || is_executable || is_setting {
            return sure("runs a program on the server".to_owned());
        }
        if token.is_any(&["outfile", "dumpfile"]) && before.is_some_and(|before| before.is("into")) {
            return sure("writes a file on the server".to_owned());
        }
        None
    }

    /// Judges a text that names a program, a file or a language.
    pub(super) fn program_of_text(&self, at: usize, first: usize) -> Option<Damage> {
        let text = self.get(at)?.text;
        let before = at.checked_sub(1)?;
        let is_one = |names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
        let is_on = self.get(at + 1).is_some_and(|mark| mark.is_mark(","))
            && self.get(at + 2).is_some_and(|value| value.text == "1");
        if is_on && self.is(before, &["sp_configure"]) && is_one(ENABLING) {
            return sure("lets SQL run programs on the server".to_owned());
        }
        if self.has_scheduler && is_one(JOBS) {
            return sure("runs a program on the server".to_owned());
        }
        // These are `ATTACH 'x.php' AS a` and `VACUUM INTO 'x.php'` of SQLite, and `COPY t TO 'x.php'`.
        let is_file = self.is(first, &["attach"]) && at < first + 6
            || self.is(first, &["vacuum", "copy"]) && self.is(before, &["into", "to"]);
        let extension = text.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
        if is_file && SCRIPTS.iter().any(|script| extension.eq_ignore_ascii_case(script)) {
            return sure("writes a script on the server".to_owned());
        }
        self.untrusted(at, first)
    }

    /// Judges languages in which functions may do anything, such as `plpython3u` and `plperlu`, and libraries that the
    /// server loads.
    fn untrusted(&self, at: usize, first: usize) -> Option<Damage> {
        let name = self.get(at)?.text.to_ascii_lowercase();
        let before = at.checked_sub(1)?;
        let is_language =
            name.starts_with("pl") && name.ends_with('u') && self.is(before, &["extension", "language", "exists"]);
        if is_language {
            return doubt(format!("lets SQL run programs on the server by `{name}`"));
        }
        let is_c = name == "c" && self.is(before, &["language"]) && self.is(first, &["create"]);
        let is_library = name == "soname" && self.get(at + 1).is_some_and(|next| next.kind == Kind::Text);
        if is_c || is_library { doubt("loads a library into the server".to_owned()) } else { None }
    }
}
