//! The interpreter, which is set up before the first call.

use crate::fault;
use crate::powers::{self, StoreModule};
use rquickjs::context::intrinsic;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Context, Ctx, Error, Function, Module, Persistent, Result, Runtime};
use std::cell::{OnceCell, RefCell};

/// The JavaScript that runs before the script. It is a function that is called with the Rust functions that it needs.
const PRELUDE: &str = include_str!("prelude.js");
const FETCH: &str = include_str!("fetch.js");

/// The one module that a script can import.
const STORE: &str = "hookbox:store";

/// How much of the stack in linear memory a script may use, in bytes. Beyond that, QuickJS throws a RangeError. This
/// happens well before the engine's own call stack is full, which would be a crash that does not say where.
const STACK_BYTES: usize = 128 << 10;

/// All intrinsics of JavaScript except `performance`, which tells the time.
type Intrinsics = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
    intrinsic::WeakRef,
);

/// The interpreter, and the part of the prelude that is called for each script.
pub(crate) struct Engine {
    pub(crate) context: Context,
    /// The function that turns the value that a hook returned into the text of an Action.
    pub(crate) answer: Persistent<Function<'static>>,
}

thread_local! {
    static ENGINE: OnceCell<Option<Engine>> = const { OnceCell::new() };
    /// The script's name in errors.
    static NAME: RefCell<String> = const { RefCell::new(String::new()) };
    /// The reasons of rejected promises that nothing has waited for.
    static REJECTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Sets up the interpreter unless it is set up already. Returns whether it is now set up.
pub(crate) fn prepare() -> bool {
    with("", |_| ()).is_some()
}

/// Calls `f` with the interpreter. Returns `None` if there is no memory for the interpreter.
pub(crate) fn with<R>(name: &str, f: impl FnOnce(&Engine) -> R) -> Option<R> {
    NAME.with_borrow_mut(|known| name.clone_into(known));
    ENGINE.with(|engine| engine.get_or_init(|| set_up().ok()).as_ref().map(f))
}

/// Returns the reason of the first rejected promise that nothing has waited for.
pub(crate) fn first_unhandled() -> Option<String> {
    REJECTED.with_borrow(|reasons| reasons.first().cloned())
}

fn set_up() -> Result<Engine> {
    let runtime = Runtime::new()?;
    runtime.set_max_stack_size(STACK_BYTES);
    runtime.set_loader(Modules, Modules);
    runtime.set_host_promise_rejection_tracker(Some(Box::new(|_, _, reason, is_handled| {
        let reason = NAME.with_borrow(|name| fault::describe(&reason, name));
        REJECTED.with_borrow_mut(|reasons| match is_handled {
            false => reasons.push(reason),
            true => {
                if let Some(at) = reasons.iter().position(|known| *known == reason) {
                    reasons.remove(at);
                }
            }
        });
    })));
    let context = Context::custom::<Intrinsics>(&runtime)?;
    let answer = context.with(|ctx| -> Result<_> {
        let functions = powers::functions(&ctx)?;
        let fetch: Function<'_> = ctx.eval(FETCH)?;
        fetch.call::<_, ()>((functions.clone(),))?;
        let prelude: Function<'_> = ctx.eval(PRELUDE)?;
        Ok(Persistent::save(&ctx, prelude.call::<_, Function<'_>>((functions,))?))
    })?;
    // Collected here, so that nothing of the set-up is garbage during a call.
    runtime.run_gc();
    Ok(Engine { context, answer })
}

/// The modules that a script can import. None of them is a file: a hook consists of the one text that its digest stands
/// for.
struct Modules;

impl Resolver for Modules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        _: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        let why = match name {
            STORE => powers::given().without_store(),
            _ => Some("a script is one file; bundle what it needs into it"),
        };
        match why {
            Some(why) => Err(rquickjs::Exception::throw_syntax(ctx, &format!("`import` of {name:?}: {why}"))),
            None => Ok(name.to_owned()),
        }
    }
}

impl Loader for Modules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        match name {
            STORE => Module::declare_def::<StoreModule, _>(ctx.clone(), name),
            _ => Err(Error::new_loading(name)),
        }
    }
}
