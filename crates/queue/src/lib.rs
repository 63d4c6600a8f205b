//! The deterministic state machine of Redrive: queues, items, leases, letters.
//!
//! A [`State`] is changed by operations ([`Produce`], [`Lease`], [`Settle`], [`Capture`], [`Tick`] …). Each
//! says what it needs, looks, and records [`Facts`]; the state itself changes only by facts. Whoever keeps
//! the facts and applies them again ([`State::recover`]) has the same state: after a crash, on another
//! machine, in a test.
//!
//! It is not a store: nothing here reads a clock, a disk or the network. Time and randomness come in as a
//! [`Moment`]; payloads go out with the facts, and only their [`Place`] is remembered.
//!
//! ```
//! use redrive_core::{QueueName, Time};
//! use redrive_queue::{CreateQueue, Facts, Lease, Moment, NewItem, Produce, QueueSettings, State, Wanted};
//!
//! let mut state = State::new();
//! let mut facts = Facts::new();
//! let moment = Moment::new(Time::from_secs(1_800_000_000), 42);
//! let orders = QueueName::new("orders").unwrap();
//!
//! CreateQueue { settings: QueueSettings::new(orders.clone()) }.apply(&mut state, moment, &mut facts).unwrap();
//! let items = vec![NewItem::of_payload("one"), NewItem::of_payload("two")];
//! Produce { queue: orders.clone(), items }.apply(&mut state, moment, &mut facts).unwrap();
//!
//! let queue = state.number_of(&orders).unwrap();
//! let requests = [Wanted { batch: 10, lease: None }];
//! let grants = Lease { queue, requests: &requests }.apply(&mut state, moment, &mut facts);
//! assert_eq!(grants[0].items.len(), 2);
//! assert_eq!(grants[0].items[0].attempts, 1);
//! ```

mod codec;
mod fact;
mod feed;
mod index;
mod item;
mod keys;
mod letter;
mod micros;
mod moment;
mod ops;
mod placement;
mod queue;
mod refusal;
mod share;
mod sorted;
mod stamp;
mod state;
mod timers;
mod treatment;
mod turns;
mod view;

pub use codec::Broken;
pub use fact::{Facts, Kept, Papers, Pending, Recorded};
pub use item::{Content, ContentError, Header, Place};
pub use keys::{KeyCondition, KeyEntry, KeyWrite};
pub use letter::{Attempt, Before, Cause, Death, DeathReason, Dossier, Origin, Parts};
pub use moment::Moment;
pub use ops::*;
pub use placement::Placement;
pub use queue::{Ending, Event, LetterCounts, Pace, QueueSettings, Tally, Why};
pub use redrive_core::{OnDuplicate, OnFull, OnLostDependency};
pub use refusal::Refusal;
pub use share::share;
pub use state::{Mismatch, State, Sweep};
pub use treatment::{BrokenTemplate, LetterKey, LetterSettings, LetterTemplate, Matched, Templates, Treatment};
pub use turns::Turns;
pub use view::{DocumentInfo, DocumentKind, ItemInfo, ItemState, LetterInfo};
