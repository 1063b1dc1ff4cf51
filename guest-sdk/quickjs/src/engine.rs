//! The interpreter, set up before the first call.

use crate::fault;
use rquickjs::context::intrinsic;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Context, Ctx, Error, Function, Module, Object, Persistent, Result, Runtime};
use std::cell::{OnceCell, RefCell};

/// What is there before the script, as JavaScript.
const PRELUDE: &str = include_str!("prelude.js");

/// How much of the stack in linear memory a script may use, in bytes. Behind it QuickJS throws a RangeError, well before
/// the engine's own stack for calls is full, which would be a crash without a word on where.
const STACK_BYTES: usize = 128 << 10;

/// All that JavaScript has but `performance`, which tells the time.
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

/// The interpreter, and the parts of the prelude that are called for each script.
pub(crate) struct Engine {
    pub(crate) context: Context,
    /// From the value that a hook returned to the text of an Action.
    pub(crate) answer: Persistent<Function<'static>>,
    /// Takes what the console has been told.
    pub(crate) console: Persistent<Function<'static>>,
}

thread_local! {
    static ENGINE: OnceCell<Option<Engine>> = const { OnceCell::new() };
    /// What errors call the script.
    static NAME: RefCell<String> = const { RefCell::new(String::new()) };
    /// The reasons of rejected promises that nobody has waited for.
    static REJECTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Sets the interpreter up unless it is.
pub(crate) fn prepare() {
    with("", |_| ());
}

/// Hands out the interpreter; none if there is no memory for it.
pub(crate) fn with<R>(name: &str, f: impl FnOnce(&Engine) -> R) -> Option<R> {
    NAME.with_borrow_mut(|known| name.clone_into(known));
    ENGINE.with(|engine| engine.get_or_init(|| set_up().ok()).as_ref().map(f))
}

/// Why a promise failed that nobody has waited for.
pub(crate) fn first_unhandled() -> Option<String> {
    REJECTED.with_borrow(|reasons| reasons.first().cloned())
}

fn set_up() -> Result<Engine> {
    let runtime = Runtime::new()?;
    runtime.set_max_stack_size(STACK_BYTES);
    runtime.set_loader(NoModules, NoModules);
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
    let (answer, console) = context.with(|ctx| -> Result<_> {
        let parts: Object<'_> = ctx.eval(PRELUDE)?;
        let part = |name: &str| Ok::<_, Error>(Persistent::save(&ctx, parts.get::<_, Function<'_>>(name)?));
        Ok((part("answer")?, part("console")?))
    })?;
    // Nothing of the set-up is garbage from then on.
    runtime.run_gc();
    Ok(Engine { context, answer, console })
}

/// There is no other file: what a hook consists of is the one text that its digest stands for.
struct NoModules;

impl Resolver for NoModules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        _: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        let message = format!("`import` of {name:?}: a script is one file; bundle what it needs into it");
        Err(rquickjs::Exception::throw_syntax(ctx, &message))
    }
}

impl Loader for NoModules {
    fn load<'js>(
        &mut self,
        _: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        Err(Error::new_loading(name))
    }
}
