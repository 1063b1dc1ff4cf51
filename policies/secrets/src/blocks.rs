//! Finds the positions of bytes of a class in a text, 64 bytes at a time.

use std::marker::PhantomData;

const BLOCK: usize = 64;

/// A class of bytes.
pub(crate) trait Class {
    /// The first and last byte of each range. No range contains zero.
    const RANGES: &'static [(u8, u8)];
}

/// The bytes of a class in a text. Queries are fast if their positions go from the beginning to the end.
#[derive(Debug)]
pub(crate) struct Members<'t, C> {
    text: &'t [u8],
    /// The index of the block that the mask belongs to.
    block: usize,
    /// A bit for each byte of the block.
    mask: u64,
    class: PhantomData<C>,
}

impl<'t, C: Class> Members<'t, C> {
    pub(crate) fn new(text: &'t [u8]) -> Self {
        Members { text, block: 0, mask: mask_of::<C>(text, 0), class: PhantomData }
    }

    /// Returns the first byte of the class at or after this position.
    #[inline]
    pub(crate) fn next(&mut self, mut at: usize) -> Option<usize> {
        while at < self.text.len() {
            let found = self.mask_at(at) >> (at % BLOCK);
            if found != 0 {
                return Some(at + found.trailing_zeros() as usize);
            }
            at = (at / BLOCK + 1) * BLOCK;
        }
        None
    }

    /// Returns the end of the run of bytes of the class at this position.
    #[inline]
    pub(crate) fn end(&mut self, mut at: usize) -> usize {
        loop {
            let others = !self.mask_at(at) >> (at % BLOCK);
            if others != 0 {
                return at + others.trailing_zeros() as usize;
            }
            at = (at / BLOCK + 1) * BLOCK;
        }
    }

    #[inline]
    fn mask_at(&mut self, at: usize) -> u64 {
        let block = at / BLOCK;
        if block != self.block {
            self.block = block;
            self.mask = mask_of::<C>(self.text, block);
        }
        self.mask
    }
}

// This function is not inlined, because the loop that calls it needs the registers.
#[inline(never)]
fn mask_of<C: Class>(text: &[u8], block: usize) -> u64 {
    let rest = text.get(block * BLOCK..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => mask::<C>(bytes),
        None => {
            let mut bytes = [0; BLOCK];
            bytes.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            mask::<C>(&bytes)
        }
    }
}

#[cfg(not(target_feature = "simd128"))]
fn mask<C: Class>(bytes: &[u8; BLOCK]) -> u64 {
    let is_member = |byte: u8| C::RANGES.iter().any(|(first, last)| (*first..=*last).contains(&byte));
    bytes.iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(is_member(*byte)))
}

#[cfg(target_feature = "simd128")]
fn mask<C: Class>(bytes: &[u8; BLOCK]) -> u64 {
    use std::arch::wasm32::{u8x16_bitmask, u8x16_le, u8x16_splat, u8x16_sub, u64x2, u64x2_splat, v128_or};
    let (parts, _) = bytes.as_chunks::<8>();
    let (pairs, _) = parts.as_chunks::<2>();
    pairs.iter().rev().fold(0, |mask, [low, high]| {
        let bytes = u64x2(u64::from_le_bytes(*low), u64::from_le_bytes(*high));
        let members = C::RANGES.iter().fold(u64x2_splat(0), |members, (first, last)| {
            // After the subtraction, bytes below the range are above it.
            let distance = u8x16_sub(bytes, u8x16_splat(*first));
            v128_or(members, u8x16_le(distance, u8x16_splat(last - first)))
        });
        mask << 16 | u64::from(u8x16_bitmask(members))
    })
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug)]
    struct Digit;

    impl Class for Digit {
        const RANGES: &'static [(u8, u8)] = &[(b'0', b'4'), (b'5', b'9')];
    }

    proptest! {
        #[test]
        fn as_one_by_one(text in "[a0-9]{0,3}([a-z/:0]{0,70}|[0-9]{0,200}){0,4}") {
            let text = text.as_bytes();
            let mut members = Members::<Digit>::new(text);
            for at in 0..=text.len() {
                let rest = text.get(at..).unwrap_or_default();
                let next = rest.iter().position(u8::is_ascii_digit).map(|length| at + length);
                prop_assert_eq!(members.next(at), next);
                let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                prop_assert_eq!(members.end(at), at + length);
            }
        }
    }
}
