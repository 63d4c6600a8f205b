//! Failures on their way to becoming letters.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use redrive_core::{Category, Fingerprint, PolicySource, Priority, RetryPolicy, Time};

use crate::{Attempt, Content, Dossier, Papers};

/// A failure with all that is known of it.
#[derive(Debug, Clone)]
pub struct NewLetter {
    /// Unique among the live letters of the queue.
    pub source_id: Box<str>,
    pub content: Arc<Content>,
    pub dossier: Dossier,
    /// The attempt that failed.
    pub attempt: Attempt,
    pub category: Category,
    pub fingerprint: Fingerprint,
    pub policy: RetryPolicy,
    /// Who says so. By `Default` nobody does: the queue's own default goes before `policy`, which is derived then.
    pub policy_source: PolicySource,
    /// The queue's own number, where nothing is said.
    pub max_retries: Option<u32>,
    pub priority: Priority,
    /// Whose breaker holds its retries back; the name of its origin, usually.
    pub destination: Arc<str>,
    pub failed_at: Time,
}

impl NewLetter {
    pub const DESTINATION_BYTES_MAX: usize = 1024;
}

/// The failures of one request. Clones are the same ones.
///
/// Requests are worked through one after the other. Whoever handed one over may [`prepare`](Self::prepare) its letters
/// until it is answered: those who wait are many.
#[derive(Debug, Clone)]
pub struct NewLetters(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    letters: Vec<NewLetter>,
    /// Of each letter, once somebody has made it.
    forms: Box<[OnceLock<Form>]>,
}

/// What a letter becomes that needs nothing but the failure itself.
#[derive(Debug)]
pub(super) struct Form {
    /// Of the payload.
    pub(super) digest: [u8; 16],
    pub(super) papers: Papers,
}

impl NewLetters {
    /// Makes of each letter, as it is asked for the next, what does not depend on the state, unless somebody has. Tells how
    /// many bytes were gone through for it.
    pub fn prepare(&self) -> impl Iterator<Item = usize> {
        self.forms().map(|formed| match formed.form.get() {
            Some(_) => 0,
            None => {
                let Papers { dossier, attempt } = &formed.form().papers;
                formed.letter.content.payload.len() + dossier.len() + attempt.len()
            }
        })
    }

    /// Each with its form.
    pub(super) fn forms(&self) -> impl Iterator<Item = Formed<'_>> {
        self.iter().zip(&self.0.forms).map(|(letter, form)| Formed { letter, form })
    }
}

/// A failure with what is made of it when it is needed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Formed<'l> {
    pub(super) letter: &'l NewLetter,
    form: &'l OnceLock<Form>,
}

impl<'l> Formed<'l> {
    /// Nobody waits for another who is at it, and may have been interrupted: both make the same then.
    pub(super) fn form(self) -> &'l Form {
        self.form.get().unwrap_or_else(|| {
            let made = Form::of(self.letter);
            self.form.get_or_init(|| made)
        })
    }
}

impl Form {
    fn of(letter: &NewLetter) -> Self {
        Self { digest: letter.content.digest(), papers: Papers::of(&letter.dossier, &letter.attempt) }
    }
}

impl From<Vec<NewLetter>> for NewLetters {
    fn from(letters: Vec<NewLetter>) -> Self {
        let forms = letters.iter().map(|_| OnceLock::new()).collect();
        Self(Arc::new(Shared { letters, forms }))
    }
}

impl Deref for NewLetters {
    type Target = [NewLetter];

    fn deref(&self) -> &[NewLetter] {
        &self.0.letters
    }
}
