//! An allocator for an instance that lives for one call: it hands out what follows and takes nothing back.

use std::alloc::{GlobalAlloc, Layout};
use std::arch::wasm32::{memory_grow, memory_size};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

const PAGE_BYTES: usize = 64 << 10;

#[global_allocator]
static ALLOCATOR: Bump = Bump { next: AtomicUsize::new(0), end: AtomicUsize::new(0) };

unsafe extern "C" {
    /// Where the linker's data ends, and the memory's slack begins.
    static __heap_base: u8;
}

struct Bump {
    next: AtomicUsize,
    end: AtomicUsize,
}

impl Bump {
    /// There is one thread, so that loads and stores need no order.
    fn take(&self, size: usize, align: usize) -> Option<usize> {
        let mut next = self.next.load(Ordering::Relaxed);
        if next == 0 {
            next = (&raw const __heap_base).addr();
            self.end.store(memory_size(0) * PAGE_BYTES, Ordering::Relaxed);
        }
        let start = next.checked_next_multiple_of(align)?;
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

// SAFETY: what is handed out lies inside the memory, is aligned, and is handed out once.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.take(layout.size(), layout.align()) {
            Some(start) => std::ptr::with_exposed_provenance_mut(start),
            None => null_mut(),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let (start, next) = (old.addr(), self.next.load(Ordering::Relaxed));
        // What was handed out last grows and shrinks where it is.
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
