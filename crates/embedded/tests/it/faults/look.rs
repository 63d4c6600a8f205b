//! Reads everything that a store shows.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use redrive_core::{Span, Status};
use redrive_embedded::EmbeddedStore;
use redrive_model::{
    Content, Cursor, FeedChange, GetConservation, GetLetter, ItemInfo, ItemListKind, ItemState, ListItems, ListLetters,
    ReadChanges, Rejection, ScanKeys, StoredItem,
};
use redrive_store::{Store, StoreError};

use super::oracle::{Checked, Found, LetterPhase, ObservedItem, Oracle, TestQueue};
use crate::rig::{name, number_of};

pub(super) const READER: &str = "reader";
const ALL: usize = 1_000_000;

/// Reads everything, and checks what can be checked without the oracle.
pub(super) async fn look(store: &EmbeddedStore, cursor: CursorBy) -> Checked<Found> {
    let mut found = Found::default();
    let mut ids = BTreeSet::new();
    for test_queue in TestQueue::ALL {
        for stored in all_of(store, test_queue).await? {
            // Scheduled letters are shown among the items, too.
            if ids.insert(stored.info.id) {
                found.items.push(seen(test_queue, &stored.info, &stored.content)?);
            }
        }
    }
    let scan = ScanKeys { prefix: Bytes::new(), from: Bytes::new(), limit: ALL };
    for entry in store.keys(scan).await.map_err(|error| format!("reading the keys failed: {error}"))? {
        let number = |bytes: &Bytes| bytes.as_ref().try_into().map(u64::from_be_bytes).map_err(|_| "an unknown key");
        found.keys.insert(number(&entry.key)?, number(&entry.value)?);
    }
    found.cursor = look_at_feed(store, cursor, &found).await?;
    let conservation =
        store.conservation(GetConservation).await.map_err(|error| format!("no conservation: {error}"))?;
    if !conservation.holds() || conservation.present != found.items.len() as u64 {
        return Err(format!("{conservation:?}, but {} items were found", found.items.len()));
    }
    Ok(found)
}

/// How to find the position of the feed reader. Registering it writes, which fails on a failed disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorBy {
    Registering,
    Known(u64),
}

async fn all_of(store: &EmbeddedStore, test_queue: TestQueue) -> Checked<Vec<StoredItem>> {
    let queue = name(test_queue.name());
    let mut all = Vec::new();
    for which in [ItemListKind::Items, ItemListKind::Scheduled] {
        for partition in 0..test_queue.partitions() {
            let list = ListItems { queue: queue.clone(), partition, which, pivot: None, limit: ALL };
            all.extend(unless_missing(test_queue, store.items(list).await)?);
        }
    }
    let list = ListLetters { queue, statuses: Vec::new(), after: None, limit: ALL };
    all.extend(unless_missing(test_queue, store.letters(list).await)?);
    Ok(all)
}

/// The list, or nothing if the queue is the one that histories remove.
fn unless_missing(test_queue: TestQueue, listed: Result<Vec<StoredItem>, StoreError>) -> Checked<Vec<StoredItem>> {
    match listed {
        Ok(stored) => Ok(stored),
        Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) if test_queue == TestQueue::Brief => Ok(Vec::new()),
        Err(error) => Err(format!("listing {} failed: {error}", test_queue.name())),
    }
}

pub(super) fn seen(test_queue: TestQueue, info: &ItemInfo, content: &Content) -> Checked<ObservedItem> {
    let body = number_of(&content.payload).ok_or_else(|| format!("a payload of {} is wrong", info.id))?;
    let letter = info.letter.as_deref();
    let phase = match letter.map(|letter| letter.status) {
        Some(Status::Archived) => LetterPhase::Archived,
        Some(Status::Completed) => LetterPhase::Completed,
        Some(Status::Pending | Status::Retrying | Status::Exhausted) | None => LetterPhase::Live,
    };
    Ok(ObservedItem {
        test_queue,
        id: info.id,
        body,
        phase,
        letter: letter.map(|letter| letter.id),
        source_id: info.source_id.clone(),
        is_leased: matches!(info.state, ItemState::Leased { .. }),
    })
}

/// Checks that the feed shows each letter once, in its current state. Returns the position of the reader.
async fn look_at_feed(store: &EmbeddedStore, cursor: CursorBy, found: &Found) -> Checked<u64> {
    let position = match cursor {
        CursorBy::Known(position) => position,
        CursorBy::Registering => {
            let register = Cursor::Register { name: READER.to_owned() };
            store.cursor(register).await.map_err(|error| format!("reading the cursor failed: {error}"))?
        }
    };
    let changes = ReadChanges { cursor: READER.to_owned(), after: None, limit: ALL, wait: Span::ZERO };
    let page = store.changes(changes).await.map_err(|error| format!("reading the feed failed: {error}"))?;
    let mut shown = BTreeMap::new();
    for change in page.changes {
        let (letter, is_there) = match change {
            FeedChange::Now { letter, .. } => {
                seen(TestQueue::Dead, &letter.info, &letter.content)?;
                (letter.info.letter.map(|letter| letter.id), true)
            }
            FeedChange::Gone { letter, .. } => (Some(letter), false),
            FeedChange::QueueGone { .. } => continue,
        };
        let letter = letter.ok_or("the feed shows an item that is not a letter")?;
        if shown.insert(letter, is_there).is_some() {
            return Err(format!("the feed shows {letter} twice"));
        }
        if found.items.iter().any(|seen| seen.letter == Some(letter)) != is_there {
            return Err(format!("the feed shows {letter} with exists = {is_there}"));
        }
    }
    Ok(position)
}

/// Compares the documents of each letter with the oracle.
pub(super) async fn look_at_letters(store: &EmbeddedStore, oracle: &Oracle) -> Checked {
    for (item, letter) in &oracle.letters {
        let Some(expected) = oracle.expected_item(*item).filter(|expected| expected.phase != LetterPhase::Completed)
        else {
            continue;
        };
        let get = GetLetter { queue: name(TestQueue::Dead.name()), letter: *letter };
        let record = store.letter(get).await.map_err(|error| format!("reading {letter} failed: {error}"))?;
        let original = record.original.as_ref().map(|content| number_of(&content.payload));
        if original != expected.original.map(Some) {
            return Err(format!("the original of {letter} is {original:?} and not {:?}", expected.original));
        }
        let uncertain = oracle.uncertain.get(item).map_or(&[][..], Vec::as_slice);
        let is_certain = |note: &&Bytes| expected.notes.contains(note) || !uncertain.contains(note);
        if !record.notes.iter().filter(is_certain).eq(&expected.notes) {
            return Err(format!("{letter} has {} notes and not {}", record.notes.len(), expected.notes.len()));
        }
        if record.context.is_none() {
            return Err(format!("{letter} has no capture context"));
        }
    }
    Ok(())
}
