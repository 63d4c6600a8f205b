//! Compares the items of the machine with those of the model.

use std::collections::HashMap;

use redrive_core::{ItemId, Status};
use redrive_model::{
    DocumentEntry, DocumentRef, ItemInfo, ItemListKind, ListItems, ListLetters, ListQueues, QueueSettings, ScanKeys,
};
use redrive_queue::{LocatedItem, State, View};
pub(crate) use redrive_store::conformance::model::compare::{Checked, same};
use redrive_store::conformance::model::compare::{pair, pair_keys};
use redrive_store::conformance::model::naive::{Document, Model, Number, UNKNOWN_ID};

pub(crate) const ALL: usize = usize::MAX;

/// The places of an item's documents in the machine.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(crate) content: DocumentRef,
    pub(crate) documents: Vec<DocumentEntry>,
}

/// The places of the documents of all items.
pub(crate) type AllPlaces = HashMap<Number, Places>;

/// All queues and items that the machine lists, with the numbers of the queues.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) queues: Vec<(u32, QueueSettings)>,
    /// In id order.
    pub(crate) items: Vec<(u32, LocatedItem)>,
}

pub(crate) fn shown(state: &State) -> Checked<Shown> {
    let mut shown = Shown::default();
    for settings in (ListQueues { namespace: None, pivot: None, limit: ALL }).view(state) {
        let number = state.number_of(&settings.name).ok_or("a queue without a number")?;
        for partition in 0..settings.partitions {
            for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                let list = ListItems { queue: settings.name.clone(), partition, which, pivot: None, limit: ALL };
                let items = list.view(state).map_err(|rejection| rejection.to_string())?;
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
        let finished = finished.view(state).map_err(|rejection| rejection.to_string())?;
        shown.items.extend(finished.into_iter().map(|item| (number, item)));
        shown.queues.push((number, settings));
    }
    shown.items.sort_by_key(|(_, item)| item.info.id);
    Ok(shown)
}

/// Pairs the items of the machine with those of the model, copies their ids and the places of their documents, and
/// compares everything else. Returns the new ids.
pub(crate) fn pair_items(state: &State, model: &mut Model, places: &mut AllPlaces) -> Checked<Vec<ItemId>> {
    let listed = shown(state)?.items;
    let before: HashMap<Number, ItemId> = model.items.iter().map(|item| (item.number, item.id())).collect();
    let infos: Vec<(u32, &ItemInfo)> = listed.iter().map(|(queue, item)| (*queue, &item.info)).collect();
    let new_ids = pair(model, &infos)?;
    places.clear();
    for ((_, listed), item) in listed.into_iter().zip(&model.items) {
        let LocatedItem { info, content, documents } = listed;
        // All ids of an item end in its slot, except the letter id of a reinstated letter.
        let was = before.get(&item.number).copied().filter(|id| id.ksuid() != UNKNOWN_ID);
        let born = item.letter_id().filter(|_| !item.is_put_back).map(|letter| ItemId::new(letter.ksuid()));
        if let Some(moved) = was.into_iter().chain(born).find(|id| slot_of(*id) != slot_of(info.id)) {
            return Err(format!("{info:?} was {moved} before, in another slot"));
        }
        // The model knows the kinds of documents, but not their places.
        let kinds: Vec<_> = documents.iter().map(|document| document.kind).collect();
        let expected: Vec<_> = item.documents.iter().map(Document::kind).collect();
        same("the kinds of documents", &kinds, &expected)?;
        places.insert(item.number, Places { content, documents });
    }
    let keys = ScanKeys { prefix: Default::default(), from: Default::default(), limit: ALL }.view(state);
    pair_keys(model, &keys)?;
    Ok(new_ids)
}

/// The slot of an item, in which all its ids end.
pub(crate) fn slot_of(id: ItemId) -> u32 {
    let [.., a, b, c, d] = *id.ksuid().as_bytes();
    u32::from_be_bytes([a, b, c, d])
}
