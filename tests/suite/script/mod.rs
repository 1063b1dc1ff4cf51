//! Hooks written as plain JavaScript.

mod answers;
mod command_line;
mod config;
mod faults;
mod limits;
mod powers;
mod types;

use crate::support::bash;
use hookbox::runtime::component::{Cache, Compiler, ComponentFile, ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Code, Event, HookInfo, Input, Json, Outcome, Registry, Verdict};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// The sandbox that all tests share. The script runner takes seconds to compile if the compiler is not optimised, so it
/// is compiled once.
pub static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new(Compiler::in_process_for_trusted_bytes()).unwrap().cached_in(Arc::new(cache())));

pub fn cache() -> Cache {
    Cache::new(&shared("cache").join("hookbox"), shared("state").join("hookbox"))
}

/// Returns a directory that outlives the test.
pub fn shared(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("scripts").join(name);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// A script, and how to run it.
struct Script {
    source: String,
    event: Event,
    limits: Limits,
    grants: Grants,
    timeout: Duration,
    settings: Option<Json>,
}

impl Script {
    fn new(source: &str) -> Self {
        Script {
            source: source.to_owned(),
            event: Event::PreTool,
            limits: Limits::default(),
            grants: Grants::default(),
            timeout: Duration::from_secs(20),
            settings: None,
        }
    }

    /// Creates a script whose hook has this body.
    fn body(body: &str) -> Self {
        Script::new(&format!("export default function (input, settings) {{ {body} }}"))
    }

    /// Returns the hook, called `hook.js`.
    fn hook(&self) -> ComponentHook {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hook.js");
        std::fs::write(&path, &self.source).unwrap();
        let file = ComponentFile::open(&path).unwrap();
        let prepared = SANDBOX.prepare_script(&file, None, self.grants.clone(), self.limits).unwrap();
        let mut info = HookInfo::new("script", [self.event]);
        info.timeout = Some(self.timeout);
        ComponentHook::new(info, prepared, self.settings.clone())
    }

    async fn ask(&self, input: Input) -> Outcome {
        let registry = Registry::new();
        registry.register(self.hook()).unwrap();
        registry.run(input).await
    }

    /// Returns the hook's answer to a harmless command.
    async fn answer(&self) -> Outcome {
        self.ask(bash("ls")).await
    }

    /// Returns the code and the message of the hook's failure.
    #[track_caller]
    fn failure(&self) -> (Code, String) {
        let outcome = block_on(self.answer());
        let failure = outcome.hooks[0].failure.clone().unwrap_or_else(|| panic!("did not fail: {outcome:?}"));
        assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
        (failure.code, failure.message)
    }

    /// Returns the reason of the hook's deny.
    #[track_caller]
    fn reason(&self) -> String {
        let outcome = block_on(self.answer());
        assert_eq!(outcome.hooks[0].code, None, "{outcome:?}");
        outcome.reason.unwrap_or_else(|| panic!("did not deny"))
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap().block_on(future)
}
