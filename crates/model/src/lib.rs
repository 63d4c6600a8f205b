//! Items, letters and queues, every request and reply about them, and the rules that every store shares.
//!
//! [`transition`] contains the rules: pure functions that map an item and an operation to the changed item. [`capture`]
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

pub mod capture;
pub mod codec;
mod item;
mod keys;
mod letter;
mod letter_settings;
mod micros;
mod op_context;
mod priority_rotation;
mod queue;
mod rejection;
mod request;
mod stamp;
pub mod transition;
mod view;

pub use codec::CorruptRecord;
pub use item::{
    Content, ContentError, DocumentEntry, DocumentKind, DocumentList, DocumentRef, FailureSummary, Header, Item,
    ItemExtension, Phase, RareFields,
};
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
pub use rejection::Rejection;
pub use request::*;
pub use stamp::{Stamp, StampSource, Stamps};
pub use transition::QueueRules;
pub use view::{ItemInfo, ItemState, LetterInfo};
