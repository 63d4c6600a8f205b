//! The transition rules of items.
//!
//! Each rule is a pure function over one item: (the item, the rules of its queue, facts about other items, the context
//! of the operation) → the changed item, the documents to add and the event to count. A store finds the items, calls
//! the rule and stores the result. The rules read no clock, no disk and no index, so every store decides the same.
//!
//! A rule takes the item by value and returns it. The references to its documents and its position in the feed belong
//! to the store: a rule passes them through and never reads them.

mod archive;
mod claim;
mod complete;
mod count;
mod dependency;
mod die;
mod document;
mod due;
mod edit;
mod give_back;
mod give_up;
mod hand_back;
mod item;
mod late_result;
mod lease;
mod lose;
mod note;
mod pending_death;
mod produce;
mod queue_rules;
mod redeliver;
mod reinstate;
mod restore;
mod resume;
mod retry;
mod schedule;
mod set_aside;
mod transition;

pub use archive::archive;
pub use claim::{claim, claimable};
pub use complete::complete_letter;
pub use count::{Counted, counted, counted_end};
pub use dependency::{admit, dependency_completed, dependency_lost};
pub use die::{DeadQueueLookup, die};
pub use document::NewDocument;
pub use due::due;
pub use edit::{annotate, edit};
pub use give_back::{defer, release};
pub use give_up::{give_up_item, give_up_letter};
pub use hand_back::{hand_back, takes_further_failure};
pub use late_result::late_result;
pub use lease::{extend, lease, lease_by_message_id, set_deadline};
pub use lose::{lose_item, lose_letter};
pub use note::note;
pub use pending_death::PendingDeath;
pub use produce::{imported, produced};
pub use queue_rules::QueueRules;
pub use redeliver::redeliver_for_hand_over;
pub use reinstate::{ExistingCopy, existing_copy, reinstate, reinstated};
pub use restore::{restorable_beside, restore};
pub use resume::{resume, resume_obstacle};
pub use retry::{FailedAttempt, retry_item, retry_letter};
pub use schedule::Schedule;
pub use set_aside::set_aside;
pub use transition::{Step, Transition};
