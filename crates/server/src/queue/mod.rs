//! `queue.*`: producing items, leasing them and settling them.

mod claim;
mod clear;
mod complete;
mod extend;
mod ids;
mod lease;
mod pause;
mod produce;
mod put;
mod reload;
mod reported_fault;
mod retry;
mod settle;
mod stats;
mod timeout;

pub(crate) use claim::Claim;
pub(crate) use clear::Clear;
pub(crate) use complete::Complete;
pub(crate) use extend::Extend;
pub(crate) use ids::item_id;
use ids::valid_ids;
pub(crate) use lease::Lease;
pub(crate) use pause::{Pause, Resume};
pub(crate) use produce::{Produce, payload};
pub(crate) use put::Put;
pub(crate) use reload::Reload;
pub(crate) use retry::Retry;
pub(crate) use settle::Settle;
pub(crate) use stats::Stats;
