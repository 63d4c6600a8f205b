//! The size limits of metadata.
//!
//! A payload is only passed through; metadata is parsed completely whenever a letter is displayed, matched against a
//! condition or indexed. So it has separate limits.

use redrive_core::Metadata;
use serde_json::Value;

use crate::Rejection;

/// The size of metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MetadataSize {
    /// As JSON without spaces, which is the stored form.
    pub bytes: usize,
    /// Keys of objects and entries of lists, at all levels.
    pub entries: usize,
    /// The nesting depth of objects and lists; the metadata object is level 1.
    pub depth: usize,
}

impl MetadataSize {
    pub const BYTES_MAX: usize = 64 * 1024;
    pub const ENTRIES_MAX: usize = 1_000;
    pub const DEPTH_MAX: usize = 16;

    pub fn of(metadata: &Metadata) -> Self {
        let mut size = Self::default();
        size.add_object(metadata.iter(), 1);
        size
    }

    /// Checks the limits.
    pub fn check(self) -> Result<(), Rejection> {
        let Self { bytes, entries, depth } = self;
        if depth > Self::DEPTH_MAX {
            return Err(Rejection::MetadataTooDeep { depth, most: Self::DEPTH_MAX });
        }
        if entries > Self::ENTRIES_MAX {
            return Err(Rejection::MetadataTooMany { entries, most: Self::ENTRIES_MAX });
        }
        if bytes > Self::BYTES_MAX {
            return Err(Rejection::MetadataTooLarge { bytes, most: Self::BYTES_MAX });
        }
        Ok(())
    }

    fn add_object<'v>(&mut self, object: impl ExactSizeIterator<Item = (&'v String, &'v Value)>, depth: usize) {
        self.open(object.len(), depth);
        for (key, value) in object {
            // A colon follows the key.
            self.bytes += text_bytes(key) + 1;
            self.add(value, depth);
        }
    }

    fn add(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Null | Value::Bool(true) => self.bytes += 4,
            Value::Bool(false) => self.bytes += 5,
            Value::Number(number) => self.bytes += number.to_string().len(),
            Value::String(text) => self.bytes += text_bytes(text),
            Value::Array(list) => {
                self.open(list.len(), depth + 1);
                list.iter().for_each(|entry| self.add(entry, depth + 1));
            }
            Value::Object(object) => self.add_object(object.iter(), depth + 1),
        }
    }

    /// Counts an object or list: its brackets, and the commas between its entries.
    fn open(&mut self, entries: usize, depth: usize) {
        self.entries += entries;
        self.bytes += 2 + entries.saturating_sub(1);
        self.depth = self.depth.max(depth);
    }
}

/// The size of a text with its quotes and escapes.
fn text_bytes(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum::<usize>() + 2
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn size_of(json: Value) -> MetadataSize {
        MetadataSize::of(&serde_json::from_value(json).unwrap())
    }

    /// Disk space is reserved by this number.
    #[test]
    fn the_size_in_bytes_is_that_of_the_json() {
        let all: String = (0..=0x100).filter_map(char::from_u32).collect();
        let numbers = json!([0, -7, u64::MAX, i64::MIN, 0.1, -0.0, 1e300, 2.0, 1.0e-7, 123_456_789.123_456_79]);
        for json in [
            json!({}),
            json!({ "a": 1 }),
            json!({ "a": "x", "b": [], "c": {}, "d": [null, true, false], "e": { "f": [[1], [2, 3]] } }),
            json!({ "numbers": numbers }),
            json!({ all.clone(): all, "日本": "\u{1F600}" }),
        ] {
            assert_eq!(size_of(json.clone()).bytes, serde_json::to_vec(&json).unwrap().len(), "{json}");
        }
    }

    #[test]
    fn entries_are_keys_and_list_entries_at_all_levels_and_depth_is_the_nesting() {
        let counted = |json| {
            let size = size_of(json);
            (size.entries, size.depth)
        };
        assert_eq!(counted(json!({})), (0, 1));
        assert_eq!(counted(json!({ "a": 1, "b": "x" })), (2, 1));
        assert_eq!(counted(json!({ "a": [1, { "b": {} }], "c": {} })), (5, 4));
    }

    #[test]
    fn the_limits_are_inclusive() {
        let nested = |depth: usize| (1..depth).fold(json!({}), |inner, _| json!({ "a": inner }));
        assert_eq!(size_of(nested(16)).check(), Ok(()));
        assert_eq!(size_of(nested(17)).check(), Err(Rejection::MetadataTooDeep { depth: 17, most: 16 }));
        let list = |entries: usize| json!({ "a": vec![0; entries] });
        assert_eq!(size_of(list(999)).check(), Ok(()));
        assert_eq!(size_of(list(1_000)).check(), Err(Rejection::MetadataTooMany { entries: 1_001, most: 1_000 }));
        // Two braces, four quotes, the key and a colon.
        let text = |bytes: usize| json!({ "a": "x".repeat(bytes - 8) });
        assert_eq!(size_of(text(65_536)).check(), Ok(()));
        assert_eq!(size_of(text(65_537)).check(), Err(Rejection::MetadataTooLarge { bytes: 65_537, most: 65_536 }));
    }
}
