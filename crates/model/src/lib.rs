//! Items, letters and queues, every request and reply about them, and the rules that every store shares.
//!
//! [`transition`] contains the rules: pure functions that map an item and an event to the changed item. [`capture`]
//! plans how failures become letters. A store finds the items, calls the rule and stores the result.
//!
//! It is not a store: it has no ordering, no index and no timer. Like `redrive-core`, it reads no clock and no random
//! number generator: both are passed in as an [`OpContext`].
//!
//! ```
//! use redrive_core::{Policy, QueueName, Time};
//! use redrive_model::transition::{self, Transition};
//! use redrive_model::{Event, LetterSettings, NewItem, OpContext, Phase, QueueRules, QueueSettings, Stamps};
//!
//! let settings = QueueSettings::new(QueueName::new("orders").unwrap());
//! let rules = QueueRules { settings: &settings, letters: &LetterSettings::default(), policy: &Policy::default() };
//! let op = OpContext::new(Time::from_secs(1_800_000_000), 42);
//! let mut stamps = Stamps::default();
//!
//! let mut item = transition::produced(&mut NewItem::of_payload("one"), &rules, (1, 0), op, &mut stamps);
//! transition::lease(&mut item, op.now.saturating_add(settings.lease_timeout), Some(op.now), None);
//! assert_eq!((item.phase, item.attempts), (Phase::Leased, 1));
//!
//! let transition::Step::Done(released) = transition::release(item, &rules, 0, op, &mut stamps) else { unreachable!() };
//! let Transition::Changed { item, event, .. } = released else { unreachable!() };
//! assert_eq!((item.phase, item.attempts, event), (Phase::Ready, 0, Event::Released));
//! ```
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `item`, `letter`, `queue` | an item, as small as possible; the additional data of a letter; settings and counters of a queue | [`Item`], [`Letter`] |
//! | `letter_settings` | the treatment of letters: effective settings, a queue's overrides, templates | [`LetterSettings`] |
//! | `request` | every request with its reply and the checks that need no other data, one per file | `request/produce.rs` |
//! | `rejection` | why a request is rejected, with a stable reason for programs | [`Rejection`] |
//! | [`transition`] | the rules: what an event does to an item, one per file | `transition/mod.rs` |
//! | [`capture`] | how a queue treats a failure, the plan of a capture, and the letters that it creates | `capture/plan.rs` |
//! | `view` | items and letters as they are shown | |
//! | [`codec`], `stamp`, `op_context`, `keys` | the stored form; ids; time and randomness of an operation; the key space | |
//! | `priority_rotation`, `micros`, `listed` | which priority is served next; values in documents; enums with a list of their members | |
//!
//! # Invariants
//!
//! - What an event does to one item or letter is decided here, once: (item, rules of the queue, required facts about
//!   its neighbours, context) → (the new item, its new documents, the event to count). What an operation decides about
//!   several items, or about a whole queue, is decided by the store: in `redrive-queue` for the embedded one.
//! - `Letter::new` is the only way to create a letter.
//! - The rules have no IO and are deterministic. Time and randomness are in [`OpContext`]; ids come from a
//!   [`StampSource`], and no stamp is drawn that is not used.
//! - One transition is one revision of a letter and counts its events once, however many documents it adds.
//!   [`transition::counted`] is the only place that determines what a transition is counted as; recovery calls it as
//!   well.
//! - A program never has to read the message of a [`Rejection`]: each one has a stable reason.

pub mod capture;
pub mod codec;
mod item;
mod kept_letter;
mod keys;
mod letter;
mod letter_settings;
mod listed;
mod micros;
mod op_context;
mod priority_rotation;
mod queue;
mod rejection;
mod rejection_value;
mod request;
mod stamp;
pub mod transition;
mod view;

pub use codec::CorruptRecord;
pub use item::{
    Content, DocumentEntry, DocumentKind, DocumentList, DocumentRef, FailureSummary, FormerLetter, Header, Item,
    ItemExtension, Phase, RareFields,
};
pub use kept_letter::{KeptLetter, KeptLetterError};
pub use keys::{KeyChange, KeyCondition, KeyEntry, KeyWrite};
pub use letter::{
    Attempt, CaptureContext, Cause, ClaimHolder, Coordinates, DeathReason, DeathRecord, Destination, FirstFailure,
    FullLetter, Letter, LetterFlags, LetterHeader, MaybeHash, MaybeTime, MetadataSize, Origin, Parts, PriorState,
    retries,
};
pub use letter_settings::{
    BrokenTemplate, Classified, LetterOverrides, LetterSettingKey, LetterSettings, LetterTemplate, Matched, Templates,
};
pub use op_context::OpContext;
pub use priority_rotation::PriorityRotation;
pub use queue::{
    EndReason, Event, FailureGroup, LetterCounts, LifetimeCounts, LiveCounts, QueueSettings, RateEvent, RecentRates,
    add_to_group, remove_from_group,
};
pub use redrive_core::{OnDuplicate, OnFull, OnLostDependency, RetryTerms};
pub use rejection::{Rejection, RejectionFields, UnknownRejection};
pub use request::*;
pub use stamp::{Stamp, StampSource, Stamps};
pub use transition::QueueRules;
pub use view::{ItemInfo, ItemState, LetterInfo};
