//! Verbs that a store may do for many items at once, compared with the rules item by item.
//!
//! A store may lease, complete, clear or promote a thousand items in one statement instead of calling a rule for each. What
//! comes of it must be what the rule gives. [`specimens`] makes items in every phase: plain ones, letters, items whose
//! attempts are spent, whose time is over, and such as are delivered for their hand-over only. [`Rulebook`] keeps each of
//! them as the rules of [`redrive_model::transition`] have it, and reads all of them back after every verb: the items, the
//! documents of letters, and what the queues count.

mod as_item;
mod population;
mod removed;
mod rulebook;
mod specimens;
mod time;
mod verbs;

use population::Population;
use rulebook::Rulebook;

pub(in crate::conformance) use removed::{
    a_clear_of_everything_is_the_rule, a_clear_of_leased_items_is_the_rule, a_clear_of_ready_items_is_the_rule,
    a_clear_of_scheduled_items_is_the_rule, a_deletion_is_the_rule, a_purge_is_the_rule,
};
pub(in crate::conformance) use time::what_time_does_is_the_rule;
pub(in crate::conformance) use verbs::{
    a_complete_is_the_rule, a_lease_is_the_rule, a_produce_is_the_rule, an_extension_is_the_rule,
};
