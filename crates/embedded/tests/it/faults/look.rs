//! Everything that a store shows, through its reads.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use redrive_core::{Span, Status};
use redrive_embedded::EmbeddedStore;
use redrive_model::{
    Content, Cursor, FeedChange, GetConservation, GetLetter, ItemInfo, ItemState, ListItems, ListLetters, ReadChanges,
    Rejection, ScanKeys, StoredItem, Which,
};
use redrive_store::{Store, StoreError};

use super::oracle::{Checked, Found, Home, Oracle, Seen, Shelf};
use crate::rig::{name, number_of};

pub(super) const READER: &str = "reader";
const ALL: usize = 1_000_000;

/// Reads all there is, and checks what can be checked without knowing what should be there.
pub(super) async fn look(store: &EmbeddedStore, cursor: CursorBy) -> Checked<Found> {
    let mut found = Found::default();
    let mut ids = BTreeSet::new();
    for home in Home::ALL {
        for stored in all_of(store, home).await? {
            // Letters that wait are shown among the items, too.
            if ids.insert(stored.info.id) {
                found.items.push(seen(home, &stored.info, &stored.content)?);
            }
        }
    }
    let scan = ScanKeys { prefix: Bytes::new(), from: Bytes::new(), limit: ALL };
    for entry in store.keys(scan).await.map_err(|error| format!("the keys cannot be read: {error}"))? {
        let number = |bytes: &Bytes| bytes.as_ref().try_into().map(u64::from_be_bytes).map_err(|_| "a strange key");
        found.keys.insert(number(&entry.key)?, number(&entry.value)?);
    }
    found.cursor = look_at_feed(store, cursor, &found).await?;
    let conservation =
        store.conservation(GetConservation).await.map_err(|error| format!("no conservation: {error}"))?;
    if !conservation.holds() || conservation.present != found.items.len() as u64 {
        return Err(format!("{conservation:?}, and {} are found", found.items.len()));
    }
    Ok(found)
}

/// How a reader learns where it stands: asking writes, and a store whose disk failed does not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorBy {
    Asking,
    Knowing(u64),
}

async fn all_of(store: &EmbeddedStore, home: Home) -> Checked<Vec<StoredItem>> {
    let queue = name(home.name());
    let mut all = Vec::new();
    for which in [Which::Items, Which::Scheduled] {
        for partition in 0..home.partitions() {
            let list = ListItems { queue: queue.clone(), partition, which, pivot: None, limit: ALL };
            all.extend(unless_missing(home, store.items(list).await)?);
        }
    }
    let list = ListLetters { queue, statuses: Vec::new(), after: None, limit: ALL };
    all.extend(unless_missing(home, store.letters(list).await)?);
    Ok(all)
}

/// A queue that is removed and made again may be missing.
fn unless_missing(home: Home, listed: Result<Vec<StoredItem>, StoreError>) -> Checked<Vec<StoredItem>> {
    match listed {
        Ok(stored) => Ok(stored),
        Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) if home == Home::Brief => Ok(Vec::new()),
        Err(error) => Err(format!("{} cannot be listed: {error}", home.name())),
    }
}

pub(super) fn seen(home: Home, info: &ItemInfo, content: &Content) -> Checked<Seen> {
    let body = number_of(&content.payload).ok_or_else(|| format!("a payload of {} is wrong", info.id))?;
    let letter = info.letter.as_deref();
    let shelf = match letter.map(|letter| letter.status) {
        Some(Status::Archived) => Shelf::Archived,
        Some(Status::Completed) => Shelf::Completed,
        Some(Status::Pending | Status::Retrying | Status::Exhausted) | None => Shelf::Live,
    };
    Ok(Seen {
        home,
        id: info.id,
        body,
        shelf,
        letter: letter.map(|letter| letter.id),
        source_id: info.source_id.clone(),
        is_leased: matches!(info.state, ItemState::Leased { .. }),
    })
}

/// The feed shows each letter once, as it is; gives where its reader stands.
async fn look_at_feed(store: &EmbeddedStore, cursor: CursorBy, found: &Found) -> Checked<u64> {
    let position = match cursor {
        CursorBy::Knowing(position) => position,
        CursorBy::Asking => {
            let register = Cursor::Register { name: READER.to_owned() };
            store.cursor(register).await.map_err(|error| format!("the cursor cannot be read: {error}"))?
        }
    };
    let changes = ReadChanges { cursor: READER.to_owned(), after: None, limit: ALL, wait: Span::ZERO };
    let page = store.changes(changes).await.map_err(|error| format!("the feed cannot be read: {error}"))?;
    let mut shown = BTreeMap::new();
    for change in page.changes {
        let (letter, is_there) = match change {
            FeedChange::Now { letter, .. } => {
                seen(Home::Dead, &letter.info, &letter.content)?;
                (letter.info.letter.map(|letter| letter.id), true)
            }
            FeedChange::Gone { letter, .. } => (Some(letter), false),
            FeedChange::QueueGone { .. } => continue,
        };
        let letter = letter.ok_or("the feed shows an item that is no letter")?;
        if shown.insert(letter, is_there).is_some() {
            return Err(format!("the feed shows {letter} twice"));
        }
        if found.items.iter().any(|seen| seen.letter == Some(letter)) != is_there {
            return Err(format!("the feed says that {letter} is there: {is_there}"));
        }
    }
    Ok(position)
}

/// What else is kept with letters: read one by one.
pub(super) async fn look_at_letters(store: &EmbeddedStore, oracle: &Oracle) -> Checked {
    for (item, letter) in &oracle.letters {
        let Some(life) = oracle.life(*item).filter(|life| life.shelf != Shelf::Completed) else { continue };
        let get = GetLetter { queue: name(Home::Dead.name()), letter: *letter };
        let record = store.letter(get).await.map_err(|error| format!("{letter} cannot be read: {error}"))?;
        let original = record.original.as_ref().map(|content| number_of(&content.payload));
        if original != life.original.map(Some) {
            return Err(format!("the original of {letter} is {original:?} and not {:?}", life.original));
        }
        let blurred = oracle.blurred.get(item).map_or(&[][..], Vec::as_slice);
        let is_certain = |note: &&Bytes| life.notes.contains(note) || !blurred.contains(note);
        if !record.notes.iter().filter(is_certain).eq(&life.notes) {
            return Err(format!("{letter} has {} notes and not {}", record.notes.len(), life.notes.len()));
        }
        if record.context.is_none() {
            return Err(format!("{letter} has no capture context"));
        }
    }
    Ok(())
}
