//! A queue of a server as a source, and a letter box whose letters are stored by a server.

mod error;
mod letter_box;
mod queue;
mod store;

pub use letter_box::RemoteLetterBox;
pub use queue::remote_queue;
pub use store::RemoteStore;
