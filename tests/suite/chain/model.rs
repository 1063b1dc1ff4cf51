//! A second, simple implementation of the chain's rules, to compare the real one with. It follows the wording of the
//! rules and shares no code with the engine: forms are numbers, and a hook is a table from what it sees to its answer.

/// A hook's answer to a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Allow,
    Deny,
    Ask,
    /// The hook replaces the form with this one.
    Modify(u8),
    /// The hook gives no valid answer.
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFail {
    Deny,
    Ask,
    Allow,
}

/// A hook: its answer to each of the forms 0 to 3.
#[derive(Clone, Debug)]
pub struct Hook {
    pub says: [Says; 4],
    pub on_fail: OnFail,
    pub pure: bool,
    pub recheck: bool,
    pub restricted: bool,
}

/// The result of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub verdict: &'static str,
    /// The hook that denied or asked first.
    pub by: Option<usize>,
    pub form: u8,
    /// Which hooks the chain asked, on which form, in order.
    pub asked: Vec<(usize, u8)>,
}

pub fn run(hooks: &[Hook], start: u8, gating: bool) -> End {
    let mut form = start;
    // Rewrites are counted, since the same form may come back, and an earlier approval of it would still be stale.
    let mut rewrites = 0;
    let mut asked = Vec::new();
    let mut answered_at: Vec<Option<u32>> = vec![None; hooks.len()];
    let mut asks: Vec<bool> = vec![false; hooks.len()];
    let mut last_rewriter = None;
    for round in 0.. {
        let again: Vec<usize> = (0..hooks.len())
            .filter(|&i| round == 0 || ((hooks[i].pure || hooks[i].recheck) && answered_at[i] != Some(rewrites)))
            .collect();
        if again.is_empty() || (round > 0 && !gating) {
            break;
        }
        if round == 4 {
            return End { verdict: "deny", by: last_rewriter, form, asked };
        }
        // A rewrite within a round makes hooks stale that this round had already skipped.
        for i in 0..hooks.len() {
            let hook = &hooks[i];
            let due = round == 0 || ((hook.pure || hook.recheck) && answered_at[i] != Some(rewrites));
            if !due {
                continue;
            }
            asked.push((i, form));
            answered_at[i] = Some(rewrites);
            asks[i] = false;
            let denies = match hook.says[usize::from(form)] {
                Says::Allow => false,
                Says::Deny => true,
                Says::Ask => {
                    asks[i] = true;
                    false
                }
                Says::Modify(new) => {
                    if !hook.restricted && new != form {
                        form = new;
                        rewrites += 1;
                        last_rewriter = Some(i);
                    }
                    false
                }
                Says::Fail => {
                    asks[i] = hook.on_fail == OnFail::Ask;
                    hook.on_fail == OnFail::Deny
                }
            };
            if denies && gating {
                return End { verdict: "deny", by: Some(i), form, asked };
            }
        }
    }
    let by = asks.iter().position(|asks| *asks).filter(|_| gating);
    End { verdict: if by.is_some() { "ask" } else { "allow" }, by, form, asked }
}
