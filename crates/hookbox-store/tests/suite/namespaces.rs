//! Tests that a hook never reads the state of another hook, whatever the names of hooks and keys.

use crate::support::{Temporary, kind, soon};
use hookbox_store::{Error, ErrorKind, Layer, Limits, Namespace, Scope};
use proptest::prelude::*;
use std::path::PathBuf;

fn project(path: &str) -> Layer {
    Layer::Project(PathBuf::from(path))
}

/// Returns namespaces that would be confused if their parts were joined carelessly.
fn alike() -> Vec<Namespace> {
    let session = |id| Scope::session(id).unwrap();
    let all: [(Layer, &str, Scope); 20] = [
        (Layer::user(), "hook", Scope::User),
        (Layer::user(), "hook", Scope::Shared),
        (Layer::user(), "hook", Scope::Project("user".into())),
        (Layer::user(), "hook", Scope::Project("".into())),
        (Layer::user(), "hook", session("a")),
        (Layer::user(), "hook", session("../a")),
        (Layer::user(), "hook", session("a\0")),
        (Layer::user(), "hook:a", Scope::User),
        (Layer::user(), "hook", session(":a")),
        (Layer::user(), "7:x", Scope::User),
        (Layer::user(), "7", Scope::User),
        (Layer::user(), "hook\0", Scope::User),
        (Layer::user(), "Hook", Scope::User),
        (Layer::Named("userhook".into()), "hook", Scope::User),
        (Layer::Named("use".into()), "rhook", Scope::User),
        (Layer::Named("/a".into()), "hook", Scope::User),
        (project("/a"), "hook", Scope::User),
        (project("/a"), "hook", Scope::Project("/a".into())),
        (project("/a/b"), "hook", Scope::Project("/a".into())),
        (project("/a"), "hook", Scope::Project("/a/b".into())),
    ];
    all.into_iter().map(|(layer, hook, scope)| Namespace::new(layer, hook, scope).unwrap()).collect()
}

#[tokio::test]
async fn alike_namespaces_are_apart() {
    let temporary = Temporary::new();
    let namespaces = alike();
    for (number, namespace) in namespaces.iter().enumerate() {
        let bucket = temporary.store.bucket(namespace, Limits::default(), soon());
        bucket.set("key", number.to_string().as_bytes()).await.unwrap();
    }
    for (number, namespace) in namespaces.iter().enumerate() {
        let bucket = temporary.store.bucket(namespace, Limits::default(), soon());
        assert_eq!(bucket.get("key").await.unwrap(), Some(number.to_string().into_bytes()), "{namespace}");
        assert_eq!(bucket.list_keys(None).await.unwrap().keys, ["key"]);
    }
    let mut sorted = namespaces.clone();
    sorted.sort();
    let listed: Vec<_> =
        temporary.store.usage(soon()).await.unwrap().into_iter().map(|usage| usage.namespace).collect();
    assert_eq!(listed, sorted);
    temporary.store.clear(&namespaces[0], soon()).await.unwrap();
    assert_eq!(temporary.store.usage(soon()).await.unwrap().len(), namespaces.len() - 1);
}

#[test]
fn sessions_are_hashed_and_bounded() {
    assert_eq!(kind(Scope::session("")), ErrorKind::Invalid);
    assert_eq!(kind(Scope::session(&"x".repeat(1 << 20))), ErrorKind::TooLarge);
    let scope = Scope::session("secret-id").unwrap();
    assert_eq!(scope, Scope::session("secret-id").unwrap());
    for shown in [format!("{scope}"), format!("{scope:?}")] {
        assert!(!shown.contains("secret"), "{shown}");
    }
}

#[test]
fn names_are_bounded() {
    let make = |layer, hook: &str, scope| -> Result<Namespace, Error> { Namespace::new(layer, hook, scope) };
    let long = "x".repeat(4097);
    assert_eq!(kind(make(Layer::user(), "", Scope::User)), ErrorKind::Invalid);
    assert_eq!(kind(make(Layer::user(), &long, Scope::User)), ErrorKind::TooLarge);
    assert_eq!(kind(make(project(&long), "hook", Scope::User)), ErrorKind::TooLarge);
    assert_eq!(kind(make(Layer::user(), "hook", Scope::Project(long.into()))), ErrorKind::TooLarge);
}

#[test]
fn namespaces_are_shown_to_people() {
    let namespace = Namespace::new(project("/home/me/app"), "rate\u{1b}[2J", Scope::User).unwrap();
    assert_eq!(namespace.to_string(), "rate\\u{1b}[2J (project /home/me/app; user)");
}

fn any_namespace() -> impl Strategy<Value = Namespace> {
    let layer = prop_oneof![any::<String>().prop_map(Layer::Named), any::<String>().prop_map(|path| project(&path))];
    let scope = prop_oneof![
        Just(Scope::User),
        Just(Scope::Shared),
        ".+".prop_map(|id| Scope::session(&id).unwrap()),
        any::<String>().prop_map(|path| Scope::Project(path.into()))
    ];
    (layer, ".+", scope).prop_map(|(layer, hook, scope)| Namespace::new(layer, hook, scope).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_namespace_is_listed_as_it_was_made(namespace in any_namespace()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let temporary = Temporary::new();
        let listed = runtime.block_on(async {
            temporary.store.bucket(&namespace, Limits::default(), soon()).increment("key", 1).await.unwrap();
            temporary.store.usage(soon()).await.unwrap()
        });
        prop_assert_eq!(&listed[0].namespace, &namespace);
    }
}
