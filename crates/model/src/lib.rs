//! Items, letters and queues, and every request and answer about them.

pub mod capture;
mod codec;
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

pub use codec::{CorruptRecord, RecordReader, RecordWriter};
pub use item::{
    Content, ContentError, DocumentEntry, DocumentKind, DocumentList, DocumentRef, FailureSummary, Header, Item,
    ItemExtension, Phase, RareFields,
};
pub use keys::{KeyChange, KeyCondition, KeyEntry, KeyWrite};
pub use letter::{
    Attempt, CaptureContext, Cause, Coordinates, DeathReason, DeathRecord, Destination, FirstFailure, FullLetter,
    Letter, LetterHeader, MaybeHash, MaybeTime, Origin, Parts, PriorState, retries,
};
pub use letter_settings::{
    BrokenTemplate, LetterOverrides, LetterSettingKey, LetterSettings, LetterTemplate, Matched, Templates,
};
pub use op_context::OpContext;
pub use priority_rotation::PriorityRotation;
pub use queue::{
    EndReason, Event, FailureGroup, LetterCounts, LifetimeCounts, QueueSettings, RateEvent, RecentRates, add_to_group,
    remove_from_group,
};
pub use redrive_core::{OnDuplicate, OnFull, OnLostDependency, RetryTerms};
pub use rejection::Rejection;
pub use request::*;
pub use stamp::{Stamp, StampSource, Stamps};
pub use transition::QueueRules;
pub use view::{ItemInfo, ItemState, LetterInfo};
