//! The deterministic state machine of Redrive: queues, items, leases, letters.
//!
//! A [`State`] is changed by operations ([`Produce`], [`Lease`], [`Settle`], [`Capture`], [`Tick`] …). Each
//! says what it needs, looks, and records [`Facts`]; the state itself changes only by facts. Whoever keeps
//! the facts and applies them again ([`State::recover`]) has the same state: after a crash, on another
//! machine, in a test.
//!
//! It is not a store: nothing here reads a clock, a disk or the network. Time and randomness come in as a
//! [`OpContext`]; payloads go out with the facts, and only their [`DocumentRef`] is remembered.
//!
//! ```
//! use redrive_core::{QueueName, Time};
//! use redrive_model::{CreateQueue, LeaseSpec, NewItem, OpContext, Produce, QueueSettings};
//! use redrive_queue::{Facts, Lease, State};
//!
//! let mut state = State::new();
//! let mut facts = Facts::new();
//! let moment = OpContext::new(Time::from_secs(1_800_000_000), 42);
//! let orders = QueueName::new("orders").unwrap();
//!
//! CreateQueue { settings: QueueSettings::new(orders.clone()) }.apply(&mut state, moment, &mut facts).unwrap();
//! let items = vec![NewItem::of_payload("one"), NewItem::of_payload("two")];
//! Produce { queue: orders.clone(), items }.apply(&mut state, moment, &mut facts).unwrap();
//!
//! let queue = state.number_of(&orders).unwrap();
//! let requests = [LeaseSpec { batch: 10, lease: None }];
//! let grants = Lease { queue, requests: &requests }.apply(&mut state, moment, &mut facts);
//! assert_eq!(grants[0].items.len(), 2);
//! assert_eq!(grants[0].items[0].attempts, 1);
//! ```

mod apply;
mod fact;
mod feed;
mod index;
mod keys;
mod located_item;
mod ops;
mod placement;
mod queue;
mod share;
mod slab;
mod sorted;
mod state;
mod timers;

pub use apply::{Apply, View};
pub use fact::{Facts, KeptDocuments, Pending, Recorded};
pub use located_item::LocatedItem;
pub use ops::{ChangesPage, Grant, LetterChange, Relocate, ServeLeases, Tick};
pub use placement::Placement;
pub use share::share_evenly;
pub use state::{Checkpoint, Mismatch, State};
