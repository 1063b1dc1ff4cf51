//! `add_context`: tells the model what templates say about the event.

use crate::dialect::docker_agent::model::{TextError, TextTemplate};
use crate::protocol::{Action, Input};

/// The builtin's name.
pub(super) const NAME: &str = "add_context";

/// Renders each argument, a template with docker-agent's names. Arguments that render as blank text are left out.
pub(super) fn run(input: &Input, args: &[String]) -> Result<Option<Action>, String> {
    let mut lines = Vec::new();
    for (index, arg) in args.iter().enumerate() {
        let rendered = TextTemplate::parse(NAME, arg).and_then(|template| template.render(input));
        let line = rendered.map_err(|error| told(index, &error))?;
        if !line.trim().is_empty() {
            lines.push(line);
        }
    }
    let context = lines.join("\n");
    Ok((!context.is_empty()).then(|| Action::allow().with_context(context)))
}

/// Checks that the arguments are templates that can be rendered for some event.
pub(super) fn check(args: &[String]) -> Result<(), String> {
    if args.is_empty() {
        return Err("it needs a template in `args`".to_owned());
    }
    args.iter().enumerate().try_for_each(|(index, arg)| {
        let checked = TextTemplate::parse(NAME, arg).and_then(|template| template.check());
        checked.map_err(|error| told(index, &error))
    })
}

fn told(index: usize, error: &TextError) -> String {
    let (what, why) = match error {
        TextError::Parse(why) => ("parse", why),
        TextError::Render(why) => ("render", why),
    };
    format!("add_context: {what} arg {}: {why}", index + 1)
}
