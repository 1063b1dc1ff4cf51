//! Judges hosts by the settings.

use crate::hosts::{DROPS, SHORTENERS, WELL_KNOWN};
use crate::settings::{Settings, Verdict};
use hookbox_policy::Findings;
use hookbox_policy::network::{Contact, Host, HostPattern, Reach, Target, is_in_domain};
use hookbox_sdk::Error;

/// The settings with their patterns parsed.
pub(crate) struct Rules<'s> {
    settings: &'s Settings,
    allow: Vec<HostPattern>,
    deny: Vec<HostPattern>,
    upload_to: Vec<HostPattern>,
    run_from: Vec<HostPattern>,
}

impl<'s> Rules<'s> {
    pub(crate) fn new(settings: &'s Settings) -> Result<Self, Error> {
        let list = |name: &str, texts: &[String]| {
            HostPattern::list(texts).map_err(|error| Error::new(error).context(format_args!("`{name}`")))
        };
        Ok(Rules {
            settings,
            allow: list("allow", &settings.allow)?,
            deny: list("deny", &settings.deny)?,
            upload_to: list("upload_to", &settings.upload_to)?,
            run_from: list("run_from", &settings.run_from)?,
        })
    }

    /// Judges a host that a command or a tool reaches. `what` names that command or tool.
    pub(crate) fn contact(&self, contact: &Contact, what: &str, found: &mut Findings) {
        match &contact.target {
            Target::Nowhere => {}
            Target::File => found.ask(format!(
                "{} in {what} is a file of this machine, read by a network tool; read it with a tool for files",
                contact.word
            )),
            Target::Opaque => found.unknown(match &contact.sends {
                Some(sends) => format!(
                    "which host {} in {what} means is known only when it runs, and {sends} is sent there; write the host",
                    contact.word
                ),
                None => {
                    format!("which host {} in {what} means is known only when it runs; write the host", contact.word)
                }
            }),
            Target::Host(host) => self.host(host, contact.sends.as_deref(), what, found),
        }
    }

    fn host(&self, host: &Host, sends: Option<&str>, what: &str, found: &mut Findings) {
        let name = host.show();
        if let Some(posing) = &host.posing_as {
            found.deny(format!("{what} looks as if it leads to {posing}, but leads to {name}; write the host alone"));
        }
        if host.is_disputed {
            found.ask(format!("programs disagree about the host of {what}, which may be {name}; write it plainly"));
        }
        if self.deny.iter().any(|pattern| pattern.matches(host)) {
            found.deny(format!("{what} reaches {name}, which the settings deny"));
            return;
        }
        let is_named = |list: &[HostPattern]| list.iter().any(|pattern| pattern.is_exact() && pattern.matches(host));
        if host.reach() == Reach::Metadata && !is_named(&self.allow) && !is_named(&self.upload_to) {
            found.deny(format!(
                "{what} reaches {name}, where a cloud hands out the credentials of its machines; if you need it, add it \
                 to `allow`"
            ));
            return;
        }
        if self.upload_to.iter().any(|pattern| pattern.matches(host)) {
            return;
        }
        let is_allowed = self.allow.iter().any(|pattern| pattern.matches(host));
        if host.reach() == Reach::Local {
            let advice = "add it to `allow` with its port, or set `local`";
            match self.settings.local {
                _ if is_allowed => {}
                Verdict::Allow => {}
                verdict => tell(verdict, format!("{what} reaches {name}, this machine; {advice}"), found),
            }
            return;
        }
        if let Some(sends) = sends {
            let is_drop = DROPS.iter().any(|domain| is_in_domain(&host.name, domain)) && !is_allowed;
            let verdict = if is_drop { Verdict::Deny } else { self.settings.upload };
            let how = if is_drop { ", where others can read it" } else { "" };
            tell(
                verdict,
                format!("{what} sends data ({sends}) to {name}{how}; if that is meant, add the host to `upload_to`"),
                found,
            );
            if verdict == Verdict::Deny {
                return;
            }
        }
        if is_allowed {
            return;
        }
        if host.is_international() {
            found.ask(format!(
                "{what} reaches {name}, whose letters may look like another name; if it is right, add it to `allow`"
            ));
        } else if SHORTENERS.iter().any(|domain| is_in_domain(&host.name, domain)) {
            found.ask(format!("{what} reaches {name}, which leads on to another host; use the address after it"));
        } else if !(self.settings.well_known && is_well_known(&host.name) && has_usual_port(host)) {
            let advice = "if it is right, add the host to `allow`";
            let verdict = self.settings.default;
            // The user is already asked about the sending.
            if sends.is_none() || verdict != Verdict::Ask {
                tell(verdict, format!("{what} reaches {name}, which is on no list; {advice}"), found);
            } else if self.settings.upload == Verdict::Allow {
                found.ask(format!("{what} reaches {name}, which is on no list; {advice}"));
            }
        }
    }

    /// Judges a URL that is merely mentioned, such as in the text of a message.
    pub(crate) fn mention(&self, host: &Host, what: &str, found: &mut Findings) {
        let is_denied = self.deny.iter().any(|pattern| pattern.matches(host));
        if is_denied || (host.reach() == Reach::Metadata && !self.allow.iter().any(|pattern| pattern.matches(host))) {
            self.host(host, None, what, found);
        }
    }

    /// Whether programs from all of these hosts may be run as soon as they are fetched.
    pub(crate) fn may_run(&self, contacts: &[Contact]) -> bool {
        let is_listed = |contact: &Contact| match &contact.target {
            Target::Host(host) => {
                host.scheme.as_deref() != Some("http") && self.run_from.iter().any(|pattern| pattern.matches(host))
            }
            _ => false,
        };
        !contacts.is_empty() && contacts.iter().all(is_listed)
    }
}

fn tell(verdict: Verdict, reason: String, found: &mut Findings) {
    match verdict {
        Verdict::Allow => {}
        Verdict::Ask => found.ask(reason),
        Verdict::Deny => found.deny(reason),
    }
}

fn is_well_known(name: &str) -> bool {
    WELL_KNOWN.iter().any(|known| match known.strip_prefix('.') {
        Some(domain) => is_in_domain(name, domain),
        None => name == *known,
    })
}

fn has_usual_port(host: &Host) -> bool {
    host.port.is_none_or(|port| matches!(port, 22 | 80 | 443 | 9418 | 21 | 873))
}
