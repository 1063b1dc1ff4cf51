//! The module `hookbox:store`.

use super::{Bytes, Key, text};
use hookbox_sdk::store::{self, Store};
use rquickjs::function::{Func, Opt};
use rquickjs::module::{Declarations, Exports, ModuleDef};
use rquickjs::{Ctx, Error, Exception, Function, IntoJs, Object, Result, TypedArray, Value};
use std::cell::OnceCell;

/// The largest integer up to which a JavaScript number holds every integer exactly.
const MAX_SAFE: i64 = (1 << 53) - 1;

thread_local! {
    static STORE: OnceCell<Store> = const { OnceCell::new() };
}

/// The module behind `import { store } from "hookbox:store"`.
pub(crate) struct Module;

impl ModuleDef for Module {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declarations.declare("store").map(|_| ())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        exports.export("store", object(ctx)?).map(|_| ())
    }
}

fn object<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let store = Object::new(ctx.clone())?;
    store.set("get", Func::from(get))?;
    store.set("getText", Func::from(get_text))?;
    store.set("set", Func::from(set))?;
    store.set("delete", Func::from(delete))?;
    store.set("exists", Func::from(exists))?;
    store.set("keys", Func::from(keys))?;
    store.set("increment", Func::from(increment))?;
    store.set("update", Func::from(update))?;
    store.set("updateText", Func::from(update_text))?;
    store.set("getMany", Func::from(get_many))?;
    store.set("setMany", Func::from(set_many))?;
    store.set("deleteMany", Func::from(delete_many))?;
    Ok(store)
}

/// Calls a function with the store, which the first use opens.
fn with<T>(ctx: &Ctx<'_>, f: impl FnOnce(&Store) -> std::result::Result<T, store::Error>) -> Result<T> {
    try_with(ctx, |store| f(store).map_err(Fault::Store))
}

fn try_with<T>(ctx: &Ctx<'_>, f: impl FnOnce(&Store) -> std::result::Result<T, Fault>) -> Result<T> {
    super::check_open(ctx, "the store")?;
    let done = STORE.with(|opened| match opened.get() {
        Some(store) => f(store),
        None => {
            let store = store::open()?;
            f(opened.get_or_init(|| store))
        }
    });
    done.map_err(|fault| match fault {
        Fault::Store(error) => Exception::throw_message(ctx, &error.to_string()),
        Fault::Script(error) => error,
    })
}

/// The reason why an update failed.
enum Fault {
    Store(store::Error),
    /// The script threw an error.
    Script(Error),
}

impl From<store::Error> for Fault {
    fn from(error: store::Error) -> Self {
        Fault::Store(error)
    }
}

type Value8<'js> = TypedArray<'js, u8>;

fn get<'js>(ctx: Ctx<'js>, key: Key) -> Result<Option<Value8<'js>>> {
    with(&ctx, |store| store.get(&key.0))?.map(|value| TypedArray::new(ctx, value)).transpose()
}

fn get_text(ctx: Ctx<'_>, key: Key) -> Result<Option<String>> {
    with(&ctx, |store| store.get_text(&key.0))
}

fn set(ctx: Ctx<'_>, key: Key, value: Bytes) -> Result<()> {
    with(&ctx, |store| store.set(&key.0, &value.0))
}

fn delete(ctx: Ctx<'_>, key: Key) -> Result<()> {
    with(&ctx, |store| store.delete(&key.0))
}

fn exists(ctx: Ctx<'_>, key: Key) -> Result<bool> {
    with(&ctx, |store| store.exists(&key.0))
}

fn keys(ctx: Ctx<'_>) -> Result<Vec<String>> {
    with(&ctx, Store::keys)
}

fn increment(ctx: Ctx<'_>, key: Key, delta: Opt<Option<f64>>) -> Result<f64> {
    let delta = delta.0.flatten().unwrap_or(1.0);
    if delta.fract() != 0.0 || delta.abs() > MAX_SAFE as f64 {
        return Err(Exception::throw_range(&ctx, "what is added must be a safe integer"));
    }
    let sum = with(&ctx, |store| store.increment(&key.0, delta as i64))?;
    match sum.unsigned_abs() <= MAX_SAFE.unsigned_abs() {
        true => Ok(sum as f64),
        false => Err(Exception::throw_range(&ctx, &format!("the sum {sum} is not a safe integer"))),
    }
}

fn update<'js>(ctx: Ctx<'js>, key: Key, change: Function<'js>) -> Result<Value8<'js>> {
    let new = change_value(&ctx, &key, &change, |value| TypedArray::new_copy(ctx.clone(), value)?.into_js(&ctx))?;
    TypedArray::new(ctx, new)
}

fn update_text<'js>(ctx: Ctx<'js>, key: Key, change: Function<'js>) -> Result<String> {
    let what = || format!("the value of {:?}", key.0);
    let new = change_value(&ctx, &key, &change, |value| text(&ctx, value.to_vec(), &what())?.into_js(&ctx))?;
    text(&ctx, new, &what())
}

/// Replaces a value with what the script's function returns for it.
fn change_value<'js>(
    ctx: &Ctx<'js>,
    key: &Key,
    change: &Function<'js>,
    shown: impl Fn(&[u8]) -> Result<Value<'js>>,
) -> Result<Vec<u8>> {
    try_with(ctx, |store| {
        store.try_update(&key.0, |value| {
            let value = value.map(&shown).transpose().map_err(Fault::Script)?;
            let new: Bytes = change.call((value,)).map_err(Fault::Script)?;
            Ok(new.0)
        })
    })
}

fn get_many<'js>(ctx: Ctx<'js>, keys: Vec<Key>) -> Result<Vec<Option<Value8<'js>>>> {
    let values = with(&ctx, |store| store.get_many(&names(&keys)))?;
    let array = |value: Option<Vec<u8>>| value.map(|value| TypedArray::new(ctx.clone(), value)).transpose();
    values.into_iter().map(array).collect()
}

fn set_many(ctx: Ctx<'_>, entries: Vec<Entry>) -> Result<()> {
    let pairs: Vec<(&str, &[u8])> = entries.iter().map(|entry| (entry.0.0.as_str(), entry.1.0.as_slice())).collect();
    with(&ctx, |store| store.set_many(&pairs))
}

fn delete_many(ctx: Ctx<'_>, keys: Vec<Key>) -> Result<()> {
    with(&ctx, |store| store.delete_many(&names(&keys)))
}

fn names(keys: &[Key]) -> Vec<&str> {
    keys.iter().map(|key| key.0.as_str()).collect()
}

/// A key and its value, written as an array of two.
struct Entry(Key, Bytes);

impl<'js> rquickjs::FromJs<'js> for Entry {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        match value.as_array().filter(|pair| pair.len() == 2) {
            Some(pair) => Ok(Entry(pair.get(0)?, pair.get(1)?)),
            None => Err(Exception::throw_type(ctx, "an entry is an array of a key and a value")),
        }
    }
}
