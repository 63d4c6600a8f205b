//! Items as a store answers with them.

use std::sync::Arc;

use crate::{CaptureContext, Content, ItemInfo};

/// An item with its content.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredItem {
    pub info: ItemInfo,
    pub content: Arc<Content>,
    /// Set on leased and claimed items only, where there is something to know.
    pub context: Option<Box<DeliveryContext>>,
}

/// What the holder of an item should know besides its content.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeliveryContext {
    /// What was known of a letter at its capture.
    pub capture: Option<CaptureContext>,
    /// The parts of the work that are still to be done, where some are done.
    pub parts: Option<Vec<String>>,
}
