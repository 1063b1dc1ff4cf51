//! A hook whose type and name are looked up when it is asked.

use super::{Handled, HandlerError, HookTypes};
use crate::config::format_duration;
use crate::dialect::docker_agent::answer::{Reader, failed};
use crate::dialect::docker_agent::config::Definition;
use crate::dialect::docker_agent::model::{Judge, ModelClient};
use crate::dialect::docker_agent::{DockerAgent, Generation, contract, payload};
use crate::dialect::go::exec::quote;
use crate::protocol::{Action, Answer, Code, Decision, Failure, Input, ProcessReport};
use crate::runtime::{Caller, CallerLeft, Hook, HookInfo};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A builtin, a model hook, or a hook of a type that a host has added.
pub(crate) struct TypedHook {
    info: HookInfo,
    limit: Duration,
    definition: Definition,
    generation: Generation,
    types: Arc<HookTypes>,
    /// The client that asks models if the host has set none.
    models: Option<Arc<dyn ModelClient>>,
    reader: Reader,
}

impl TypedHook {
    /// Creates the hook of an entry. It tracks its own time limit, because docker-agent has its own wording for a
    /// timeout.
    pub(crate) fn new(mut info: HookInfo, definition: Definition, dialect: &DockerAgent) -> Self {
        let event = info.events.first().map_or(crate::Event::PreTool, |(event, _)| *event);
        let limit = info.timeout.take().unwrap_or_default();
        info.wants_commands = definition.kind == "builtin" && super::wants_commands(&definition.command);
        let manner = info.origin().manner;
        TypedHook {
            info,
            limit,
            definition,
            generation: dialect.generation,
            types: Arc::clone(&dialect.types),
            models: None,
            reader: Reader { generation: dialect.generation, strictness: dialect.strictness, event, manner },
        }
    }

    /// Sets the client that asks models if the host has set none.
    pub(crate) fn with_models(self, models: Option<Arc<dyn ModelClient>>) -> Self {
        TypedHook { models, ..self }
    }

    fn judge(&self) -> Result<Judge, HandlerError> {
        Judge::new(&self.types.models(), self.models.as_ref(), &self.definition)
    }

    async fn handle(&self, input: &Input, caller: &Caller) -> Result<Handled, HandlerError> {
        let Definition { kind, command, args, working_dir, .. } = &self.definition;
        // In the third generation, a builtin sees the hook's own directory.
        let moved = (self.generation.is_third() && kind == "builtin" && !working_dir.is_empty()).then(|| {
            let mut moved = input.clone();
            moved.pwd = Some(working_dir.clone());
            moved
        });
        let input = moved.as_ref().unwrap_or(input);
        match kind.as_str() {
            "builtin" if command.is_empty() => Err(HandlerError::new("builtin hook requires a name in command")),
            "builtin" => {
                let handled = self.types.handle((command, args), input, caller, self.generation).await;
                handled.map_err(HandlerError::new)
            }
            "command" => Err(HandlerError::new("command hook requires a non-empty command")),
            "model" => {
                let action = self.judge()?.ask(input, Instant::now() + self.limit).await?;
                Ok(Handled { action: Some(action), ..Handled::default() })
            }
            kind => {
                let unknown = || HandlerError::new(format!("unsupported hook type: {kind}"));
                let factory = self.types.factory(kind).ok_or_else(unknown)?;
                let handler = factory(command, args).map_err(HandlerError::new)?;
                handler.run(payload::encode(self.generation, input).as_bytes()).await
            }
        }
    }

    fn answered(&self, handled: Handled) -> Answer {
        let Handled { action, stdout, stderr, exit_code } = handled;
        match action {
            Some(action) if self.generation.is_third() => {
                Ok(contract::keep(self.reader.event, self.reader.manner, action)).into()
            }
            // A rewrite counts even if no decision says so.
            Some(action) if action.decision == Decision::Allow && action.has_rewrite() => {
                Ok(Action { decision: Decision::Modify, ..action }).into()
            }
            Some(action) => Ok(action).into(),
            None => {
                let process = ProcessReport { exit_code, stdout, stderr, ..ProcessReport::default() };
                self.reader.process(process, || format!("status {exit_code}"))
            }
        }
    }
}

#[async_trait]
impl Hook for TypedHook {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        self.answer(input, &Caller::default()).await.result
    }

    fn probe(&self) -> Result<(), Failure> {
        let Definition { kind, command, .. } = &self.definition;
        let missing = match kind.as_str() {
            "builtin" => self.types.check(command, self.generation).err().map(HandlerError::new),
            "model" => self.judge().and_then(|judge| judge.probe()).err(),
            _ => None,
        };
        missing.map_or(Ok(()), |error| Err(Failure::failed(error.message)))
    }

    async fn answer(&self, input: &Input, caller: &Caller) -> Answer {
        let command = quote(&self.definition.command);
        let limit = format_duration(self.limit);
        let overdue = || {
            let error = format!("hook {command} timed out after {limit}: context deadline exceeded");
            failed(Failure::overdue(self.limit), error, String::new(), true)
        };
        let handled = tokio::select! {
            biased;
            handled = tokio::time::timeout(self.limit, self.handle(input, caller)) => handled,
            gone = caller.left() => return match gone {
                CallerLeft::Deadline => overdue(),
                CallerLeft::Cancelled => {
                    let error = format!("hook {command} cancelled: context canceled");
                    let failure = Failure::new(Code::Cancelled, "did not answer before its caller gave up");
                    failed(failure, error, String::new(), false)
                }
            },
        };
        match handled {
            Ok(Ok(handled)) => self.answered(handled),
            Ok(Err(HandlerError { message, stderr })) => failed(Failure::failed(&message), message, stderr, false),
            Err(_) => overdue(),
        }
    }
}

pub(super) fn unknown_builtin(name: &str) -> String {
    format!("no builtin hook registered as {}", quote(name))
}
