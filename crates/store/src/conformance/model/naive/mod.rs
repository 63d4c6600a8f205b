//! A naive model of a store: plain vectors with linear search.
//!
//! It was written from the reference, not from the store. It does not know which ids the store assigns, only their
//! order: [`Item::order`](item::Item::order).

mod administration;
mod answers;
mod arrival;
mod capture;
mod death;
mod dependency;
mod expected;
mod feed;
mod hand_back;
mod in_ids;
mod item;
mod keys;
mod lease;
mod letters;
mod model;
mod order;
mod queue;
mod reinstate;
mod remembered_id;
mod remembered_request;
mod removal;
mod settle;
mod ties;
mod time;

pub use expected::{Expected, ExpectedCapture, NotHandedBack, NotReinstated, ProducedAs};
pub use feed::{Change, Feed};
pub use item::{Document, Item, Number, UNKNOWN_ID};
pub use keys::Keys;
pub use model::Model;
pub use queue::{Bounds, Queue};
pub use remembered_id::RememberedId;
pub use remembered_request::RememberedRequest;
pub use ties::TieOrder;
