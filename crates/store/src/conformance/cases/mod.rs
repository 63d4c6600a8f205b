//! The rules, by theme. A case that is not in the list is dead code, and does not compile.

pub(super) mod attempts;
pub(super) mod bad_input;
pub(super) mod clear_and_delete;
pub(super) mod counters;
pub(super) mod dead_queues;
pub(super) mod feed;
pub(super) mod import_export;
pub(super) mod keys;
pub(super) mod lease;
pub(super) mod letters_auto_archive;
pub(super) mod letters_by_hand;
pub(super) mod letters_capture;
pub(super) mod letters_claim;
pub(super) mod letters_dependencies;
pub(super) mod letters_found;
pub(super) mod letters_late;
pub(super) mod letters_lost_dependencies;
pub(super) mod letters_overflow;
pub(super) mod letters_reinstated;
pub(super) mod letters_seen;
pub(super) mod produce;
pub(super) mod queues;
pub(super) mod restart;
pub(super) mod settle;
pub(super) mod waiting;
pub(super) mod waiting_claims;
