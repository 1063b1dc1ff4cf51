//! The function that a component must export.

use crate::protocol::{Code, Failure};
use wasmtime::Engine;
use wasmtime::component::types::{ComponentFunc, ComponentItem, Type};
use wasmtime::component::{Component, ComponentExportIndex};

/// The prefix that the names of all compatible versions of the hook interface share.
const INTERFACE: &str = "hookbox:hook/hook@0.1.";
const FUNCTION: &str = "run";
const SIGNATURE: &str = "func(input: string) -> result<string, string>";

/// Finds the function `run`.
///
/// # Errors
/// Returns a failure if `run` is missing or has another type.
pub(super) fn find_run(component: &Component, engine: &Engine) -> Result<ComponentExportIndex, Failure> {
    let ty = component.component_type();
    let Some((name, instance)) = ty.exports(engine).find_map(|(name, item)| match item.ty {
        ComponentItem::ComponentInstance(instance) if is_hook(name) => Some((name, instance)),
        _ => None,
    }) else {
        return Err(missing(&names(component, engine)));
    };
    let function = match instance.get_export(engine, FUNCTION).map(|item| item.ty) {
        Some(ComponentItem::ComponentFunc(function)) => function,
        _ => return Err(Failure::new(Code::Export, format!("exports `{name}` without `{FUNCTION}: {SIGNATURE}`"))),
    };
    if !is_run(&function) {
        return Err(Failure::new(
            Code::Export,
            format!("exports `{FUNCTION}` as {}; a hook needs {SIGNATURE}", describe(&function)),
        ));
    }
    let index = component
        .get_export_index(None, name)
        .and_then(|interface| component.get_export_index(Some(&interface), FUNCTION));
    index.ok_or_else(|| missing(&names(component, engine)))
}

/// Returns whether this is the hook interface in a compatible version.
fn is_hook(name: &str) -> bool {
    name.strip_prefix(INTERFACE).is_some_and(|patch| patch.parse::<u32>().is_ok())
}

/// Returns the names of all exports.
pub(super) fn names(component: &Component, engine: &Engine) -> Vec<String> {
    component.component_type().exports(engine).map(|(name, _)| name.to_owned()).collect()
}

fn missing(exports: &[String]) -> Failure {
    let exports = match exports {
        [] => "nothing".to_owned(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    };
    Failure::new(
        Code::Export,
        format!(
            "does not export `hookbox:hook/hook@0.1.0`, but {exports}: build it for the world `hookbox:hook/policy`"
        ),
    )
}

fn is_run(function: &ComponentFunc) -> bool {
    let params: Vec<Type> = function.params().map(|(_, ty)| ty).collect();
    let results: Vec<Type> = function.results().collect();
    let result = match results.as_slice() {
        [Type::Result(result)] => result,
        _ => return false,
    };
    matches!(params.as_slice(), [Type::String])
        && matches!((result.ok(), result.err()), (Some(Type::String), Some(Type::String)))
        && !function.async_()
}

fn describe(function: &ComponentFunc) -> String {
    let params: Vec<String> = function.params().map(|(_, ty)| spell(&ty)).collect();
    let results: Vec<String> = function.results().map(|ty| spell(&ty)).collect();
    let prefix = if function.async_() { "async func" } else { "func" };
    match results.as_slice() {
        [] => format!("{prefix}({})", params.join(", ")),
        results => format!("{prefix}({}) -> {}", params.join(", "), results.join(", ")),
    }
}

/// Returns the type in WIT syntax, in enough detail for an author to see the difference.
fn spell(ty: &Type) -> String {
    let side = |ty: Option<Type>| ty.map_or_else(|| "_".to_owned(), |ty| spell(&ty));
    match ty {
        Type::List(list) => format!("list<{}>", spell(&list.ty())),
        Type::Option(option) => format!("option<{}>", spell(&option.ty())),
        Type::Result(result) => format!("result<{}, {}>", side(result.ok()), side(result.err())),
        Type::Float32 => "f32".to_owned(),
        Type::Float64 => "f64".to_owned(),
        Type::Record(_) => "record".to_owned(),
        Type::Tuple(_) => "tuple".to_owned(),
        Type::Variant(_) => "variant".to_owned(),
        Type::Enum(_) => "enum".to_owned(),
        Type::Flags(_) => "flags".to_owned(),
        simple => format!("{simple:?}").to_lowercase(),
    }
}
