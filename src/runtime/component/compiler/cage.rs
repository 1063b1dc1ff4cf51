//! The cage of the compiler's process.
//!
//! A component that takes over the compiler finds itself in a process that cannot open a file, create a socket, start a
//! program or thread, or reach another process. If the kernel lacks one part, the others still apply, and
//! `hookbox check` reports the gap.

use super::wire::CageGaps;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;

/// The number of compiler threads. Each thread reserves memory, so one per core of a large machine would use up the
/// memory limit.
pub(super) const THREADS: usize = 4;

/// Enters the first half of the cage: limits of time and output, and no access to files. This is for a newly started
/// process with a single thread.
///
/// # Errors
/// Returns an error if a limit cannot be set.
pub(super) fn enter(seconds: u64) -> io::Result<CageGaps> {
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Cpu, seconds.saturating_mul(THREADS as u64))?;
    #[cfg(target_os = "linux")]
    {
        linux::enter()
    }
    #[cfg(not(target_os = "linux"))]
    {
        Ok(CageGaps(CageGaps::SYSTEM))
    }
}

/// Enters the second half of the cage, once all input is read: starts the threads, then limits memory and allows only
/// the system calls that compiling needs.
///
/// # Errors
/// Returns an error if the threads cannot be started, or if memory cannot be limited.
pub(super) fn shut(gaps: CageGaps, bytes: u64) -> io::Result<CageGaps> {
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build_global().map_err(io::Error::other)?;
    #[cfg(target_os = "linux")]
    {
        linux::shut(gaps, bytes)
    }
    #[cfg(not(target_os = "linux"))]
    {
        // Other systems do not enforce a limit on the address space.
        let _ = bytes;
        Ok(gaps)
    }
}

fn limit(resource: Resource, most: u64) -> io::Result<()> {
    // A process may lower its limits but not raise them.
    let most = getrlimit(resource).maximum.map_or(most, |now| now.min(most));
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).map_err(Into::into)
}

#[cfg(target_os = "linux")]
mod linux {
    use super::super::super::unchecked::close_inherited;
    use super::{CageGaps, limit};
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope};
    use rustix::process::{
        DumpableBehavior, Resource, Signal, getpid, set_dumpable_behavior, set_parent_process_death_signal,
    };
    use rustix::thread::{gettid, set_no_new_privs};
    use seccompiler::{
        BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
        apply_filter_all_threads,
    };
    use std::collections::BTreeMap;
    use std::io;

    pub(super) fn enter() -> io::Result<CageGaps> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // Other processes of the user must not read this process's memory either, and a crash must not leave a core
        // dump.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        set_no_new_privs(true)?;
        close_inherited();
        let gaps = match no_files() {
            Ok(RulesetStatus::NotEnforced) | Err(_) => CageGaps(CageGaps::LANDLOCK),
            Ok(_) => CageGaps::default(),
        };
        // After this, nothing can be opened, with or without landlock.
        limit(Resource::Nofile, 0)?;
        Ok(gaps)
    }

    /// Denies all access to files, and whatever else this kernel's landlock supports: TCP, abstract sockets, signals to
    /// other processes. This applies to the calling thread and the threads that it starts.
    fn no_files() -> Result<RulesetStatus, RulesetError> {
        let abi = ABI::V7;
        let ruleset = Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .scope(Scope::from_all(abi))?;
        Ok(ruleset.create()?.restrict_self()?.ruleset)
    }

    pub(super) fn shut(gaps: CageGaps, bytes: u64) -> io::Result<CageGaps> {
        // Once a thread has answered, it has finished its startup work.
        let threads: Vec<i32> = rayon::broadcast(|_| gettid()).into_iter().chain([gettid()]).map(raw).collect();
        // The limit comes after the start of the threads: while a thread starts, glibc maps twice the memory that the
        // thread will keep, so starting it under the limit could fail.
        limit(Resource::As, bytes)?;
        // With several filters, the strictest result applies. A call that no filter lists kills the process, so a
        // compiler that misbehaves does not continue.
        let installed = only_compiling(&threads)
            .and_then(|filters| filters.iter().try_for_each(|filter| apply_filter_all_threads(filter)));
        Ok(match installed {
            Ok(()) => gaps,
            Err(_) => CageGaps(gaps.0 | CageGaps::SECCOMP),
        })
    }

    fn raw(thread: rustix::thread::Pid) -> i32 {
        thread.as_raw_nonzero().get()
    }

    type Calls = BTreeMap<i64, Vec<SeccompRule>>;

    fn only_compiling(threads: &[i32]) -> Result<[BpfProgram; 2], Error> {
        let allowed = allowed(threads)?;
        Ok([
            filter(probes(), SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32))?,
            filter(allowed, SeccompAction::KillProcess, SeccompAction::Allow)?,
        ])
    }

    fn filter(calls: Calls, others: SeccompAction, these: SeccompAction) -> Result<BpfProgram, Error> {
        let arch = std::env::consts::ARCH.try_into()?;
        Ok(SeccompFilter::new(calls, others, these, arch)?.try_into()?)
    }

    /// Returns the calls that C libraries try on their own and can do without: glibc's `free` reads `/proc/sys/vm` when
    /// it returns memory, and its `malloc` may count processors in `/sys`. These calls fail rather than kill the
    /// process.
    fn probes() -> Calls {
        let calls = [
            libc::SYS_openat,
            #[cfg(target_arch = "x86_64")]
            libc::SYS_open,
        ];
        calls.map(|call| (call, Vec::new())).into()
    }

    /// Returns the calls that compiling needs: memory that is never executable, locks of its threads, the clock, random
    /// seeds for hash tables, the reply, and a way to exit. On no system can these calls open a file, reach another
    /// process or start anything.
    fn allowed(threads: &[i32]) -> Result<Calls, Error> {
        let mut calls = probes();
        let plain = [
            // Memory.
            libc::SYS_munmap,
            libc::SYS_mremap,
            libc::SYS_madvise,
            libc::SYS_brk,
            // Existing threads.
            libc::SYS_futex,
            libc::SYS_sched_yield,
            libc::SYS_sched_getaffinity,
            libc::SYS_getpid,
            libc::SYS_gettid,
            libc::SYS_restart_syscall,
            // Time and random numbers.
            libc::SYS_clock_gettime,
            libc::SYS_nanosleep,
            libc::SYS_clock_nanosleep,
            libc::SYS_getrandom,
            // Signal handlers, which report a crash as what it was.
            libc::SYS_rt_sigaction,
            libc::SYS_rt_sigprocmask,
            libc::SYS_rt_sigreturn,
            libc::SYS_sigaltstack,
            // Exit.
            libc::SYS_exit,
            libc::SYS_exit_group,
        ];
        calls.extend(plain.map(|call| (call, Vec::new())));
        let not_executable = || argument(2, SeccompCmpOp::MaskedEq(libc::PROT_EXEC as u64), 0);
        calls.insert(libc::SYS_mmap, vec![not_executable()?]);
        calls.insert(libc::SYS_mprotect, vec![not_executable()?]);
        let stdout_or_stderr = [1, 2].map(|fd| argument(0, SeccompCmpOp::Eq, fd));
        calls.insert(libc::SYS_write, stdout_or_stderr.into_iter().collect::<Result<_, _>>()?);
        // `abort` ends the process with one of these calls: which one differs between glibc and musl. No other process
        // can be the target.
        let itself = id(getpid().as_raw_nonzero().get());
        calls.insert(libc::SYS_tgkill, vec![argument(0, SeccompCmpOp::Eq, itself)?]);
        let threads = threads.iter().map(|thread| argument(0, SeccompCmpOp::Eq, id(*thread)));
        calls.insert(libc::SYS_tkill, threads.collect::<Result<_, _>>()?);
        Ok(calls)
    }

    fn id(raw: i32) -> u64 {
        u64::from(raw.unsigned_abs())
    }

    /// Returns a rule that matches calls whose argument `number`, as 32 bits, meets the condition.
    fn argument(number: u8, is: SeccompCmpOp, value: u64) -> Result<SeccompRule, Error> {
        let condition = SeccompCondition::new(number, SeccompCmpArgLen::Dword, is, value)?;
        Ok(SeccompRule::new(vec![condition])?)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
