//! A queue of a server as a source, and a letter box whose letters are stored by a server.

mod batches;
mod capture;
mod claiming;
mod error;
mod item;
mod letter_box;
mod letter_refusal;
mod queue;
mod settings;
mod settlement;
mod store;

pub use letter_box::RemoteLetterBox;
pub use queue::remote_queue;
pub use store::RemoteStore;
