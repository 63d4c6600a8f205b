//! Whether the machine shows what the model expects.

use std::fmt::Debug;

use redrive_core::{ItemId, LetterId, Status};
use redrive_model::{ListItems, ListLetters, ListQueues, QueueSettings, ScanKeys, Which};
use redrive_queue::{LocatedItem, State, View};

use super::naive::{Document, Item, Model, Places, UNTOLD, slot_of};

/// What is wrong, in words.
pub(crate) type Checked<T = ()> = Result<T, String>;

pub(crate) const ALL: usize = usize::MAX;

pub(crate) fn same<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Checked {
    if found == expected { Ok(()) } else { Err(format!("{what}:\n   found {found:?}\nexpected {expected:?}")) }
}

/// Everything that the machine shows, with the numbers of the queues.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) queues: Vec<(u32, QueueSettings)>,
    /// In the order of their ids.
    pub(crate) items: Vec<(u32, LocatedItem)>,
}

pub(crate) fn shown(state: &State) -> Checked<Shown> {
    let mut shown = Shown::default();
    for settings in (ListQueues { namespace: None, pivot: None, limit: ALL }).view(state) {
        let number = state.number_of(&settings.name).ok_or("a queue without a number")?;
        for partition in 0..settings.partitions {
            for which in [Which::Items, Which::Scheduled] {
                let list = ListItems { queue: settings.name.clone(), partition, which, pivot: None, limit: ALL };
                let items = list.view(state).map_err(|refusal| refusal.to_string())?;
                if !items.is_sorted_by_key(|item| item.info.id) {
                    return Err(format!("{which:?} of {} is not in the order of ids", settings.name));
                }
                if let Some(stray) = items.iter().find(|item| item.info.partition != partition) {
                    return Err(format!("{stray:?} is listed in partition {partition}"));
                }
                shown.items.extend(items.into_iter().map(|item| (number, item)));
            }
        }
        let statuses = vec![Status::Completed, Status::Archived];
        let finished = ListLetters { queue: settings.name.clone(), statuses, after: None, limit: ALL };
        let finished = finished.view(state).map_err(|refusal| refusal.to_string())?;
        shown.items.extend(finished.into_iter().map(|item| (number, item)));
        shown.queues.push((number, settings));
    }
    shown.items.sort_by_key(|(_, item)| item.info.id);
    Ok(shown)
}

/// Pairs the machine's items with the model's, by the order in which their ids were given; learns the ids, and
/// checks everything else that is said of them.
pub(crate) fn meet(state: &State, model: &mut Model, newest: Option<&ItemId>) -> Checked<Vec<ItemId>> {
    let listed = shown(state)?.items;
    for item in &mut model.items {
        // Where an id may have been kept, the machine says whether it was.
        if let Some(kept) = item.may_keep.take()
            && listed.iter().any(|(_, listed)| listed.info.id == item.info.id)
        {
            item.order = kept;
        }
    }
    model.items.sort_by_key(|item| item.order);
    if listed.len() != model.items.len() {
        let found: Vec<_> = listed.iter().map(|(queue, listed)| (queue, listed.info.id, listed.info.state)).collect();
        let expected: Vec<_> = model.items.iter().map(|item| (item.queue, item.id(), item.info.state)).collect();
        return Err(format!("other items than expected:\n   found {found:?}\nexpected {expected:?}"));
    }
    let mut told = Vec::new();
    for ((queue, listed), item) in listed.iter().zip(&mut model.items) {
        told.extend(learn_id(listed.info.id, item, newest)?);
        meet_one(*queue, listed, item)?;
    }
    model.newest = told.iter().max().copied().max(model.newest);
    meet_keys(state, model)?;
    Ok(told)
}

/// An id is greater than all that were told before, or it is the one of before; gives it where it is new.
fn learn_id(id: ItemId, item: &mut Item, newest: Option<&ItemId>) -> Checked<Option<ItemId>> {
    if item.told == item.order {
        return same("an id that should have stayed", &id, &item.id()).map(|()| None);
    }
    let is_in_place = item.id().ksuid() == UNTOLD || slot_of(id) == slot_of(item.id());
    if Some(&id) <= newest || !is_in_place {
        return Err(format!("{id} is no new id of {item:?}; the newest was {newest:?}"));
    }
    item.told = item.order;
    item.info.id = id;
    Ok(Some(id))
}

fn meet_one(queue: u32, listed: &LocatedItem, item: &mut Item) -> Checked {
    let info = &listed.info;
    if let Some(letter) = item.letter_mut()
        && letter.id.ksuid() == UNTOLD
    {
        // A letter is called by the first id that it had, which may be over within one request.
        let first = info.letter.as_ref().map_or(info.id.ksuid(), |letter| letter.id.ksuid());
        let is_of_it = slot_of(ItemId::new(first)) == slot_of(info.id) && first <= info.id.ksuid();
        letter.id = LetterId::new(if is_of_it { first } else { info.id.ksuid() });
    }
    // Work is known by the id under which it was delivered first, a letter by its own.
    item.info.first_id = match (item.letter_id(), item.keeps_first) {
        (Some(letter), _) => ItemId::new(letter.ksuid()),
        (None, true) => item.info.first_id,
        (None, false) => info.id,
    };
    // Only the machine knows where documents are; of what kind they are, the model knows.
    let kinds: Vec<_> = listed.documents.iter().map(|document| document.kind).collect();
    let expected: Vec<_> = item.documents.iter().map(Document::kind).collect();
    same("the kinds of documents", &kinds, &expected)?;
    item.places = Places { content: listed.content, documents: listed.documents.clone() };
    item.info.is_edited = item.documents.iter().any(|document| matches!(document, Document::Original(_)));
    same("the queue of an item", &queue, &item.queue)?;
    same("an item", info, &item.info)
}

fn meet_keys(state: &State, model: &mut Model) -> Checked {
    let all = ScanKeys { prefix: Default::default(), from: Default::default(), limit: ALL }.view(state);
    let values: Vec<_> = all.iter().map(|entry| (&entry.key, &entry.value)).collect();
    let expected: Vec<_> = model.keys.entries.iter().map(|(key, entry)| (key, &entry.value)).collect();
    same("the keys", &values, &expected)?;
    let before = model.keys.newest;
    for (entry, expected) in all.iter().zip(model.keys.entries.values_mut()) {
        match expected.version {
            Some(version) => same("a version that should have stayed", &entry.version, &version)?,
            None if entry.version > before => expected.version = Some(entry.version),
            None => return Err(format!("{entry:?} has no new version; the newest was {before}")),
        }
        model.keys.newest = model.keys.newest.max(entry.version);
    }
    Ok(())
}
