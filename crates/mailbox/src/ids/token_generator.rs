//! Generates message ids, nonces and operation ids.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_core::SplitMix64;
use redrive_store::random_seed;

use super::MessageId;

/// Random 128-bit values that differ from call to call, from generator to generator and from process to process. Not
/// for secrets.
#[derive(Debug)]
pub struct TokenGenerator {
    seeds: [u64; 2],
    next: AtomicU64,
}

impl TokenGenerator {
    #[must_use]
    pub fn new() -> Self {
        Self { seeds: [random_seed(), random_seed()], next: AtomicU64::new(1) }
    }

    fn bits(&self) -> (u64, u64) {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (SplitMix64::at(self.seeds[0], index), SplitMix64::at(self.seeds[1], index))
    }

    /// 32 hexadecimal digits.
    pub fn token(&self) -> Arc<str> {
        let (high, low) = self.bits();
        Arc::from(format!("{high:016x}{low:016x}"))
    }

    /// A random UUID (version 4).
    pub fn message_id(&self) -> MessageId {
        let (high, low) = self.bits();
        let (high, low) = ((high & !0xF000) | 0x4000, (low & !(0b11 << 62)) | (0b10 << 62));
        let mut text = String::with_capacity(36);
        let parts = [(high >> 32, 8), (high >> 16 & 0xFFFF, 4), (high & 0xFFFF, 4), (low >> 48, 4)];
        for (part, digits) in parts {
            // Writing to a string cannot fail.
            let _written = write!(text, "{part:0digits$x}-");
        }
        let _written = write!(text, "{:012x}", low & 0xFFFF_FFFF_FFFF);
        MessageId::from_stored(&text)
    }
}

impl Default for TokenGenerator {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::TokenGenerator;

    #[test]
    fn message_ids_are_uuids_of_version_4() {
        let tokens = TokenGenerator::new();
        for _ in 0..1000 {
            let id = tokens.message_id().to_string();
            let groups: Vec<usize> = id.split('-').map(str::len).collect();
            assert_eq!(groups, [8, 4, 4, 4, 12], "{id}");
            assert!(id.as_bytes()[14] == b'4' && b"89ab".contains(&id.as_bytes()[19]), "{id}");
        }
    }

    #[test]
    fn tokens_of_two_generators_do_not_repeat() {
        let (one, other) = (TokenGenerator::new(), TokenGenerator::new());
        let tokens: HashSet<_> = (0..10_000).flat_map(|_| [one.token(), other.token()]).collect();
        assert_eq!(tokens.len(), 20_000);
    }
}
