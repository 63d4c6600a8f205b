//! The failures of a capture request.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use redrive_core::{Category, DelayHint, Fingerprint, PolicySource, Priority, RetryPolicy, Time};

use crate::{Attempt, CaptureContext, Content, Coordinates, LetterHeader};

/// A failure to capture, fully assessed.
#[derive(Debug, Clone)]
pub struct NewLetter {
    /// Unique among the live letters of the queue.
    pub source_id: Box<str>,
    pub content: Arc<Content>,
    pub context: CaptureContext,
    /// The attempt that failed.
    pub attempt: Attempt,
    pub category: Category,
    pub fingerprint: Fingerprint,
    pub policy: RetryPolicy,
    pub policy_source: PolicySource,
    pub max_retries: u32,
    /// The delay before the first retry that the failure requests.
    pub hint: DelayHint,
    pub priority: Priority,
    /// The destination whose circuit breaker may delay the retries; usually the name of the origin.
    pub destination: Arc<str>,
    pub failed_at: Time,
    /// See [`FailedWork::is_of_source`](crate::capture::FailedWork::is_of_source).
    pub is_of_source: bool,
}

/// The failures of one request. Clones share them.
///
/// A store processes requests sequentially. While a request waits, the caller may [`prepare`](Self::prepare) its
/// letters to reduce the work of the store.
#[derive(Debug, Clone)]
pub struct CaptureBatch(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    letters: Vec<NewLetter>,
    /// The coordinates of each letter: all of them are looked up in the queue before the first letter is created.
    coordinates: Box<[Option<Coordinates>]>,
    /// The prepared data of each letter.
    prepared: Box<[OnceLock<PreparedLetter>]>,
}

/// Data derived from a failure only, independent of its queue.
#[derive(Debug)]
pub struct PreparedLetter {
    /// The digest of the payload.
    pub digest: [u8; 16],
    pub header: LetterHeader,
}

impl CaptureBatch {
    /// Prepares the next letter each time the iterator is advanced, unless it is already prepared. Yields the number of
    /// bytes processed.
    pub fn prepare(&self) -> impl Iterator<Item = usize> {
        self.pending().map(|pending| match pending.prepared.get() {
            Some(_) => 0,
            None => {
                let LetterHeader { context, attempt } = &pending.prepared().header;
                pending.letter.content.payload.len() + context.len() + attempt.len()
            }
        })
    }

    pub fn pending(&self) -> impl Iterator<Item = PendingLetter<'_>> {
        let Shared { letters, coordinates, prepared } = &*self.0;
        let pending = letters.iter().zip(coordinates).zip(prepared);
        pending.map(|((letter, coordinates), prepared)| PendingLetter { letter, coordinates, prepared })
    }
}

/// One failure of a request.
#[derive(Debug, Clone, Copy)]
pub struct PendingLetter<'l> {
    pub letter: &'l NewLetter,
    coordinates: &'l Option<Coordinates>,
    prepared: &'l OnceLock<PreparedLetter>,
}

impl<'l> PendingLetter<'l> {
    /// The coordinates of the message, if known.
    pub const fn coordinates(self) -> Option<&'l Coordinates> {
        self.coordinates.as_ref()
    }

    /// The prepared data, computed now if it was not before. Two threads that prepare the same letter at the same time
    /// do not wait for each other; both get the same result.
    pub fn prepared(self) -> &'l PreparedLetter {
        self.prepared.get().unwrap_or_else(|| {
            let prepared = PreparedLetter::of(self.letter);
            self.prepared.get_or_init(|| prepared)
        })
    }
}

impl PreparedLetter {
    fn of(letter: &NewLetter) -> Self {
        Self { digest: letter.content.digest(), header: LetterHeader::of(&letter.context, &letter.attempt) }
    }
}

impl From<Vec<NewLetter>> for CaptureBatch {
    fn from(letters: Vec<NewLetter>) -> Self {
        let coordinates = letters.iter().map(|letter| letter.context.origin.coordinates()).collect();
        let prepared = letters.iter().map(|_| OnceLock::new()).collect();
        Self(Arc::new(Shared { letters, coordinates, prepared }))
    }
}

impl Deref for CaptureBatch {
    type Target = [NewLetter];

    fn deref(&self) -> &[NewLetter] {
        &self.0.letters
    }
}
