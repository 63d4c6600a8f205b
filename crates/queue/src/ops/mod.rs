//! The operations: each is a request value with one method that applies it.
//!
//! An operation first reads the state, then records facts. A rejected operation changes nothing, except for operations
//! over a list that report a result per entry.

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
mod hand_back;
mod import;
mod lease;
mod lease_by_message_id;
mod letter_orders;
mod list_items;
mod list_letters;
mod list_queues;
mod produce;
mod purge;
mod reinstate;
mod relocate;
mod restore;
mod restore_if_unchanged;
mod resume;
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
