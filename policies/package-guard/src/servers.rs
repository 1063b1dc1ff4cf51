//! Servers that an agent is told to start, and that launchers such as `npx` fetch.

use crate::install::Judge;
use crate::managers::Does;
use crate::order::order;
use crate::program::named;
use hookbox_policy::{Command, Findings, Word};
use hookbox_sdk::ShellCommand;

/// The words in lists of servers that are no words of a command.
const KEYS: &[&str] = &["command", "args", "type", "stdio", "local"];

/// The most words of a server's command that are looked at.
const MAX_WORDS: usize = 64;

impl Judge<'_> {
    /// Judges `claude mcp add NAME -- npx PACKAGE` and `claude mcp add-json NAME '{"command":"npx",…}'` of any agent.
    pub(crate) fn server(&mut self, command: &Command) {
        let words = command.args();
        let is_add = |word: &Word| matches!(word.text(), "add" | "add-json" | "install");
        let adds = |pair: &[Word]| matches!(pair, [mcp, verb] if mcp.text() == "mcp" && is_add(verb));
        let Some(at) = words.windows(2).position(adds) else {
            return;
        };
        let words = words.get(at + 2..).unwrap_or_default();
        self.launchers(words, false, command.facts);
        for word in words.iter().filter(|word| word.text().contains('{')) {
            self.listed_servers(word.text(), command.facts);
        }
    }

    /// Judges a text that is written into a list of servers: asks about each package.
    pub(crate) fn written_servers(&mut self, path: &str, text: &str) {
        let mut found = Findings::default();
        let mut judge = Judge { settings: self.settings, cwd: self.cwd, found: &mut found };
        judge.listed_servers(text, &ShellCommand::default());
        self.found.add(found.perhaps(&format!("{path} gets a server that runs a package")));
    }

    /// Judges a list of servers, in JSON or TOML, or a part of it.
    fn listed_servers(&mut self, text: &str, facts: &ShellCommand) {
        for object in text.split(['{', '}']) {
            let quote = if object.contains('"') { '"' } else { '\'' };
            let quoted = object.split(quote).skip(1).step_by(2);
            let words: Vec<Word> = quoted.filter(|word| !KEYS.contains(word)).map(Word::new).collect();
            self.launchers(&words, true, facts);
        }
    }

    /// Judges each word that begins the command of a launcher. With `is_circle`, the command goes on at the first word,
    /// since the program may come after its arguments.
    fn launchers(&mut self, words: &[Word], is_circle: bool, facts: &ShellCommand) {
        for (at, word) in words.iter().enumerate() {
            let name = word.text().rsplit(['/', '\\']).next().unwrap_or_default();
            if named(name).is_none() {
                continue;
            }
            let count = if is_circle { words.len() } else { words.len().saturating_sub(at) };
            let words = words.iter().cycle().skip(at).take(count.min(MAX_WORDS)).cloned().collect();
            let server = Command { name, words, facts };
            if let Some(order) = order(&server)
                && matches!(order.does, Some(Does::Run | Does::Script))
            {
                self.order(&order, &server);
                self.lists(&order, 0, std::slice::from_ref(&server));
            }
        }
    }
}
