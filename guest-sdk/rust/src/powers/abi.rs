//! The canonical ABI of imported functions: the results that the host writes to memory, as words of 32 bits.
#![allow(unsafe_code, reason = "the host returns what it allocated in the instance by address and length")]

/// Room for the result of an imported function, aligned for every type. The host fills it in.
#[repr(C, align(8))]
pub(super) struct Returned<const WORDS: usize>([u32; WORDS]);

impl<const WORDS: usize> Returned<WORDS> {
    pub(super) fn new() -> Self {
        Returned([0; WORDS])
    }

    pub(super) fn address(&mut self) -> *mut u32 {
        self.0.as_mut_ptr()
    }

    /// Returns the word at an index, or 0 beyond the end.
    pub(super) fn word(&self, at: usize) -> u32 {
        self.0.get(at).copied().unwrap_or_default()
    }

    /// Returns the tag of a variant. A tag is one byte; the other bytes of its word are undefined.
    pub(super) fn tag(&self, at: usize) -> u8 {
        self.word(at).to_le_bytes()[0]
    }

    /// Returns the address and the length of a list, which begin at the word with this index.
    fn list(&self, at: usize) -> (*mut u8, usize) {
        (std::ptr::with_exposed_provenance_mut(self.word(at) as usize), self.word(at + 1) as usize)
    }

    /// Takes ownership of a `list<u8>`.
    ///
    /// # Safety
    /// The host must have written a `list<u8>` or a `string` at this index, which is taken only once.
    pub(super) unsafe fn take_bytes(&self, at: usize) -> Vec<u8> {
        let (address, length) = self.list(at);
        // SAFETY: the host asked `cabi_realloc` for the room with this length, and nothing else refers to it.
        unsafe { bytes(address, length) }
    }

    /// Takes ownership of a `string`.
    ///
    /// # Safety
    /// The same conditions as for [`take_bytes`](Self::take_bytes) must hold.
    pub(super) unsafe fn take_text(&self, at: usize) -> String {
        // SAFETY: guaranteed by the caller. The canonical ABI requires UTF-8; `text` loses nothing of such text.
        text(unsafe { self.take_bytes(at) })
    }

    /// Takes ownership of a list of records, each of `N` words.
    ///
    /// # Safety
    /// The host must have written a list of records of `N` words, aligned to 4 bytes, at this index, which is taken
    /// only once.
    pub(super) unsafe fn take_records<const N: usize>(&self, at: usize) -> Vec<Returned<N>> {
        let (address, length) = self.list(at);
        if length == 0 {
            return Vec::new();
        }
        // SAFETY: guaranteed by the caller. The room is not freed: the instance ends with the call.
        let records = unsafe { std::slice::from_raw_parts(address.cast::<[u32; N]>(), length) };
        records.iter().map(|record| Returned(*record)).collect()
    }
}

/// Takes ownership of bytes that the host wrote.
///
/// # Safety
/// `cabi_realloc` must have returned the address for this length and an alignment of 1, and nothing else may refer to
/// it.
unsafe fn bytes(address: *mut u8, length: usize) -> Vec<u8> {
    match length {
        0 => Vec::new(),
        // SAFETY: guaranteed by the caller; `cabi_realloc` uses the global allocator.
        _ => unsafe { Vec::from_raw_parts(address, length, length) },
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Bytes to pass to the host: their address and length.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Slice(pub(super) *const u8, pub(super) usize);

impl Slice {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Slice(bytes.as_ptr(), bytes.len())
    }
}
