//! The template of a model hook's prompt: a Go template over the event, with docker-agent's names.

use super::data::{EventData, Structs, is_field};
use super::functions;
#[cfg(feature = "model")]
use super::tags;
use crate::protocol::Input;
use gotmpl::parse::{Expr, ListNode, Node, PipeNode};
use gotmpl::{MissingKey, Template, TemplateError, Value};
use std::sync::Arc;

/// Go's name for the template in its messages.
const NAME: &str = "hook-prompt";

/// A prompt that can be rendered for events.
pub(in crate::dialect) struct Prompt {
    text: String,
    /// Why the prompt cannot be rendered, if it names something that no event has. Go only reports that when it
    /// evaluates the name.
    fault: Option<String>,
    /// Whether the prompt prints any values.
    #[cfg(feature = "model")]
    has_values: bool,
}

impl Prompt {
    pub(in crate::dialect) fn parse(text: &str) -> Result<Self, String> {
        let template = parse(text, Structs::default())?;
        // Go looks a name up in a struct, where a missing name is an error. In a map, it would only be a missing value.
        let fault = template.lookup(NAME).and_then(|tree| check(tree, true).err()).map(|name| no_field(NAME, &name));
        Ok(Prompt {
            text: text.to_owned(),
            fault,
            #[cfg(feature = "model")]
            has_values: template.templates().iter().filter_map(|name| template.lookup(name)).any(tags::has_values),
        })
    }

    /// Returns the text of the template.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn render(&self, input: &Input) -> Result<String, String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let data = EventData::from_input(input);
        let template = parse(&self.text, data.structs())?;
        template.execute_to_string(&data.value).map_err(|error| error.to_string())
    }
}

/// Methods for hooks that distinguish data from instructions.
#[cfg(feature = "model")]
impl Prompt {
    /// Returns why the prompt cannot be rendered for any event, if so.
    pub(in crate::dialect) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Whether the prompt prints any values.
    pub(in crate::dialect) fn has_values(&self) -> bool {
        self.has_values
    }

    /// Renders the prompt with a tag of this name around each value that it prints.
    pub(in crate::dialect) fn render_tagged(&self, input: &Input, tag: &str) -> Result<String, String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let data = EventData::from_input(input);
        let template = tags::add(parse(&self.text, data.structs())?, tag);
        // The template is looked up by its name, since the tree without a name has no tags.
        template.execute_template_to_string(NAME, &data.value).map_err(|error| error.to_string())
    }
}

/// Parses the template. Its `toJSON` knows the JSON of these structs.
fn parse(text: &str, structs: Structs) -> Result<Template, String> {
    let template = Template::new(NAME)
        .func("toJSON", move |args| one(args).map(|value| Value::String(structs.to_json(value).into())))
        .func("truncate", truncate)
        .parse(text)
        .map_err(|error| in_go_words(NAME, &error))?;
    functions::undefined(NAME, &template, &["toJSON", "truncate"]).map_or(Ok(template), Err)
}

fn no_field(template: &str, name: &str) -> String {
    format!("template: {template}: can't evaluate field {name} in type *hooks.Input")
}

/// A template that only has Go's own functions, and for which a missing key is an error.
pub(in crate::dialect::docker_agent) struct TextTemplate {
    name: &'static str,
    text: String,
}

/// Why no text can be made from a template.
pub(in crate::dialect::docker_agent) enum TextError {
    /// The text is not a template.
    Parse(String),
    /// The template does not fit the event.
    Render(String),
}

impl TextTemplate {
    pub(in crate::dialect::docker_agent) fn parse(name: &'static str, text: &str) -> Result<Self, TextError> {
        let template = TextTemplate { name, text: text.to_owned() };
        template.template().map(|_| template)
    }

    /// Checks that all names in the template are known.
    pub(in crate::dialect::docker_agent) fn check(&self) -> Result<(), TextError> {
        let template = self.template()?;
        let fault = template.lookup(self.name).and_then(|tree| check(tree, true).err());
        fault.map_or(Ok(()), |name| Err(TextError::Render(no_field(self.name, &name))))
    }

    pub(in crate::dialect::docker_agent) fn render(&self, input: &Input) -> Result<String, TextError> {
        self.check()?;
        let data = EventData::from_input(input);
        let rendered = self.template()?.execute_to_string(&data.value);
        rendered.map_err(|error| TextError::Render(error.to_string()))
    }

    fn template(&self) -> Result<Template, TextError> {
        let template = Template::new(self.name).missing_key(MissingKey::Error).parse(&self.text);
        let template = template.map_err(|error| TextError::Parse(in_go_words(self.name, &error)))?;
        functions::undefined(self.name, &template, &[]).map_or(Ok(template), |why| Err(TextError::Parse(why)))
    }
}

/// Words an error as Go does, which reports only the line of a template, without the column.
fn in_go_words(name: &str, error: &TemplateError) -> String {
    match error {
        TemplateError::Parse { line, message, .. } | TemplateError::Lex { line, message, .. } => {
            format!("template: {name}:{line}: {message}")
        }
        error => error.to_string(),
    }
}

/// Refuses a name that the event does not have, wherever the dot or `$` is the event. The error is the name.
fn check(list: &ListNode, dot_is_event: bool) -> Result<(), String> {
    for node in &list.nodes {
        match node {
            Node::List(list) => check(list, dot_is_event)?,
            Node::Action(action) => check_pipe(&action.pipe, dot_is_event)?,
            Node::If(branch) => {
                check_pipe(&branch.pipe, dot_is_event)?;
                check(&branch.body, dot_is_event)?;
                branch.else_body.as_ref().map_or(Ok(()), |list| check(list, dot_is_event))?;
            }
            Node::Range(branch) | Node::With(branch) => {
                check_pipe(&branch.pipe, dot_is_event)?;
                check(&branch.body, false)?;
                branch.else_body.as_ref().map_or(Ok(()), |list| check(list, dot_is_event))?;
            }
            Node::Template(template) => {
                template.pipe.as_ref().map_or(Ok(()), |pipe| check_pipe(pipe, dot_is_event))?;
            }
            Node::Text(_) | Node::Define(_) | Node::Break(_) | Node::Continue(_) => {}
        }
    }
    Ok(())
}

fn check_pipe(pipe: &PipeNode, dot_is_event: bool) -> Result<(), String> {
    pipe.commands.iter().flat_map(|command| &command.args).try_for_each(|arg| check_expr(arg, dot_is_event))
}

fn check_expr(expr: &Expr, dot_is_event: bool) -> Result<(), String> {
    let name = match expr {
        Expr::Field(_, names) if dot_is_event => names.first(),
        Expr::Variable(_, variable, names) if variable == "$" => names.first(),
        Expr::Pipe(_, pipe) => return check_pipe(pipe, dot_is_event),
        Expr::Chain(_, inner, _) => return check_expr(inner, dot_is_event),
        _ => None,
    };
    let Some(name) = name.map(|name| name.as_str()) else {
        return Ok(());
    };
    if is_field(name) { Ok(()) } else { Err(name.to_owned()) }
}

/// Returns the only argument of a function.
fn one(args: &[Value]) -> Result<&Value, TemplateError> {
    args.first().ok_or_else(|| TemplateError::Exec("toJSON: wrong number of args: want 1".to_owned()))
}

/// Returns the first bytes of a text, with a sign that there was more. A character that would be cut in two is left
/// out.
fn truncate(args: &[Value]) -> Result<Value, TemplateError> {
    let [most, Value::String(text)] = args else {
        return Err(TemplateError::Exec("truncate: want a number and a string".to_owned()));
    };
    let most = most.as_int().ok_or_else(|| TemplateError::Exec("truncate: want a number".to_owned()))?;
    match usize::try_from(most) {
        Ok(most) if most > 0 && text.len() > most => {
            let cut = text.get(..text.floor_char_boundary(most)).unwrap_or_default();
            Ok(Value::String(format!("{cut}…").into()))
        }
        _ => Ok(Value::String(Arc::clone(text))),
    }
}
