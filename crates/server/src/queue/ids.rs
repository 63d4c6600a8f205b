//! Reads item ids.

use redrive_core::ItemId;

use crate::fault::Fault;

pub(crate) fn item_id(text: &str) -> Result<ItemId, Fault> {
    text.parse().map(ItemId::new).map_err(|error| Fault::bad(format!("invalid storage id; '{text}': {error}")))
}

/// The ids before the first invalid one, and the fault of that one: the ids before it are still processed.
pub(crate) fn valid_ids<'t>(texts: impl Iterator<Item = &'t str>) -> (Vec<ItemId>, Result<(), Fault>) {
    let mut ids = Vec::with_capacity(texts.size_hint().0);
    for text in texts {
        match item_id(text) {
            Ok(id) => ids.push(id),
            Err(fault) => return (ids, Err(fault)),
        }
    }
    (ids, Ok(()))
}
