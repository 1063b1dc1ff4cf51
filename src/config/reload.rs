//! Keeps the hooks of a long-lived program in step with their config.

use super::loaded::Loaded;
use super::loader::Loader;
use super::problem::Problem;
use super::stamp::Stamps;
use crate::protocol::{Code, Failure, Input, Outcome};
use crate::registry::{Refresh, Refreshed, Registry};
use arc_swap::ArcSwap;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::watch;

/// How long events may rely on the last check of the files. A check takes microseconds, but a check for each event
/// would cost more than a pure hook.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How long to wait after a change before reading the files, so that an editor or an unpacking archive is not caught
/// halfway.
const SETTLE: Duration = Duration::from_millis(50);

/// The maximum wait for files that keep changing.
const MAX_SETTLE: Duration = Duration::from_millis(500);

/// The hooks of a registry, reloaded when their config, a file that it names, or the trust in it changes.
///
/// * A change is noticed immediately if the system reports it, and in any case before the first event that begins a
///   second or more after the change. That event waits until the new hooks are in place.
/// * New hooks are built while the old ones are in use, and replace them in one step. Events in progress finish with
///   the hooks that they started with.
/// * An edit that cannot be used (a config with an error, a component that does not compile) leaves the hooks as they
///   were, and is reported. A pin, permission or trust that no longer holds is different: the hook denies or is left
///   out, as in a newly started process.
/// * A config that became empty takes effect only after two seconds, because a program that writes a file may empty it
///   first.
/// * Hooks that the program registered itself are kept, after those of the config.
///
/// All loads share one sandbox, with its pools and threads.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use hookbox::config::Reload;
/// use hookbox::{Host, Input};
///
/// let loader = Host::new(std::env::current_dir()?, std::env::vars_os()).loader()?;
/// let hooks = Reload::start(loader, |reloaded| {
///     for problem in &reloaded.problems {
///         eprintln!("{problem}");
///     }
/// })?;
/// let outcome = hooks.run(Input::pre_tool("bash", r#"{"command":"ls"}"#)?).await;
/// # Ok(()) }
/// ```
pub struct Reload {
    shared: Arc<Shared>,
    orders: Sender<Order>,
    thread: Option<JoinHandle<()>>,
}

/// The result of a reload.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reloaded {
    /// How many times the hooks have been loaded, including the first time.
    pub version: u64,
    /// The number of hooks that the config has now.
    pub hooks: usize,
    /// The names of the hooks that still run as they were, because the edit cannot be used.
    pub kept: Vec<String>,
    /// What is wrong with the config.
    pub problems: Vec<Problem>,
    /// How long the reload took. No event waited for it, except possibly the first one after the change.
    pub took: Duration,
}

/// An order to the thread. Each variant covers those before it, so of several orders only the last in this list counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// Files may have changed.
    Look,
    /// Files have changed, or the program asked for a reload.
    Load,
    Stop,
}

struct Shared {
    loader: Loader,
    registry: Arc<Registry>,
    current: ArcSwap<Loaded>,
    orders: Sender<Order>,
    started: Instant,
    /// The time until which no event needs to check the files, in milliseconds since `started`.
    next_look: AtomicU64,
    /// The state of the files when they were read.
    stamps: Mutex<Stamps>,
    /// Whether a file may have changed while it was read.
    is_uncertain: AtomicBool,
    /// The number of loads ordered so far.
    ordered: AtomicU64,
    /// The number of the last order that a finished load covers because the load began after the order. The channel
    /// closes if the thread panics.
    covered: watch::Receiver<u64>,
}

impl Reload {
    /// Loads the hooks, and keeps them in step with their config until the returned value is dropped. `told` is called
    /// from a separate thread after every later load.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn start(loader: Loader, told: impl Fn(&Reloaded) + Send + 'static) -> std::io::Result<Self> {
        let began = SystemTime::now();
        let loaded = loader.load_with(Some(&[]));
        let stamps = loader.stamps(&loaded);
        let is_uncertain = AtomicBool::new(stamps.any_changed_since(began));
        let registry = Arc::new(Registry::with_rule(loader.dialect.rule()));
        registry.adopt(&loaded.registry, &Registry::new());
        let (orders, received) = channel();
        let (covers, covered) = watch::channel(0);
        let shared = Arc::new(Shared {
            loader,
            registry: Arc::clone(&registry),
            current: ArcSwap::from_pointee(loaded),
            orders: orders.clone(),
            started: Instant::now(),
            next_look: AtomicU64::new(0),
            stamps: Mutex::new(stamps),
            is_uncertain,
            ordered: AtomicU64::new(0),
            covered,
        });
        let worker = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("hookbox-reload".to_owned())
            .spawn(move || worker.serve(&received, &covers, &told))?;
        registry.refresh_by(Some(Arc::clone(&shared) as Arc<dyn Refresh>));
        Ok(Reload { shared, orders, thread: Some(thread) })
    }

    /// Returns the registry, whose hooks change with the config.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        &self.shared.registry
    }

    /// Returns the result of the last load: the hooks, and what is wrong with the config.
    #[must_use]
    pub fn current(&self) -> Arc<Loaded> {
        self.shared.current.load_full()
    }

    /// Asks the hooks about an event, as [`Loaded::run`] does.
    pub async fn run(&self, input: impl Into<Box<Input>>) -> Outcome {
        let mut outcome = self.shared.registry.run(input).await;
        self.shared.current.load().add_problems(&mut outcome);
        outcome
    }

    /// Reloads the hooks, even if nothing changed, and waits until they are in place.
    pub async fn reload(&self) {
        // The thread only ends early if it panics, and then every gating event denies.
        if let Ok(loaded) = self.shared.order_load() {
            let _ = loaded.await;
        }
    }
}

impl Drop for Reload {
    fn drop(&mut self) {
        self.shared.registry.refresh_by(None);
        let _ = self.orders.send(Order::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Refresh for Shared {
    fn check(&self) -> Result<Option<Refreshed>, Failure> {
        if self.now() < self.next_look.load(Ordering::Acquire) {
            return Ok(None);
        }
        if self.has_changed() {
            return self.order_load().map(Some);
        }
        self.put_off_look();
        Ok(None)
    }
}

impl Shared {
    /// Returns the milliseconds since the start.
    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn put_off_look(&self) {
        let next = self.now().saturating_add(LOOK_EVERY.as_secs() * 1000);
        self.next_look.store(next, Ordering::Release);
    }

    fn has_changed(&self) -> bool {
        self.is_uncertain.load(Ordering::Acquire) || self.have_stamps_changed()
    }

    fn have_stamps_changed(&self) -> bool {
        let stamps = self.loader.stamps(&self.current.load());
        *self.stamps() != stamps
    }

    fn stamps(&self) -> MutexGuard<'_, Stamps> {
        self.stamps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Orders a reload and returns a future that waits for it. A load that is already in progress does not count,
    /// because it may have read the files before they changed.
    ///
    /// # Errors
    /// Returns an error if the thread has ended.
    fn order_load(&self) -> Result<Refreshed, Failure> {
        let number = self.ordered.fetch_add(1, Ordering::AcqRel) + 1;
        self.orders.send(Order::Load).map_err(|_| lost())?;
        let mut covered = self.covered.clone();
        Ok(Box::pin(async move { covered.wait_for(|last| *last >= number).await.map(drop).map_err(|_| lost()) }))
    }

    /// Reloads the hooks whenever their files change, until the thread is told to stop.
    fn serve(&self, orders: &Receiver<Order>, covers: &watch::Sender<u64>, told: &dyn Fn(&Reloaded)) {
        let mut watch = Watch::new(&self.orders);
        self.watch(&mut watch);
        let mut version = 1;
        loop {
            let is_passing = self.current.load().is_passing;
            match self.next_order(orders, watch.is_complete && !is_passing) {
                Order::Stop => {
                    // Waiting events run the hooks that are in place.
                    covers.send_replace(u64::MAX);
                    return;
                }
                Order::Look if !is_passing && !self.has_changed() => {
                    // The directory of a file that does not exist yet may have been created.
                    self.watch(&mut watch);
                    continue;
                }
                Order::Look | Order::Load => {}
            }
            let number = self.ordered.load(Ordering::Acquire);
            version += 1;
            let reloaded = Reloaded { version, ..self.load() };
            self.watch(&mut watch);
            covers.send_replace(number);
            if catch_unwind(AssertUnwindSafe(|| told(&reloaded))).is_err() {
                tracing::error!("what is told of reloads panicked");
            }
        }
    }

    /// Watches the directories of the files. The system does not report a change made before it watched them, so this
    /// looks for one.
    fn watch(&self, watch: &mut Watch) {
        watch.set(self.stamps().directories());
        if self.have_stamps_changed() {
            // Fails only if the receiver is already gone.
            let _ = self.orders.send(Order::Look);
        }
    }

    /// Waits for an order. Orders that arrive together are handled together, so a program that writes many files causes
    /// one reload.
    fn next_order(&self, orders: &Receiver<Order>, is_watched: bool) -> Order {
        let first = match is_watched {
            true => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
            // The system may not report every change, so the thread checks the files itself.
            false => orders.recv_timeout(LOOK_EVERY),
        };
        let first = match first {
            Ok(Order::Look) => {
                thread::sleep(SETTLE);
                Order::Look
            }
            Ok(order) => order,
            Err(RecvTimeoutError::Timeout) => Order::Look,
            Err(RecvTimeoutError::Disconnected) => Order::Stop,
        };
        orders.try_iter().fold(first, Order::max)
    }

    /// Waits until no program is writing the files. A config that is cut off between two hooks looks complete.
    fn wait_for_rest(&self) {
        let end = Instant::now() + MAX_SETTLE;
        let has_just_changed = || {
            let stamps = self.loader.stamps(&self.current.load());
            stamps.any_changed_since(SystemTime::now().checked_sub(SETTLE).unwrap_or(SystemTime::UNIX_EPOCH))
        };
        while Instant::now() < end && has_just_changed() {
            thread::sleep(SETTLE / 5);
        }
    }

    fn load(&self) -> Reloaded {
        self.wait_for_rest();
        let (started, began) = (Instant::now(), SystemTime::now());
        let before = self.current.load_full();
        let loaded = self.loader.load_with(Some(&before.built));
        let stamps = self.loader.stamps(&loaded);
        // A file that changed while it was read may have been read in its old form, so it is read again at the next
        // check.
        self.is_uncertain.store(stamps.any_changed_since(began), Ordering::Release);
        *self.stamps() = stamps;
        self.registry.adopt(&loaded.registry, &before.registry);
        let (hooks, kept, problems) = (loaded.hooks.len(), loaded.kept.clone(), loaded.problems.clone());
        self.current.store(Arc::new(loaded));
        self.put_off_look();
        Reloaded { version: 0, hooks, kept, problems, took: started.elapsed() }
    }
}

/// Creates the failure that denies an event whose hooks can no longer follow their config.
fn lost() -> Failure {
    Failure::new(Code::Internal, "the thread that follows the config has ended: restart the program")
}

/// The directories that the system watches for changes.
struct Watch {
    watcher: Option<RecommendedWatcher>,
    directories: BTreeSet<PathBuf>,
    /// Whether the system watches all of them.
    is_complete: bool,
}

impl Watch {
    fn new(orders: &Sender<Order>) -> Self {
        let orders = orders.clone();
        let watcher = notify::recommended_watcher(move |_: notify::Result<notify::Event>| {
            // Fails only if the receiver is already gone.
            let _ = orders.send(Order::Look);
        });
        let watcher = watcher.inspect_err(|error| tracing::warn!("files are not watched: {error}")).ok();
        Watch { watcher, directories: BTreeSet::new(), is_complete: false }
    }

    fn set(&mut self, directories: BTreeSet<PathBuf>) {
        let Some(watcher) = &mut self.watcher else { return };
        for gone in self.directories.difference(&directories) {
            let _ = watcher.unwatch(gone);
        }
        let mut watched = BTreeSet::new();
        for directory in &directories {
            // A directory that was removed and recreated must be watched again. For the others this is harmless.
            match watcher.watch(directory, RecursiveMode::NonRecursive) {
                Ok(()) => drop(watched.insert(directory.clone())),
                Err(error) => tracing::debug!("`{}` is not watched: {error}", directory.display()),
            }
        }
        self.is_complete = watched.len() == directories.len();
        self.directories = watched;
    }
}
