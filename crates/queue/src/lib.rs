//! The deterministic state machine of Redrive: what is particular to one process with everything in memory.
//!
//! A [`State`] is changed by the requests of `redrive-model` ([`Apply`]) and by time ([`Tick`]). Each finds its items, calls
//! the rule and records [`Facts`]; the state itself changes only by facts. Facts that are applied again
//! ([`State::recover`]) give the same state: after a crash, on another machine, in a test.
//!
//! It is not a store: nothing here reads a clock, a disk or the network. Time and randomness come in as an
//! [`OpContext`](redrive_model::OpContext); payloads go out with the facts, and only their
//! [`DocumentRef`](redrive_model::DocumentRef) is remembered. Nor has it rules of its own about items and letters: those are
//! in `redrive_model::transition` and `redrive_model::capture`.
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
//! let requests = [LeaseSpec { batch: 10, lease: None }];
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
pub use state::{Checkpoint, KnownSettings, LetterNews, LetterTurn, Loss, LostItem, Mismatch, Salvage, State};
