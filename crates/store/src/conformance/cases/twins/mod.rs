//! Operations on many items, compared with the rules item by item.
//!
//! A store may lease, complete, clear or promote a thousand items in one statement instead of calling a rule for each.
//! The result must be the same as that of the rules. [`specimens`] creates items in every phase: plain items, letters,
//! items without attempts left, expired ones, and those that are redelivered for their hand-over only. [`RuleModel`]
//! applies the rules of [`redrive_model::transition`] to each of them, and after every operation compares the result
//! with the store: the items, the documents of letters, and the counters of the queues.

mod as_item;
mod population;
mod removed;
mod rule_model;
mod specimens;
mod time;
mod verbs;

use population::Population;
use rule_model::RuleModel;

pub(in crate::conformance) use removed::{
    a_clear_of_everything_is_the_rule, a_clear_of_leased_items_is_the_rule, a_clear_of_ready_items_is_the_rule,
    a_clear_of_scheduled_items_is_the_rule, a_deletion_is_the_rule, a_purge_is_the_rule,
};
pub(in crate::conformance) use time::what_time_does_is_the_rule;
pub(in crate::conformance) use verbs::{
    a_complete_is_the_rule, a_lease_is_the_rule, a_produce_is_the_rule, an_extension_is_the_rule,
};
