//! The interface between the hook and the engine: the canonical ABI of `hookbox:hook/hook`, and the allocator for an
//! instance that lives for one call.
#![allow(unsafe_code, reason = "the engine hands over text by address and length")]

use std::alloc::Layout;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// The return value of `run`: `result<string, string>` in memory.
#[derive(Debug)]
#[repr(C)]
pub struct Answer {
    /// 0 for an Action, 1 for an error.
    tag: u32,
    address: *mut u8,
    length: usize,
}

/// The encoded world `policy` of `wit/hook.wit`, which tells the linker what the exports mean.
pub const WORLD: [u8; 144] = *b"\0asm\x0d\0\x01\0\0\x19\x16wit-component-encoding\x04\0\x07]\x01A\x02\x01A\x02\
\x01B\x03\x01j\x01s\x01s\x01@\x01\x05inputs\0\0\x04\0\x03run\x01\x01\x04\0\x17hookbox:hook/hook@0.1.0\x05\0\
\x04\0\x19hookbox:hook/policy@0.1.0\x04\0\x0b\x0c\x01\0\x06policy\x03\0\0";

/// The encoded worlds with the imports of each power.
#[doc(hidden)]
pub mod powers {
    /// The imports of `log`.
    #[cfg(feature = "log")]
    pub const LOG: [u8; include_bytes!("powers/log.bin").len()] = *include_bytes!("powers/log.bin");
    /// The imports of `store`.
    #[cfg(feature = "store")]
    pub const STORE: [u8; include_bytes!("powers/store.bin").len()] = *include_bytes!("powers/store.bin");
    /// The imports of `http`.
    #[cfg(feature = "http")]
    pub const HTTP: [u8; include_bytes!("powers/http.bin").len()] = *include_bytes!("powers/http.bin");
}

/// Defines a macro that tells the linker what the imports of a power mean. Without the feature, that macro does
/// nothing.
macro_rules! power {
    ($feature:literal, $name:ident, $world:ident, $section:literal) => {
        #[cfg(feature = $feature)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            () => {
                #[allow(unsafe_code, reason = "a section of its own, which the linker reads and drops")]
                #[unsafe(link_section = $section)]
                #[used]
                static $world: [u8; $crate::wasm::powers::$world.len()] = $crate::wasm::powers::$world;
            };
        }

        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            () => {};
        }
    };
}

power!("log", __import_log, LOG, "component-type:hookbox:log:encoded world");
power!("store", __import_store, STORE, "component-type:hookbox:store:encoded world");
power!("http", __import_http, HTTP, "component-type:hookbox:http:encoded world");

/// Defines the exports that [`hook!`](crate::hook) adds to a component.
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($answer:ident) => {
        #[allow(unsafe_code, reason = "an export has a name that the linker does not check")]
        #[unsafe(export_name = "hookbox:hook/hook@0.1.0#run")]
        unsafe extern "C" fn run(address: *mut u8, length: usize) -> *const $crate::wasm::Answer {
            PANIC.listen();
            // SAFETY: the engine calls this by the canonical ABI.
            unsafe { $crate::wasm::run(address, length, $answer) }
        }

        #[allow(unsafe_code, reason = "as above")]
        #[unsafe(export_name = "hookbox_panic")]
        pub static PANIC: $crate::wasm::Panic = $crate::wasm::Panic::new();

        #[allow(unsafe_code, reason = "as above")]
        #[unsafe(export_name = "cabi_realloc")]
        unsafe extern "C" fn realloc(old: *mut u8, old_size: usize, align: usize, new_size: usize) -> *mut u8 {
            // SAFETY: the engine calls this by the canonical ABI.
            unsafe { $crate::wasm::realloc(old, old_size, align, new_size) }
        }

        #[allow(unsafe_code, reason = "a section of its own, which the linker reads and drops")]
        #[unsafe(link_section = "component-type:hookbox:hook@0.1.0:policy:encoded world")]
        #[used]
        static WORLD: [u8; $crate::wasm::WORLD.len()] = $crate::wasm::WORLD;

        $crate::__import_log!();
        $crate::__import_store!();
        $crate::__import_http!();
    };
}

/// The longest panic message that the engine passes on, in bytes.
const LONGEST: usize = 1024;

/// The location of a panic's message. A panic is a trap, after which no code of the hook runs, but the engine can still
/// read this: the module exports its address as `hookbox_panic`. It is small, because every call initializes it anew.
#[derive(Debug)]
#[repr(C)]
pub struct Panic {
    length: AtomicU32,
    address: AtomicPtr<u8>,
}

impl Panic {
    /// Creates a value without a message.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "there is one, and it is static")]
    pub const fn new() -> Self {
        Panic { length: AtomicU32::new(0), address: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// Installs a panic hook that stores the message of a panic, with its location in the source.
    pub fn listen(&'static self) {
        std::panic::set_hook(Box::new(|panic| {
            let words = panic.payload_as_str().unwrap_or("a value that is no text");
            let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
            self.keep(format!("{words}{place}"));
        }));
    }

    fn keep(&self, text: String) {
        // The location is at the end, and matters most.
        let skipped = text.len().saturating_sub(LONGEST);
        let kept = text.into_bytes().split_off(skipped).leak();
        self.length.store(kept.len() as u32, Ordering::Relaxed);
        self.address.store(kept.as_mut_ptr(), Ordering::Relaxed);
    }
}

/// Takes ownership of the Input and returns the answer.
///
/// # Safety
/// `address` and `length` must describe a text for which [`realloc`] made room, and which nothing else uses.
pub unsafe fn run(
    address: *mut u8,
    length: usize,
    answer: impl FnOnce(&'static str) -> Result<String, String>,
) -> *const Answer {
    let input = if length == 0 {
        String::new()
    } else {
        // SAFETY: the engine filled the room that it requested with UTF-8, as the canonical ABI requires.
        unsafe { String::from_raw_parts(address, length, length) }
    };
    // Leaked, like the answer below: the instance ends with the call.
    let (tag, text) = match answer(input.leak()) {
        Ok(action) => (0, action),
        Err(error) => (1, error),
    };
    let text = Box::leak(text.into_bytes().into_boxed_slice());
    Box::leak(Box::new(Answer { tag, address: text.as_mut_ptr(), length: text.len() }))
}

/// Allocates room for data from the engine.
///
/// # Safety
/// `old` must be null, or returned by this function for a size of `old_size` and the same alignment.
pub unsafe fn realloc(old: *mut u8, old_size: usize, align: usize, new_size: usize) -> *mut u8 {
    if new_size == 0 {
        return std::ptr::without_provenance_mut(align);
    }
    let Ok(layout) = Layout::from_size_align(new_size, align) else {
        std::process::abort();
    };
    let room = if old_size == 0 {
        // SAFETY: the size is not 0.
        unsafe { std::alloc::alloc(layout) }
    } else {
        // SAFETY: guaranteed by the caller; a size and an alignment that once formed a layout still do.
        unsafe { std::alloc::realloc(old, Layout::from_size_align_unchecked(old_size, align), new_size) }
    };
    if room.is_null() {
        std::alloc::handle_alloc_error(layout);
    }
    room
}

#[cfg(all(feature = "bump", target_os = "unknown"))]
mod bump {
    use std::alloc::{GlobalAlloc, Layout};
    use std::arch::wasm32::{memory_grow, memory_size};
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const PAGE_BYTES: usize = 64 << 10;

    #[global_allocator]
    static ALLOCATOR: Bump = Bump { next: AtomicUsize::new(0), end: AtomicUsize::new(0) };

    unsafe extern "C" {
        /// The end of the linker's data, where the memory's slack begins.
        static __heap_base: u8;
    }

    /// A bump allocator that does not reuse memory: all of it is freed with the call, so searching for free room would
    /// be wasted work.
    struct Bump {
        next: AtomicUsize,
        end: AtomicUsize,
    }

    impl Bump {
        /// Takes a block from the end of the used memory, and grows the memory if necessary. There is only one thread,
        /// so loads and stores need no ordering.
        fn take(&self, size: usize, align: usize) -> Option<usize> {
            let mut next = self.next.load(Ordering::Relaxed);
            if next == 0 {
                next = (&raw const __heap_base).addr();
                self.end.store(memory_size(0) * PAGE_BYTES, Ordering::Relaxed);
            }
            // An alignment is a power of two, which `next_multiple_of` would divide by.
            let start = next.checked_add(align - 1)? & !(align - 1);
            let new_next = start.checked_add(size)?;
            let end = self.end.load(Ordering::Relaxed);
            if new_next > end {
                let pages = (new_next - end).div_ceil(PAGE_BYTES);
                let before = memory_grow(0, pages);
                if before == usize::MAX {
                    return None;
                }
                self.end.store((before + pages) * PAGE_BYTES, Ordering::Relaxed);
            }
            self.next.store(new_next, Ordering::Relaxed);
            Some(start)
        }
    }

    // SAFETY: each block lies inside the memory, is aligned, and is returned only once.
    unsafe impl GlobalAlloc for Bump {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            match self.take(layout.size(), layout.align()) {
                Some(start) => std::ptr::with_exposed_provenance_mut(start),
                None => null_mut(),
            }
        }

        unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
            // The most recent block can be reused at no cost, which saves memory in loops.
            if old.addr() + layout.size() == self.next.load(Ordering::Relaxed) {
                self.next.store(old.addr(), Ordering::Relaxed);
            }
        }

        unsafe fn realloc(&self, old: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
            let (start, next) = (old.addr(), self.next.load(Ordering::Relaxed));
            // The most recent block grows and shrinks in place.
            if start + layout.size() == next {
                self.next.store(start, Ordering::Relaxed);
                return match self.take(new_size, layout.align()) {
                    Some(_) => old,
                    None => {
                        self.next.store(next, Ordering::Relaxed);
                        null_mut()
                    }
                };
            }
            if new_size <= layout.size() {
                return old;
            }
            match self.take(new_size, layout.align()) {
                Some(moved) => {
                    let moved: *mut u8 = std::ptr::with_exposed_provenance_mut(moved);
                    // SAFETY: the old block has the size of its layout, and the new one is apart from it and larger.
                    unsafe { old.copy_to_nonoverlapping(moved, layout.size()) };
                    moved
                }
                None => null_mut(),
            }
        }
    }
}
