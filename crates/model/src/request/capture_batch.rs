//! Failures on their way to becoming letters.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use redrive_core::{Category, Fingerprint, PolicySource, Priority, RetryPolicy, Time};

use crate::{Attempt, CaptureContext, Content, Coordinates, LetterHeader};

/// A failure with all that is known of it.
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
    /// Who says so.
    pub policy_source: PolicySource,
    pub max_retries: u32,
    pub priority: Priority,
    /// Whose breaker holds its retries back; the name of its origin, usually.
    pub destination: Arc<str>,
    pub failed_at: Time,
}

/// The failures of one request. Clones share them.
///
/// A store works through requests one after the other. The caller may [`prepare`](Self::prepare) the letters of its request
/// until it is answered, so that the store has less to do.
#[derive(Debug, Clone)]
pub struct CaptureBatch(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    letters: Vec<NewLetter>,
    /// Of each letter: they are all compared with what the queue holds before the first letter is made.
    coordinates: Box<[Option<Coordinates>]>,
    /// Of each letter, once it was prepared.
    prepared: Box<[OnceLock<PreparedLetter>]>,
}

/// What follows from a failure alone, whatever its queue holds.
#[derive(Debug)]
pub struct PreparedLetter {
    /// Of the payload.
    pub digest: [u8; 16],
    pub header: LetterHeader,
}

impl CaptureBatch {
    /// Prepares the next letter each time the iterator is advanced, unless it is prepared already. Gives how many bytes
    /// were processed for it.
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

/// A failure that is to become a letter.
#[derive(Debug, Clone, Copy)]
pub struct PendingLetter<'l> {
    pub letter: &'l NewLetter,
    coordinates: &'l Option<Coordinates>,
    prepared: &'l OnceLock<PreparedLetter>,
}

impl<'l> PendingLetter<'l> {
    /// Which message it was made of, where that is known.
    pub const fn coordinates(self) -> Option<&'l Coordinates> {
        self.coordinates.as_ref()
    }

    /// What follows from it, prepared now if it was not before. Two threads that prepare it at once do not wait for each
    /// other: both get the same result.
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
