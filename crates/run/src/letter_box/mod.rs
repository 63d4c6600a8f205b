//! The hand-over of failed work from a guard, a runner or an importer to a dead queue.

mod dead_queue;
mod letter_box;
mod store_letter_box;

pub use dead_queue::DeadQueue;
pub use letter_box::{LetterBox, NotCaptured, Posted};
pub use store_letter_box::StoreLetterBox;
