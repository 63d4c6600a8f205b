//! The operations: each a value that says what is wanted, with one method that does it.
//!
//! An operation first looks, then records facts. What it refuses has changed nothing, apart from those that
//! work through a list and say how far they came.

mod act_on_seen;
mod admit;
mod annotate;
mod archive;
mod bereave;
mod capture;
mod case;
mod changes;
mod claim;
mod clear;
mod complete;
mod create_queue;
mod delete_items;
mod delete_queue;
mod depend;
mod die;
mod edit;
mod extend;
mod find_letters;
mod give_back;
mod import;
mod late;
mod lease;
mod list_items;
mod list_letters;
mod list_queues;
mod new_letters;
mod produce;
mod purge;
mod reinstate;
mod relocate;
mod restore;
mod retry;
mod settle;
mod stats;
mod tick;
mod update_queue;
mod write_keys;

pub use act_on_seen::{ActOnSeen, Acted, SeenAct, SeenLetter};
pub use annotate::Annotate;
pub use archive::Archive;
pub use capture::{Capture, Captured};
pub use changes::{Changes, ChangesPage, Cursor, LetterChange};
pub use claim::{Claim, ClaimLetters, NamedLetter, Scope};
pub use clear::Clear;
pub use create_queue::CreateQueue;
pub use delete_items::DeleteItems;
pub use delete_queue::DeleteQueue;
pub use edit::Edit;
pub use extend::Extend;
pub use find_letters::{FindLetters, FoundLetters};
pub use import::{Import, ImportItem};
pub use lease::{Grant, Lease, Wanted};
pub use list_items::{GetItem, ListItems, Which};
pub use list_letters::{FaultGroup, GetLetter, Groups, ListLetters};
pub use list_queues::{GetQueue, ListQueues};
pub use new_letters::{NewLetter, NewLetters};
pub use produce::{NewItem, Produce, Produced, ProducedItem};
pub use purge::Purge;
pub use reinstate::{Older, Reinstate, Reinstated, WholeLetter};
pub use relocate::Relocate;
pub use restore::Restore;
pub use settle::{GiveUp, Settle, Settled, Settlement, Verb};
pub use stats::{Conservation, PartitionStats, QueueStats, Stats};
pub use tick::Tick;
pub use update_queue::UpdateQueue;
pub use write_keys::{GetKey, ScanKeys, WriteKeys};

/// An operation works through so many at most.
pub(crate) const ITEMS_MAX: usize = 65_536;
/// A source id is no place for data.
pub(crate) const SOURCE_ID_BYTES_MAX: usize = 512;
/// What is due in less than this is due now: the only case in which anything is early.
pub(crate) const SOON: redrive_core::Span = redrive_core::Span::from_millis(100);
/// No lease is longer.
pub(crate) const LEASE_MAX: redrive_core::Span = redrive_core::Span::from_days(366);

use crate::Refusal;

/// A list that is neither empty nor too long.
fn check_count(what: &'static str, count: usize) -> Result<(), Refusal> {
    match count {
        0 => Err(Refusal::Empty { what }),
        1..=ITEMS_MAX => Ok(()),
        _ => Err(Refusal::TooMany { what, count, most: ITEMS_MAX }),
    }
}

fn check_source_id(source_id: &str) -> Result<(), Refusal> {
    if source_id.is_empty() || source_id.len() > SOURCE_ID_BYTES_MAX {
        return Err(Refusal::BadSourceId { most: SOURCE_ID_BYTES_MAX });
    }
    Ok(())
}

fn check_lease(lease: redrive_core::Span) -> Result<(), Refusal> {
    if lease.is_zero() || lease > LEASE_MAX { Err(Refusal::BadLease { most: LEASE_MAX }) } else { Ok(()) }
}
