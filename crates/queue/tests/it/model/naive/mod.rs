//! The same queues again, without any cleverness: vectors that are searched from end to end.
//!
//! Written from the reference, not from the machine. It does not know which ids the machine gives, only in which
//! order they must come: [`Item::order`](item::Item::order).

mod administration;
mod arrival;
mod capture;
mod death;
mod dependency;
mod feed;
mod item;
mod keys;
mod lease;
mod letters;
mod model;
mod queue;
mod reinstate;
mod removal;
mod reply;
mod settle;
mod time;

pub(crate) use feed::{Change, Feed};
pub(crate) use item::{Document, Item, Number, Places, UNTOLD, slot_of};
pub(crate) use keys::Keys;
pub(crate) use model::Model;
pub(crate) use queue::Queue;
pub(crate) use reinstate::NotBack;
pub(crate) use reply::Reply;
