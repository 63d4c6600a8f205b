//! The operations: each a value that says what is wanted, with one method that does it.
//!
//! An operation first looks, then records facts. What it refuses has changed nothing, apart from those that
//! work through a list and say how far they came.

mod admit;
mod annotate;
mod archive;
mod capture;
mod capture_settings;
mod change_if_unchanged;
mod changes;
mod claim_by_id;
mod claim_due;
mod clear;
mod create_queue;
mod delete_items;
mod delete_queue;
mod dependency;
mod edit;
mod extend;
mod find_letters;
mod import;
mod lease;
mod list_items;
mod list_letters;
mod list_queues;
mod produce;
mod purge;
mod reinstate;
mod relocate;
mod restore;
mod set_aside;
mod settle;
mod stats;
mod tick;
mod update_queue;
mod write_keys;

pub use changes::{ChangesPage, LetterChange};
pub use lease::{Grant, ServeLeases};
pub use relocate::Relocate;
pub use set_aside::SetAside;
pub use tick::Tick;
