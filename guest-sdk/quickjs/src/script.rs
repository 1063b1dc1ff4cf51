//! One call of a script.

use crate::engine::{self, Engine};
use crate::fault;
use rquickjs::promise::PromiseState;
use rquickjs::{CatchResultExt, CaughtError, Ctx, Function, Module, Object, Promise, Value};

/// What a script without a hook is told.
const NO_HOOK: &str = "has no hook: it must `export default function (input) { ... }`";

/// An Action as JSON text, or why there is none; and what the script wrote to its console.
pub(crate) fn run(name: &str, source: &str, input: &str) -> (Result<String, String>, String) {
    let ran = engine::with(name, |engine| {
        engine.context.with(|ctx| {
            let answer = answer(&ctx, engine, name, source, input);
            (answer, console(&ctx, engine).unwrap_or_default())
        })
    });
    ran.unwrap_or_else(|| (Err("there is no memory for the interpreter".to_owned()), String::new()))
}

fn answer(ctx: &Ctx<'_>, engine: &Engine, name: &str, source: &str, input: &str) -> Result<String, String> {
    let spell = |error: CaughtError<'_>| fault::of(&error, name);
    let module = Module::declare(ctx.clone(), name, source).catch(ctx).map_err(spell)?;
    let (module, loaded) = module.eval().catch(ctx).map_err(spell)?;
    settle(ctx, loaded, name)?;
    let exports: Object<'_> = module.namespace().catch(ctx).map_err(spell)?;
    let hook = ["default", "run"].into_iter().find_map(|export| exports.get::<_, Function<'_>>(export).ok());
    let hook = hook.ok_or_else(|| format!("{name}: {NO_HOOK}"))?;
    if input.is_empty() {
        // Only whether there is a hook is asked. The answer is no Action, so that it cannot be taken for one that allows.
        return Ok(String::new());
    }
    let input: Object<'_> = ctx.json_parse(input).and_then(|input| input.get()).catch(ctx).map_err(spell)?;
    let settings: Value<'_> = input.get("settings").catch(ctx).map_err(spell)?;
    let mut returned: Value<'_> = hook.call((input, settings)).catch(ctx).map_err(spell)?;
    if let Some(promise) = returned.as_promise() {
        returned = settle(ctx, promise.clone(), name)?;
    }
    while ctx.execute_pending_job() {}
    if let Some(reason) = engine::first_unhandled() {
        return Err(format!("a promise failed that nothing waited for: {reason}"));
    }
    let check = engine.answer.clone().restore(ctx).catch(ctx).map_err(spell)?;
    check.call((returned,)).catch(ctx).map_err(|error| match error {
        // The check is no place in the script.
        CaughtError::Exception(exception) => format!("{name}: {}", exception.message().unwrap_or_default()),
        error => spell(error),
    })
}

/// Runs what is waiting until the promise is settled.
fn settle<'js>(ctx: &Ctx<'js>, promise: Promise<'js>, name: &str) -> Result<Value<'js>, String> {
    while promise.state() == PromiseState::Pending && ctx.execute_pending_job() {}
    match promise.result::<Value<'js>>() {
        Some(result) => result.catch(ctx).map_err(|error| fault::of(&error, name)),
        None => Err(format!("{name}: waits for a promise that nothing will settle: there are no timers and no input")),
    }
}

fn console(ctx: &Ctx<'_>, engine: &Engine) -> Option<String> {
    let take = engine.console.clone().restore(ctx).ok()?;
    take.call(()).ok()
}
