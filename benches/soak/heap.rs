//! Counts the bytes that the program holds on the heap.

#![allow(unsafe_code, reason = "an allocator is unsafe by its trait; this one passes everything on to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

#[global_allocator]
static ALLOCATOR: Counting = Counting { held: AtomicU64::new(0) };

/// Returns the number of bytes that are allocated and not freed.
///
/// Unlike resident memory, it does not depend on what allocators and pools keep for later, so a leak shows after a few
/// thousand calls. It leaves out memory that code in C allocates.
pub(crate) fn held() -> u64 {
    ALLOCATOR.held.load(Ordering::Relaxed)
}

struct Counting {
    held: AtomicU64,
}

impl Counting {
    fn add(&self, bytes: usize) {
        self.held.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    fn subtract(&self, bytes: usize) {
        self.held.fetch_sub(bytes as u64, Ordering::Relaxed);
    }
}

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.add(size);
        self.subtract(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        self.subtract(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}
