//! Items in the replies of a store.

use std::sync::Arc;

use crate::{CaptureContext, Content, ItemInfo};

/// An item with its content.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredItem {
    pub info: ItemInfo,
    pub content: Arc<Content>,
    /// Set on leased and claimed items only, if there is a capture context or a note of an earlier holder.
    pub context: Option<Box<DeliveryContext>>,
}

/// Data for the holder of an item besides the content.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeliveryContext {
    /// The capture context of a letter.
    pub capture: Option<CaptureContext>,
    /// The remaining parts of the work; `None` if no part has been completed.
    pub parts: Option<Vec<String>>,
    /// The text of the latest failure, if the holder left it as a [note](crate::DeliveryNotes).
    pub error: Option<String>,
    /// The verdict that an earlier holder left.
    pub verdict: Option<String>,
}
