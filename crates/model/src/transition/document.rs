//! The documents that a transition adds to its item.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{Outcome, Time, Trigger};

use crate::{Attempt, CaptureContext, Content, DeliveryNotes, DocumentKind, Item, Parts};

/// A document to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewDocument {
    /// The content as produced or captured.
    Content(Arc<Content>),
    /// An edited content; the first content is kept as the original.
    Edited(Arc<Content>),
    /// Any other kind, encoded.
    Other(DocumentKind, Bytes),
}

impl NewDocument {
    pub fn attempt(attempt: &Attempt) -> Self {
        Self::Other(DocumentKind::Attempt, attempt.document())
    }

    pub fn context(context: &CaptureContext) -> Self {
        Self::Other(DocumentKind::Context, context.document())
    }

    pub const fn note(note: Bytes) -> Self {
        Self::Other(DocumentKind::Note, note)
    }

    /// The remaining parts of the work.
    pub fn parts(parts: &[String]) -> Self {
        Self::Other(DocumentKind::Parts, Parts::document(parts))
    }

    /// The notes of a holder for the next delivery.
    pub fn notes(notes: &DeliveryNotes) -> impl Iterator<Item = Self> {
        let texts = [(DocumentKind::LastError, &notes.error), (DocumentKind::Verdict, &notes.verdict)];
        let texts = texts
            .map(|(kind, text)| text.as_ref().map(|text| Self::Other(kind, Bytes::copy_from_slice(text.as_bytes()))));
        let parts = (!notes.parts.is_empty()).then(|| Self::parts(&notes.parts));
        texts.into_iter().flatten().chain(parts)
    }

    /// The record of a charged attempt. If its holder reported none, it has the outcome and the time.
    pub(super) fn record(item: &Item, attempt: Option<&Attempt>, outcome: Outcome, now: Time) -> Self {
        let trigger = item.letter().map_or(Trigger::Automatic, |letter| letter.trigger);
        attempt.map_or_else(|| Self::attempt(&Attempt::ended(trigger, outcome, now)), Self::attempt)
    }

    /// The documents of a failed attempt: the failed parts, if any, and its record.
    pub(super) fn of_failure(item: &Item, attempt: Option<&Attempt>, charged: bool, now: Time) -> Vec<Self> {
        let parts = attempt.filter(|attempt| !attempt.failed_parts.is_empty());
        let parts = parts.map(|attempt| Self::parts(&attempt.failed_parts));
        let is_recorded = charged || attempt.is_some();
        let record = is_recorded.then(|| Self::record(item, attempt, Outcome::Failure, now));
        parts.into_iter().chain(record).collect()
    }
}
