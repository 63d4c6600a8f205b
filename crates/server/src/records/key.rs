//! Keys that consist of several parts.
//!
//! A part is a name that a caller chose and may contain any character. Each part ends with `00 01`, and a zero byte
//! inside a part is written as `00 FF`. So two different lists of parts never make the same key, a list of parts is a
//! key prefix of exactly the lists that begin with it, and keys sort like their parts.

use bytes::Bytes;

const NUL: u8 = 0;
const ESCAPED: u8 = 0xFF;
const END: [u8; 2] = [NUL, 1];

/// The key of these parts, which is also the prefix of all keys that begin with them.
pub(crate) fn key<const N: usize>(parts: [&str; N]) -> Bytes {
    let mut key = Vec::with_capacity(parts.iter().map(|part| part.len() + END.len()).sum());
    for part in parts {
        escape(part, &mut key);
        key.extend(END);
    }
    key.into()
}

/// The first key of a list whose keys consist of a prefix and one more part: the pivot's, or the next after it.
pub(crate) fn key_from(prefix: &[u8], pivot: &str) -> Bytes {
    let mut key = prefix.to_vec();
    escape(pivot, &mut key);
    key.into()
}

/// The smallest key after another.
pub(crate) fn key_after(key: &[u8]) -> Bytes {
    [key, &[NUL]].concat().into()
}

fn escape(part: &str, key: &mut Vec<u8>) {
    for byte in part.bytes() {
        key.push(byte);
        if byte == NUL {
            key.push(ESCAPED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{key, key_from};

    const NAMES: [&str; 9] = ["", "\0", "\0\u{1}", "\u{1}", "a", "a\0", "a\0\u{1}b", "a\u{1}", "a:b"];

    #[test]
    fn different_parts_never_make_the_same_key() {
        let mut keys = Vec::new();
        for first in NAMES {
            keys.push(key([first]));
            keys.extend(NAMES.map(|second| key([first, second])));
        }
        let all = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }

    #[test]
    fn a_prefix_contains_no_keys_of_another_name() {
        for name in NAMES {
            for other in NAMES {
                let is_within = key(["role", other, "x"]).starts_with(&key(["role", name]));
                assert_eq!(is_within, name == other, "{name:?} {other:?}");
            }
        }
    }

    #[test]
    fn keys_and_pivots_sort_like_names() {
        let prefix = key(["role"]);
        for name in NAMES {
            for pivot in NAMES {
                let is_from = key(["role", name]) >= key_from(&prefix, pivot);
                assert_eq!(is_from, name >= pivot, "{name:?} {pivot:?}");
            }
        }
    }
}
