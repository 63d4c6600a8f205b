//! Message ids that are remembered after their items are gone.
//!
//! They are entries of the key space, which is durable, under its reserved prefix. Each has two: one by queue and id, to
//! find it, and one by the end of its time, to drop it. A request that remembers ids drops a few whose time has ended.

use bytes::Bytes;
use redrive_core::{ItemId, Ksuid, Time};
use redrive_model::{KeyChange, OpContext, Rejection, StampSource};

use crate::fact::Fact;
use crate::keys::Keys;
use crate::{Facts, State};

const BY_ID: u8 = b'i';
const BY_TIME: u8 = b't';

/// How many ids whose time has ended are dropped for each one that is remembered. More than one, so that they get fewer.
const DROPPED: usize = 4;

/// A message id to remember.
#[derive(Debug)]
pub(crate) struct RememberedId {
    pub(crate) queue: u32,
    pub(crate) message_id: Box<str>,
    pub(crate) until: Time,
    /// The id under which its item was produced.
    pub(crate) item: ItemId,
}

impl State {
    /// The item that was produced with a message id, if the id is remembered.
    pub(crate) fn remembered(&self, queue: u32, message_id: &str, now: Time) -> Option<ItemId> {
        let (until, item) = self.keys.reserved(&by_id(queue, message_id)).and_then(|value| read(value))?;
        (until > now).then_some(item)
    }

    /// Checks that the key space has space for ids of this size.
    pub(crate) fn check_remembered(&self, ids: usize, bytes: usize) -> Result<(), Rejection> {
        const ENTRIES: usize = 64;
        if ids == 0 { Ok(()) } else { self.keys.check_growth(2 * bytes + ids * ENTRIES) }
    }

    /// Remembers ids, and drops some whose time has ended.
    pub(crate) fn remember_ids(&mut self, ids: Vec<RememberedId>, op: OpContext, facts: &mut Facts) {
        if ids.is_empty() {
            return;
        }
        let version = self.stamps.next(op).serial;
        let put = |key: Vec<u8>, value: Bytes| KeyChange { key: key.into(), value: Some(value), version };
        let delete = |key: Vec<u8>| KeyChange { key: key.into(), value: None, version };
        let mut changes = Vec::with_capacity(2 * ids.len());
        let prefix = prefix(BY_TIME);
        for ended in self.keys.reserved_keys(&prefix).take(DROPPED * ids.len()) {
            let Some((until, queue, message_id)) = read_by_time(&ended[prefix.len()..]) else { continue };
            if until > op.now {
                break;
            }
            changes.extend([delete(ended.to_vec()), delete(by_id(queue, message_id))]);
        }
        for RememberedId { queue, message_id, until, item } in ids {
            let key = by_id(queue, &message_id);
            // An id whose time has ended may be remembered again before it was dropped.
            let earlier = self.keys.reserved(&key).and_then(|value| read(value));
            changes.extend(earlier.map(|(until, _)| delete(by_time(until, queue, &message_id))));
            let value = [&until.as_micros().to_be_bytes()[..], item.ksuid().as_bytes()].concat();
            changes.extend([put(by_time(until, queue, &message_id), Bytes::new()), put(key, value.into())]);
        }
        self.record(Fact::Keys { changes }, facts);
    }
}

fn prefix(kind: u8) -> Vec<u8> {
    [Keys::RESERVED, &[kind]].concat()
}

fn by_id(queue: u32, message_id: &str) -> Vec<u8> {
    [&prefix(BY_ID)[..], &queue.to_be_bytes(), message_id.as_bytes()].concat()
}

fn by_time(until: Time, queue: u32, message_id: &str) -> Vec<u8> {
    [&prefix(BY_TIME)[..], &in_order(until).to_be_bytes(), &queue.to_be_bytes(), message_id.as_bytes()].concat()
}

/// A number that sorts as the time does, also before 1970.
const fn in_order(time: Time) -> u64 {
    time.as_micros().cast_unsigned() ^ (1 << 63)
}

fn read(value: &[u8]) -> Option<(Time, ItemId)> {
    let (until, item) = value.split_first_chunk::<8>()?;
    let item = <[u8; Ksuid::BYTES]>::try_from(item).ok()?;
    Some((Time::from_micros(i64::from_be_bytes(*until)), ItemId::new(Ksuid::from_bytes(item))))
}

fn read_by_time(rest: &[u8]) -> Option<(Time, u32, &str)> {
    let (until, rest) = rest.split_first_chunk::<8>()?;
    let (queue, message_id) = rest.split_first_chunk::<4>()?;
    let micros = (u64::from_be_bytes(*until) ^ (1 << 63)).cast_signed();
    Some((Time::from_micros(micros), u32::from_be_bytes(*queue), std::str::from_utf8(message_id).ok()?))
}
