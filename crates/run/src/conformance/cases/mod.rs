//! The cases, by theme. A case that is missing in the list is dead code and does not compile.

pub(super) mod attempts;
pub(super) mod claims;
pub(super) mod concurrency;
pub(super) mod dead_letters;
pub(super) mod dropped_claims;
pub(super) mod fences;
pub(super) mod hand_over;
pub(super) mod identity;
pub(super) mod leases;
pub(super) mod lost_answers;
pub(super) mod order;
pub(super) mod parts;
pub(super) mod redelivery;
pub(super) mod restart;
pub(super) mod revoked;
