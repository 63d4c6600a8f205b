//! `redrive letters bulk`, and the acts on a group of letters.

mod action;
mod bulk;
mod execute;

pub(super) use action::Action;
pub(super) use bulk::{Arguments, Scope, act};
pub(super) use execute::{BulkScope, execute};
