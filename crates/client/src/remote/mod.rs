//! The queues of a server as those of a store, and with it as a source of work.

mod batches;
mod capture;
mod claiming;
mod error;
mod item;
mod letter;
mod letter_box;
mod letter_refusal;
mod letters;
mod queue;
mod settings;
mod settlement;
mod store;

pub use letter_box::RemoteLetterBox;
pub use queue::remote_queue;
pub use store::RemoteStore;
