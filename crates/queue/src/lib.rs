//! The deterministic state machine of a single-process, in-memory Redrive store.
//!
//! Requests of `redrive-model` ([`Apply`]) and time ([`Tick`]) change a [`State`]. Each operation finds its items,
//! calls the rule and records [`Facts`], which change the state. Applying the same facts again
//! ([`State::recover`]) gives the same state: after a crash, on another machine, in a test.
//!
//! It is not a store: it reads no clock, no disk and no network. Time and randomness are passed in as an
//! [`OpContext`](redrive_model::OpContext); payloads are passed out with the facts, and only their
//! [`DocumentRef`](redrive_model::DocumentRef) is kept in memory. It has no rules about what an event does to one item
//! or letter: those are in `redrive_model::transition` and `redrive_model::capture`.
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
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `ops` | how each request finds its items, what it decides about all of them, which rule it calls and what it records, one per file. Start reading at `ops/archive.rs`, then `ops/settle.rs` |
//! | `state` | the whole state: `commit` calls a rule and records its result, `apply` applies a fact, `checkpoint` writes the state piece by piece, `salvage` rebuilds it from a history with gaps, `verify` checks that all indexes follow from the items |
//! | `fact` | recorded events; their encoding is in `docs/store-format.md` |
//! | `slab`, `located_item` | the slots of the items; an item with its slot |
//! | `queue` | one queue: partitions, orders, counters |
//! | `sorted` | sorted keys, packed in chunks: the basis of orders, timers and indexes of letters |
//! | `timers`, `index`, `keys`, `feed` | due items; source ids and coordinates; the ordered key space; changed letters for readers that keep copies |
//! | `answers`, `remembered_ids` | answers of requests with an id, for callers that repeat them; message ids that outlive their items |
//! | `placement` | the choice of a partition |
//!
//! # Invariants
//!
//! - What is recovered changes only by facts, in `state/apply.rs`: an operation reads, calls a rule, then records
//!   facts, and recovery reads the same facts.
//! - What changes without a fact is not recovered, or follows from what is: settings that the owner gives when it opens
//!   the store (`State::set_letter_settings`, `set_answer_limits`); the places of documents once a batch is stored
//!   (`kept`); rates (`count_left`), the count of new groups and that of overdue letters (`catch_up`); the timer of an item that was
//!   cleared (`Tick`); notices that the owner takes (`take_freed`, `take_woken` and others); and queues that a test has
//!   frozen.
//! - A fact states what is true, not what was requested. It contains ids, deadlines, partitions and positions in the
//!   feed, so that a newer version which would choose differently reads the same history.
//! - Nothing that grows with the number of items is ever copied, scanned or counted in one operation. Orders and timers
//!   are trees of small chunks, items are stored in chunks, names are in many small tables, counters are maintained
//!   incrementally. Clearing or deleting a queue sets whole orders aside, and their slots are reclaimed a few at a
//!   time. (Exception: the letters of a queue are cleared one by one.)
//! - Decisions that need an index are made here: which items a request finds, whether two of them conflict, repeated
//!   requests, limits of a queue, chains of dead queues, cycles of dependencies, and which lease gets which item.

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
mod slab;
mod sorted;
mod state;
mod timers;

pub use answers::AnswerLimits;
pub use apply::{Apply, View};
pub use fact::{Facts, KeptDocuments, Pending, Recorded};
pub use located_item::LocatedItem;
pub use ops::{ChangesPage, Grant, LetterChange, Relocate, ServeLeases, SetAside, Tick};
pub use state::{Checkpoint, KnownSettings, LetterEventKind, LetterLogEvent, Loss, LostItem, Mismatch, Salvage, State};
