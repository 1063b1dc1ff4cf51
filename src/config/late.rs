//! A hook whose component was still being compiled when it was loaded.

use crate::policy::Policy;
use crate::protocol::{Action, Answer, Code, Failure, Input, Json, Kind};
use crate::runtime::component::{ComponentFile, ComponentHook, Grants, Limits, Prepared, Sandbox};
use crate::runtime::{Caller, Hook, HookInfo};
use async_trait::async_trait;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often to check whether the component is compiled.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What a hook in a sandbox runs.
pub(super) enum Runs {
    Component(ComponentFile),
    Script(ComponentFile),
    Policy(&'static Policy),
}

impl Runs {
    const fn kind(&self) -> Kind {
        match self {
            Runs::Component(_) | Runs::Policy(_) => Kind::Component,
            Runs::Script(_) => Kind::Script,
        }
    }

    /// Returns how messages name the target.
    fn name(&self) -> String {
        match self {
            Runs::Component(file) | Runs::Script(file) => format!("`{}`", file.path().display()),
            Runs::Policy(policy) => format!("the policy `{}`", policy.name),
        }
    }
}

/// Everything needed to prepare the component of a hook.
pub(super) struct Preparation {
    pub(super) sandbox: Sandbox,
    pub(super) runs: Runs,
    pub(super) pin: Option<String>,
    pub(super) grants: Grants,
    pub(super) limits: Limits,
}

impl Preparation {
    pub(super) fn prepare(&self) -> Result<Prepared, Failure> {
        self.prepare_in(&self.sandbox)
    }

    fn prepare_in(&self, sandbox: &Sandbox) -> Result<Prepared, Failure> {
        let pin = self.pin.as_deref();
        let prepared = match &self.runs {
            Runs::Component(file) => sandbox.prepare_file(file, pin, self.grants.clone(), self.limits),
            Runs::Script(file) => sandbox.prepare_script(file, pin, self.grants.clone(), self.limits),
            Runs::Policy(policy) => sandbox.prepare_policy(policy, pin, self.limits),
        };
        prepared.map_err(|failure| {
            let message = format!("cannot run: {} {}", self.runs.name(), failure.message);
            failure.with_message(message)
        })
    }

    /// Returns whether a later call may find the component compiled.
    pub(super) fn may_come(&self, failure: &Failure) -> bool {
        failure.code == Code::Compile && self.sandbox.compiles_in_background()
    }
}

/// A hook that denies until its component is compiled, and then runs it. A process for one event does not use this: its
/// hook is refused, and the next process finds the component compiled.
pub(super) struct LateHook {
    info: HookInfo,
    settings: Option<Json>,
    preparation: Preparation,
    hook: OnceLock<ComponentHook>,
    /// The time of the last check, and the failure that it found.
    looked: Mutex<(Instant, Failure)>,
}

impl LateHook {
    pub(super) fn new(info: HookInfo, settings: Option<Json>, preparation: Preparation, failure: Failure) -> Self {
        let looked = Mutex::new((Instant::now(), failure));
        LateHook { info, settings, preparation, hook: OnceLock::new(), looked }
    }

    fn hook(&self) -> Result<&ComponentHook, Failure> {
        if let Some(hook) = self.hook.get() {
            return Ok(hook);
        }
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.0.elapsed() < LOOK_EVERY {
            return self.hook.get().ok_or_else(|| looked.1.clone());
        }
        let prepared = self.preparation.prepare_in(&self.preparation.sandbox.without_waiting());
        match prepared {
            Ok(prepared) => {
                Ok(self.hook.get_or_init(|| ComponentHook::new(self.info.clone(), prepared, self.settings.clone())))
            }
            Err(failure) => {
                *looked = (Instant::now(), failure.clone());
                Err(failure)
            }
        }
    }
}

#[async_trait]
impl Hook for LateHook {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        self.hook()?.run(input).await
    }

    async fn answer(&self, input: &Input, caller: &Caller) -> Answer {
        match self.hook() {
            Ok(hook) => hook.answer(input, caller).await,
            Err(failure) => Err(failure).into(),
        }
    }

    async fn finish(&self) {
        if let Some(hook) = self.hook.get() {
            hook.finish().await;
        }
    }

    fn kind(&self) -> Kind {
        self.preparation.runs.kind()
    }

    /// Returns whether the hook is pure even before its component is ready, because that may happen in the middle of an
    /// event.
    fn is_pure(&self) -> bool {
        self.preparation.grants.is_empty()
    }
}
