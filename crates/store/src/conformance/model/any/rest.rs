//! Operations on keys and on the feed.

use bytes::Bytes;
use redrive_model::{Cursor, KeyCondition, KeyWrite, WriteKeys};

use super::Any;

impl Any<'_> {
    pub(super) fn write_keys(&mut self) -> WriteKeys {
        let count = self.random.one_of([0, 1, 1, 2, 3]);
        WriteKeys { writes: (0..count).map(|_| self.key_write()).collect() }
    }

    fn key_write(&mut self) -> KeyWrite {
        let key = Bytes::from_static(self.random.one_of([b"k1".as_slice(), b"k2", b"k3", b"k2/sub", b""]));
        let today = self.model.keys.entries.get(&key).and_then(|entry| entry.version);
        let condition = match self.random.below(6) {
            0..3 => KeyCondition::Any,
            3 => KeyCondition::Absent,
            4 => KeyCondition::Version(today.unwrap_or(1)),
            _ => KeyCondition::Version(self.random.within(0..=40)),
        };
        let is_put = self.random.chance(70);
        KeyWrite { key, value: is_put.then(|| Bytes::from(format!("value {}", self.random.below(1_000)))), condition }
    }

    pub(super) fn cursor(&mut self) -> Cursor {
        let name = self.random.one_of(["reader", "reader", "second", ""]).to_owned();
        match self.random.below(10) {
            0..4 => Cursor::Register { name },
            4..9 => {
                let position = self.random.within(0..=self.model.feed.last + 1);
                Cursor::Advance { name, position }
            }
            _ => Cursor::Remove { name },
        }
    }
}
