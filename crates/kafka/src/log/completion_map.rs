//! The offsets that are done above the committed position, as text for the metadata of a commit.
//!
//! A commit names one position: everything below it is done. Records above it may be done as well, and would run again
//! after a restart. Their offsets are stored with the commit, relative to its position, in the shorter of two forms:
//!
//! ```text
//! redrive1:r:BASE64    run lengths: open, done, open, done, … as LEB128 numbers
//! redrive1:b:BASE64    a bit for each offset, the lowest bit first; 1 is done
//! ```
//!
//! Brokers limit the metadata to 4096 bytes by default. A map that does not fit keeps its lowest offsets.

use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;

const PREFIX: &str = "redrive1:";
/// The longest text that is decoded. Brokers may allow more than the default.
const TEXT_MAX: usize = 1 << 20;

/// Offsets that are done: disjoint ranges in ascending order, above the committed position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CompletionMap {
    ranges: Vec<Range<i64>>,
}

/// Why the metadata of a commit is not a completion map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnreadableMap {
    #[error("the metadata was written by another program")]
    Foreign,
    #[error("the metadata has a format that this version does not know")]
    Newer,
    #[error("the metadata is damaged")]
    Damaged,
}

impl CompletionMap {
    /// Adds the next done offset, which is above all others.
    pub(crate) fn push(&mut self, done: Range<i64>) {
        match self.ranges.last_mut() {
            Some(last) if last.end >= done.start => last.end = last.end.max(done.end),
            _ => self.ranges.push(done),
        }
    }

    pub(crate) fn contains(&self, offset: i64) -> bool {
        let index = self.ranges.partition_point(|range| range.end <= offset);
        self.ranges.get(index).is_some_and(|range| range.contains(&offset))
    }

    /// The ranges from an offset on.
    pub(crate) fn from(&self, offset: i64) -> impl Iterator<Item = Range<i64>> {
        let ranges = self.ranges.iter().map(move |range| range.start.max(offset)..range.end);
        ranges.filter(|range| !range.is_empty())
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The text for a commit at `position`, of at most `bytes_max` bytes, and whether all offsets are in it.
    pub(crate) fn encode(&self, position: i64, bytes_max: usize) -> (String, bool) {
        if self.is_empty() {
            return (String::new(), true);
        }
        // Three bytes become four characters.
        let raw_max = bytes_max.saturating_sub(PREFIX.len() + 2) / 4 * 3;
        let (runs, are_all_runs) = self.runs(position, raw_max);
        let (bits, are_all_bits) = self.bits(position, raw_max);
        let use_runs = match (are_all_runs, are_all_bits) {
            (true, true) => runs.len() <= bits.len(),
            (is_whole, _) => is_whole,
        };
        let (form, raw, is_whole) = if use_runs { ('r', runs, are_all_runs) } else { ('b', bits, are_all_bits) };
        if raw.is_empty() {
            return (String::new(), false);
        }
        (format!("{PREFIX}{form}:{}", BASE64.encode(raw)), is_whole)
    }

    fn runs(&self, position: i64, bytes_max: usize) -> (Vec<u8>, bool) {
        let mut raw = Vec::new();
        let mut at = position;
        for range in &self.ranges {
            let start = raw.len();
            put_number(&mut raw, range.start.abs_diff(at));
            put_number(&mut raw, range.end.abs_diff(range.start));
            if raw.len() > bytes_max {
                raw.truncate(start);
                return (raw, false);
            }
            at = range.end;
        }
        (raw, true)
    }

    fn bits(&self, position: i64, bytes_max: usize) -> (Vec<u8>, bool) {
        let mut raw: Vec<u8> = Vec::new();
        for range in &self.ranges {
            for offset in range.clone() {
                let bit = offset.abs_diff(position);
                let Some(byte) = usize::try_from(bit / 8).ok().filter(|byte| *byte < bytes_max) else {
                    return (raw, false);
                };
                raw.resize(raw.len().max(byte + 1), 0);
                raw[byte] |= 1 << (bit % 8);
            }
        }
        (raw, true)
    }

    /// Reads the metadata of a commit at `position`.
    pub(crate) fn decode(position: i64, metadata: &str) -> Result<Self, UnreadableMap> {
        if metadata.is_empty() {
            return Ok(Self::default());
        }
        let Some(text) = metadata.strip_prefix(PREFIX) else {
            let is_ours = metadata.starts_with("redrive");
            return Err(if is_ours { UnreadableMap::Newer } else { UnreadableMap::Foreign });
        };
        if text.len() > TEXT_MAX || position < 0 {
            return Err(UnreadableMap::Damaged);
        }
        match text.split_once(':') {
            Some(("r", runs)) => Self::of_runs(position, &decoded(runs)?),
            Some(("b", bits)) => Ok(Self::of_bits(position, &decoded(bits)?)),
            Some(_) => Err(UnreadableMap::Newer),
            None => Err(UnreadableMap::Damaged),
        }
    }

    fn of_runs(position: i64, mut raw: &[u8]) -> Result<Self, UnreadableMap> {
        let mut map = Self::default();
        let mut at = position;
        while !raw.is_empty() {
            let start = take_number(&mut raw).and_then(|open| at.checked_add_unsigned(open));
            let start = start.ok_or(UnreadableMap::Damaged)?;
            let end = take_number(&mut raw).and_then(|done| start.checked_add_unsigned(done));
            let end = end.filter(|end| *end > start).ok_or(UnreadableMap::Damaged)?;
            map.push(start..end);
            at = end;
        }
        Ok(map)
    }

    fn of_bits(position: i64, raw: &[u8]) -> Self {
        let mut map = Self::default();
        for (byte, bits) in raw.iter().enumerate() {
            for bit in (0..8).filter(|bit| bits & (1 << bit) != 0) {
                let offset = i64::try_from(byte * 8 + bit).ok().and_then(|bit| position.checked_add(bit));
                if let Some((offset, end)) = offset.and_then(|offset| Some((offset, offset.checked_add(1)?))) {
                    map.push(offset..end);
                }
            }
        }
        map
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, UnreadableMap> {
    BASE64.decode(text).map_err(|_| UnreadableMap::Damaged)
}

fn put_number(raw: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        raw.push(u8::try_from(number & 0x7f).unwrap_or(0) | 0x80);
        number >>= 7;
    }
    raw.push(u8::try_from(number).unwrap_or(0));
}

fn take_number(raw: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = raw.split_first()?;
        *raw = rest;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use redrive_core::SplitMix64;

    use super::*;

    fn map(offsets: impl IntoIterator<Item = i64>) -> CompletionMap {
        let mut map = CompletionMap::default();
        offsets.into_iter().for_each(|offset| map.push(offset..offset + 1));
        map
    }

    #[test]
    fn random_maps_survive_and_are_never_longer_than_allowed() {
        let mut random = SplitMix64::new(1);
        for round in 0..500 {
            let position = i64::try_from(random.next() >> 24).unwrap();
            let mut at = position + 1;
            let mut done = CompletionMap::default();
            for _ in 0..random.next() % 200 {
                let start = at + i64::try_from(random.next() % (1 << (round % 12))).unwrap();
                let end = start + 1 + i64::try_from(random.next() % (1 << (round % 9))).unwrap();
                done.push(start..end);
                at = end + 1;
            }
            let bytes_max = usize::try_from(random.next() % 4_000).unwrap();
            let (text, is_whole) = done.encode(position, bytes_max);
            assert!(text.len() <= bytes_max, "{} of {bytes_max}", text.len());
            let read = CompletionMap::decode(position, &text).unwrap();
            if is_whole {
                assert_eq!(read, done);
            }
            for range in &read.ranges {
                assert!(range.clone().all(|offset| done.contains(offset)), "{range:?} is not done");
            }
        }
    }

    #[test]
    fn the_shorter_form_is_used() {
        assert!(map(1_000..50_000).encode(10, 4_000).0.starts_with("redrive1:r:"));
        assert!(map((10..2_000).filter(|offset| offset % 2 == 1)).encode(10, 4_000).0.starts_with("redrive1:b:"));
        assert_eq!(map([]).encode(10, 4_000), (String::new(), true));
    }

    #[test]
    fn a_bit_for_every_second_of_20_000_offsets_fits_the_budget() {
        let (text, is_whole) = map((0..20_000).filter(|offset| offset % 2 == 1)).encode(0, 4_000);
        assert!(is_whole && text.len() <= 4_000, "{}", text.len());
    }

    #[test]
    fn metadata_of_others_and_damaged_metadata_is_an_error() {
        let decode = |text| CompletionMap::decode(10, text);
        assert_eq!(decode("anything"), Err(UnreadableMap::Foreign));
        assert_eq!(decode("redrive2:r:AQE"), Err(UnreadableMap::Newer));
        assert_eq!(decode("redrive1:x:AQE"), Err(UnreadableMap::Newer));
        for damaged in ["redrive1:r", "redrive1:r:!", "redrive1:r:AQ", "redrive1:r:AQA", "redrive1:r:________________"]
        {
            assert_eq!(decode(damaged), Err(UnreadableMap::Damaged), "{damaged}");
        }
        assert_eq!(decode(""), Ok(CompletionMap::default()));
    }

    #[test]
    fn random_text_never_panics() {
        let mut random = SplitMix64::new(2);
        for _ in 0..2_000 {
            let raw: Vec<u8> = (0..random.next() % 40).map(|_| random.next().to_le_bytes()[0]).collect();
            for form in ["r", "b"] {
                let text = format!("redrive1:{form}:{}", BASE64.encode(&raw));
                let _read = CompletionMap::decode(i64::MAX - 20, &text);
            }
        }
    }
}
