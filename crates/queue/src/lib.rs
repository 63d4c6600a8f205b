//! The deterministic state machine of a single-process, in-memory Redrive store.
//!
//! Requests of `redrive-model` ([`Apply`]) and time ([`Tick`]) change a [`State`]. Each operation finds its items,
//! calls the rule and records [`Facts`]; the state changes only by facts. Applying the same facts again
//! ([`State::recover`]) gives the same state: after a crash, on another machine, in a test.
//!
//! It is not a store: it reads no clock, no disk and no network. Time and randomness are passed in as an
//! [`OpContext`](redrive_model::OpContext); payloads are passed out with the facts, and only their
//! [`DocumentRef`](redrive_model::DocumentRef) is kept in memory. It has no rules for items and letters either: those
//! are in `redrive_model::transition` and `redrive_model::capture`.
//!
//! ```
//! use redrive_core::{QueueName, Time};
//! use redrive_model::{CreateQueue, LeaseSpec, NewItem, OpContext, Produce, QueueSettings};
//! use redrive_queue::{Apply, Facts, ServeLeases, State};
//!
//! let mut state = State::new();
//! let mut facts = Facts::new();
//! let op = OpContext::new(Time::from_secs(1_800_000_000), 42);
//! let orders = QueueName::new("orders").unwrap();
//!
//! CreateQueue { settings: QueueSettings::new(orders.clone()) }.apply(&mut state, op, &mut facts).unwrap();
//! let items = vec![NewItem::of_payload("one"), NewItem::of_payload("two")];
//! Produce::new(orders.clone(), items).apply(&mut state, op, &mut facts).unwrap();
//!
//! let queue = state.number_of(&orders).unwrap();
//! let requests = [LeaseSpec { batch: 10, lease: None, notes_receipt: false }];
//! let grants = ServeLeases { queue, requests: &requests }.apply(&mut state, op, &mut facts);
//! assert_eq!(grants[0].items.len(), 2);
//! assert_eq!(grants[0].items[0].info.attempts, 1);
//! ```

mod answers;
mod apply;
mod fact;
mod feed;
mod index;
mod keys;
mod located_item;
mod ops;
mod placement;
mod queue;
mod remembered_ids;
mod share;
mod slab;
mod sorted;
mod state;
mod timers;

pub use answers::AnswerLimits;
pub use apply::{Apply, View};
pub use fact::{Facts, KeptDocuments, Pending, Recorded};
pub use located_item::LocatedItem;
pub use ops::{ChangesPage, Grant, LetterChange, Relocate, ServeLeases, SetAside, Tick};
pub use placement::Placement;
pub use share::share_evenly;
pub use state::{Checkpoint, KnownSettings, LetterEventKind, LetterLogEvent, Loss, LostItem, Mismatch, Salvage, State};
