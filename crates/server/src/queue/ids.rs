//! Reads item ids.

use redrive_core::ItemId;

use crate::api_error::ApiError;

pub(crate) fn item_id(text: &str) -> Result<ItemId, ApiError> {
    text.parse().map(ItemId::new).map_err(|error| {
        ApiError::bad(format!("invalid storage id; '{text}': {error}")).because("bad_item_id").with("id", text)
    })
}

/// The ids before the first invalid one, and the error of that one: the ids before it are still processed.
pub(crate) fn valid_ids<'t>(texts: impl Iterator<Item = &'t str>) -> (Vec<ItemId>, Result<(), ApiError>) {
    let mut ids = Vec::with_capacity(texts.size_hint().0);
    for text in texts {
        match item_id(text) {
            Ok(id) => ids.push(id),
            Err(error) => return (ids, Err(error)),
        }
    }
    (ids, Ok(()))
}
