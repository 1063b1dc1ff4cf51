//! Editors that are told to install an extension, which runs in them.

use crate::install::{Judge, tell};
use crate::spec::without_version;
use hookbox_policy::{Command, Word};

/// Editors that take `--install-extension`.
#[rustfmt::skip] // Many names to a line.
const CODE: &[&str] = &[
    "code", "code.cmd", "code-insiders", "code-oss", "code-server", "codium", "vscodium", "cursor", "windsurf", "antigravity", "kiro",
    "openvscode-server", "positron", "trae",
];
/// Editors that take commands of vim.
const VIM: &[&str] = &["vi", "vim", "nvim", "gvim", "lvim", "nvim-qt", "neovide"];
/// Commands of their plugins that install what they name. Others install what the user's settings list.
#[rustfmt::skip] // Many names to a line.
const INSTALLS: &[&str] = &[
    "CocInstall ", "DapInstall ", "LspInstall ", "MasonInstall ", "Rocks install ", "TSInstall ", "TSInstall! ", "TSInstallSync ",
    "TSInstallSync! ", "VimspectorInstall ",
];

impl Judge<'_> {
    /// Judges `code --install-extension x` and `nvim -c 'MasonInstall x'`.
    pub(crate) fn editor(&mut self, command: &Command) {
        let installs = |word: &Word| word.text().split('=').next() == Some("--install-extension");
        if CODE.contains(&command.name) && command.args().iter().any(installs) {
            let what = command.quote();
            self.found.ask(format!("{what} installs an extension, which runs in the editor; is that meant?"));
        }
        if VIM.contains(&command.name) {
            command.args().iter().flat_map(|word| word.text().split('|')).for_each(|text| self.vim(text, command));
        }
    }

    fn vim(&mut self, text: &str, command: &Command) {
        let text = text.trim_start_matches([':', '+', ' ']);
        let silent = ["silent! ", "silent ", "sil! ", "sil "].iter().find_map(|prefix| text.strip_prefix(*prefix));
        let text = silent.unwrap_or(text);
        let named = INSTALLS.iter().find_map(|install| text.strip_prefix(*install));
        let names = named.into_iter().flat_map(str::split_whitespace).filter(|name| !name.starts_with('-'));
        for name in names.map(without_version) {
            if !self.is_allowed(name) {
                let what = command.quote();
                let reason = format!("{what} installs {name} in the editor; if it is wanted, add it to `allow`");
                tell(self.settings.new, reason, self.found);
            }
        }
    }
}
