//! The cases, one file per theme.

pub(super) mod administration;
pub(super) mod begin_hand_over;
pub(super) mod browse;
pub(super) mod dead_letter;
pub(super) mod extend;
pub(super) mod history;
pub(super) mod reaping;
pub(super) mod receive;
pub(super) mod retention;
pub(super) mod send;
pub(super) mod settle;
pub(super) mod waiting;
