//! Compares what a store shows with the model.

use std::fmt::Debug;

use redrive_core::{ItemId, LetterId};
use redrive_model::{ItemInfo, KeyEntry};

use super::naive::{Document, Item, Model, UNKNOWN_ID};

/// The error describes the difference.
pub type Checked<T = ()> = Result<T, String>;

pub fn same<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Checked {
    if found == expected { Ok(()) } else { Err(format!("{what}:\n   found {found:?}\nexpected {expected:?}")) }
}

/// Pairs the items of a store with those of the model by the order of their ids, learns the ids, and compares
/// everything else. `shown` must be in the order of ids, each item with the number of its queue.
///
/// Returns the new ids. Afterwards the items of the model are in the same order.
pub fn pair(model: &mut Model, shown: &[(u32, &ItemInfo)]) -> Checked<Vec<ItemId>> {
    for item in &mut model.items {
        // If an id may have been kept, the store decides whether it was.
        if let Some(kept) = item.may_keep.take()
            && shown.iter().any(|(_, info)| info.id == item.info.id)
        {
            item.order = kept;
        }
    }
    model.items.sort_by_key(|item| item.order);
    if shown.len() != model.items.len() {
        let found: Vec<_> = shown.iter().map(|(queue, info)| (queue, info.id, info.state)).collect();
        let expected: Vec<_> = model.items.iter().map(|item| (item.queue, item.id(), item.info.state)).collect();
        return Err(format!("other items than expected:\n   found {found:?}\nexpected {expected:?}"));
    }
    let newest = model.newest;
    let mut learned = Vec::new();
    for ((queue, info), item) in shown.iter().zip(&mut model.items) {
        learned.extend(learn(info, item, newest)?);
        same("the queue of an item", queue, &item.queue)?;
        same("an item", *info, &item.info)?;
    }
    model.newest = shown.last().map(|(_, info)| info.id).max(newest);
    Ok(learned)
}

/// Learns the ids of an item. Returns its current id if that is new.
pub(super) fn learn(info: &ItemInfo, item: &mut Item, newest: Option<ItemId>) -> Checked<Option<ItemId>> {
    let learned = learn_id(info.id, item, newest)?;
    if let Some(letter) = &info.letter {
        learn_letter(letter.id, item, newest)?;
    }
    // An item keeps the id of its first delivery, a letter its letter id.
    item.info.first_id = match (item.letter_id(), item.keeps_first) {
        (Some(letter), _) => ItemId::new(letter.ksuid()),
        (None, true) => item.info.first_id,
        (None, false) => info.id,
    };
    if item.letter().is_some() && !item.own_ids.contains(&info.id) {
        item.own_ids.push(info.id);
    }
    item.info.is_edited = item.documents.iter().any(|document| matches!(document, Document::Original(_)));
    Ok(learned)
}

/// Learns an id, which must be unchanged or greater than all ids shown before. Returns it if it is new.
pub(super) fn learn_id(id: ItemId, item: &mut Item, newest: Option<ItemId>) -> Checked<Option<ItemId>> {
    if item.known_order == item.order {
        return same("an id that must not change", &id, &item.id()).map(|()| None);
    }
    if item.renewed.take() == Some(item.order) {
        if id <= item.id() {
            return Err(format!("{id} is not greater than the former id of {item:?}"));
        }
    } else if Some(id) <= newest {
        return Err(format!("{id} is not a new id of {item:?}; the newest was {newest:?}"));
    }
    item.known_order = item.order;
    item.info.id = id;
    Ok(Some(id))
}

/// Learns the id of a letter: its first item id, which may already have changed within the same request.
pub(super) fn learn_letter(id: LetterId, item: &mut Item, newest: Option<ItemId>) -> Checked {
    let Some(letter) = item.letter_mut().filter(|letter| letter.id.ksuid() == UNKNOWN_ID) else { return Ok(()) };
    if Some(ItemId::new(id.ksuid())) <= newest {
        return Err(format!("{id} is not a new letter id; the newest was {newest:?}"));
    }
    letter.id = id;
    Ok(())
}

/// Compares the key space, and learns the versions of written entries.
pub fn pair_keys(model: &mut Model, shown: &[KeyEntry]) -> Checked {
    let values: Vec<_> = shown.iter().map(|entry| (&entry.key, &entry.value)).collect();
    let expected: Vec<_> = model.keys.entries.iter().map(|(key, entry)| (key, &entry.value)).collect();
    same("the keys", &values, &expected)?;
    let before = model.keys.newest;
    for (entry, expected) in shown.iter().zip(model.keys.entries.values_mut()) {
        match expected.version {
            Some(version) => same("a version that must not change", &entry.version, &version)?,
            None if entry.version > before => expected.version = Some(entry.version),
            None => return Err(format!("{entry:?} has no new version; the newest was {before}")),
        }
        model.keys.newest = model.keys.newest.max(entry.version);
    }
    Ok(())
}
