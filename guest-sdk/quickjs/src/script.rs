//! One call of a script.

use crate::engine::{self, Engine};
use crate::fault;
use crate::powers::{self, Origin, Powers};
use rquickjs::promise::PromiseState;
use rquickjs::{CatchResultExt, CaughtError, Ctx, Function, Module, Object, Promise, Value};

/// The error for a script without a hook.
const NO_HOOK: &str = "has no hook: it must `export default function (input) { ... }`";

/// A script and its powers.
pub(crate) struct Script<'a> {
    /// The script's name in errors.
    pub(crate) name: &'a str,
    pub(crate) source: &'a str,
    pub(crate) powers: Powers,
}

impl<'a> Script<'a> {
    /// Reads the script from the data of a component that was built from one: its powers as bits (log, store, http),
    /// the length of its name in four bytes, its name and its text.
    pub(crate) fn read(own: &'a [u8]) -> Option<Self> {
        let (powers, rest) = own.split_first()?;
        let has = |bit: u8| powers & bit != 0;
        let powers = Powers { origin: Origin::Built, log: has(1), store: has(2), http: has(4) };
        let (length, rest) = rest.split_first_chunk()?;
        let (name, source) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        Some(Script { name: str::from_utf8(name).ok()?, source: str::from_utf8(source).ok()?, powers })
    }
}

/// Runs a script, and returns an Action as JSON text, or the reason why there is none.
pub(crate) fn run(script: &Script<'_>, input: &str) -> Result<String, String> {
    powers::give(script.powers);
    let ran = engine::with(script.name, |engine| engine.context.with(|ctx| answer(&ctx, engine, script, input)));
    ran.unwrap_or_else(|| Err("there is no memory for the interpreter".to_owned()))
}

fn answer(ctx: &Ctx<'_>, engine: &Engine, script: &Script<'_>, input: &str) -> Result<String, String> {
    let Script { name, source, .. } = *script;
    let spell = |error: CaughtError<'_>| fault::of(&error, name);
    let module = Module::declare(ctx.clone(), name, source).catch(ctx).map_err(spell)?;
    let (module, loaded) = module.eval().catch(ctx).map_err(spell)?;
    settle(ctx, loaded, name)?;
    let exports: Object<'_> = module.namespace().catch(ctx).map_err(spell)?;
    let hook = ["default", "run"].into_iter().find_map(|export| exports.get::<_, Function<'_>>(export).ok());
    let hook = hook.ok_or_else(|| format!("{name}: {NO_HOOK}"))?;
    if input.is_empty() {
        // An empty Input only asks whether there is a hook. The answer is not an Action, so nobody can take it for an
        // allow.
        return Ok(String::new());
    }
    let input: Object<'_> = ctx.json_parse(input).and_then(|input| input.get()).catch(ctx).map_err(spell)?;
    let settings: Value<'_> = input.get("settings").catch(ctx).map_err(spell)?;
    powers::open();
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
        // The check is not a place in the script.
        CaughtError::Exception(exception) => format!("{name}: {}", exception.message().unwrap_or_default()),
        error => spell(error),
    })
}

/// Runs pending jobs until the promise is settled.
fn settle<'js>(ctx: &Ctx<'js>, promise: Promise<'js>, name: &str) -> Result<Value<'js>, String> {
    while promise.state() == PromiseState::Pending && ctx.execute_pending_job() {}
    match promise.result::<Value<'js>>() {
        Some(result) => result.catch(ctx).map_err(|error| fault::of(&error, name)),
        None => Err(format!("{name}: waits for a promise that nothing will settle: there are no timers and no input")),
    }
}
