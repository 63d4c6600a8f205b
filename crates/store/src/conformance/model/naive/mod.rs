//! The same queues again, without any cleverness: vectors that are searched from end to end.
//!
//! Written from the reference, not from the store. It does not know which ids the store gives, only in which
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
mod ties;
mod time;

pub use feed::{Change, Feed};
pub use item::{Document, Item, Number, UNTOLD};
pub use keys::Keys;
pub use model::Model;
pub use queue::{Bounds, Queue};
pub use reinstate::NotBack;
pub use reply::{Reply, Told};
pub use ties::TieOrder;
