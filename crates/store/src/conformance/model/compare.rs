//! Whether a store shows what the model expects.

use std::fmt::Debug;

use redrive_core::{ItemId, LetterId};
use redrive_model::{ItemInfo, KeyEntry};

use super::naive::{Document, Item, Model, UNKNOWN_ID};

/// What is wrong, in words.
pub type Checked<T = ()> = Result<T, String>;

pub fn same<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Checked {
    if found == expected { Ok(()) } else { Err(format!("{what}:\n   found {found:?}\nexpected {expected:?}")) }
}

/// Pairs items with the model's, by the order in which their ids were given; learns the ids, and checks everything else that
/// is said of them. The items come in the order of their ids, each with the number of its queue.
///
/// Gives the ids that are new. Afterwards the items of the model stand in the same order.
pub fn pair(model: &mut Model, shown: &[(u32, &ItemInfo)]) -> Checked<Vec<ItemId>> {
    for item in &mut model.items {
        // Where an id may have been kept, the store says whether it was.
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

/// Learns the ids of an item; gives the one of today where that is new.
pub(super) fn learn(info: &ItemInfo, item: &mut Item, newest: Option<ItemId>) -> Checked<Option<ItemId>> {
    let learned = learn_id(info.id, item, newest)?;
    if let Some(letter) = &info.letter {
        learn_letter(letter.id, item, newest)?;
    }
    // Work is known by the id under which it was delivered first, a letter by its own.
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

/// An id is greater than all that were shown before, or it is the one of before; gives it where it is new.
pub(super) fn learn_id(id: ItemId, item: &mut Item, newest: Option<ItemId>) -> Checked<Option<ItemId>> {
    if item.known_order == item.order {
        return same("an id that should have stayed", &id, &item.id()).map(|()| None);
    }
    if Some(id) <= newest {
        return Err(format!("{id} is no new id of {item:?}; the newest was {newest:?}"));
    }
    item.known_order = item.order;
    item.info.id = id;
    Ok(Some(id))
}

/// A letter is called by the first id that it had, which may be over within one request.
pub(super) fn learn_letter(id: LetterId, item: &mut Item, newest: Option<ItemId>) -> Checked {
    let Some(letter) = item.letter_mut().filter(|letter| letter.id.ksuid() == UNKNOWN_ID) else { return Ok(()) };
    if Some(ItemId::new(id.ksuid())) <= newest {
        return Err(format!("{id} is no new id of a letter; the newest was {newest:?}"));
    }
    letter.id = id;
    Ok(())
}

/// Compares the key space, and learns the versions of what was written.
pub fn pair_keys(model: &mut Model, shown: &[KeyEntry]) -> Checked {
    let values: Vec<_> = shown.iter().map(|entry| (&entry.key, &entry.value)).collect();
    let expected: Vec<_> = model.keys.entries.iter().map(|(key, entry)| (key, &entry.value)).collect();
    same("the keys", &values, &expected)?;
    let before = model.keys.newest;
    for (entry, expected) in shown.iter().zip(model.keys.entries.values_mut()) {
        match expected.version {
            Some(version) => same("a version that should have stayed", &entry.version, &version)?,
            None if entry.version > before => expected.version = Some(entry.version),
            None => return Err(format!("{entry:?} has no new version; the newest was {before}")),
        }
        model.keys.newest = model.keys.newest.max(entry.version);
    }
    Ok(())
}
