//! What the handlers saw, and what must have come of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::{RetryPolicy, Span, Time};

/// Attempts of an item, by policy and queue.
pub(super) const ATTEMPTS: u32 = 3;
/// Retries of a letter.
pub(super) const RETRIES: u32 = 2;
/// Between two attempts of an item.
pub(super) const DELAY: Span = Span::from_secs(10);

/// The story of one piece of work.
#[derive(Debug, Clone, Default)]
pub(super) struct Story {
    /// Attempts of the item that count.
    pub(super) charged: u32,
    /// Retries of the letter that failed.
    pub(super) retries: u32,
    /// Attempts that left a record.
    pub(super) records: u32,
    pub(super) is_dead: bool,
    pub(super) is_archived: bool,
    /// A handler said that it is done, and the claim was its own.
    pub(super) is_done: bool,
    /// It was done as a letter.
    pub(super) is_done_letter: bool,
    /// A handler is at work under today's claim.
    pub(super) is_running: bool,
    pub(super) not_before: Option<Time>,
    /// What is done under an older number is nobody's any more.
    pub(super) claim: u64,
    /// How often a handler began.
    pub(super) begun: u32,
    /// An attempt ended without a record: it was archived away.
    pub(super) is_blurred: bool,
}

/// What a handler says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Done,
    Transient,
    Permanent,
    Deferred(Time),
    Untouched,
    /// Nothing: it was dropped.
    Stopped,
}

#[derive(Debug)]
pub(super) struct Book {
    inner: Mutex<Inner>,
    /// How letters wait in this play.
    pub(super) policy: RetryPolicy,
    /// Claims may run out: only what holds even then is checked.
    pub(super) is_wild: bool,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) stories: BTreeMap<String, Story>,
    pub(super) problems: Vec<String>,
    pub(super) running: usize,
}

impl Book {
    pub(super) fn new(policy: RetryPolicy, is_wild: bool) -> Self {
        Self { inner: Mutex::default(), policy, is_wild }
    }

    pub(super) fn read(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A handler begins; gives the number of its claim, and how many began before it.
    pub(super) fn begin(&self, name: &str, is_letter: bool, attempt: u32, now: Time) -> (u64, u32) {
        let is_wild = self.is_wild;
        let mut inner = self.read();
        inner.running += 1;
        let Inner { stories, problems, .. } = &mut *inner;
        let Some(story) = stories.get_mut(name) else {
            problems.push(format!("{name} was never produced"));
            return (0, 0);
        };
        let mut check = |is_right: bool, what: &str| {
            if !is_right {
                problems.push(format!("{name} {what} (attempt {attempt}, letter {is_letter}, at {now}): {story:?}"));
            }
        };
        let most = if is_letter { RETRIES + 1 } else { ATTEMPTS };
        check(attempt <= most || is_letter && attempt <= most + story.retries, "is tried too often");
        if !is_wild {
            check(!story.is_done, "is tried after it was done");
            check(!story.is_running, "is tried twice at a time");
            check(!story.is_archived, "is tried though it is archived");
            check(is_letter == story.is_dead, "is tried in the wrong place");
            check(story.not_before.is_none_or(|not_before| not_before <= now), "is tried early");
            let expected = if is_letter { story.retries + 2 } else { story.charged + 1 };
            check(attempt == expected, "has another number of attempts");
        }
        story.is_running = true;
        story.begun += 1;
        (story.claim, story.begun)
    }

    /// A handler ends.
    pub(super) fn end(&self, name: &str, is_letter: bool, claim: u64, said: Said, now: Time) {
        let mut inner = self.read();
        inner.running -= 1;
        let Some(story) = inner.stories.get_mut(name).filter(|story| story.claim == claim) else { return };
        story.is_running = false;
        story.not_before = None;
        match said {
            Said::Done => {
                story.is_done = true;
                story.is_done_letter = is_letter;
                story.records += u32::from(is_letter);
            }
            Said::Deferred(until) => story.not_before = Some(until),
            Said::Untouched => {}
            Said::Transient | Said::Permanent | Said::Stopped => {
                story.records += 1;
                self.failed(story, is_letter, said == Said::Permanent, now);
            }
        }
    }

    /// An attempt of somebody's failed, and counts.
    pub(super) fn failed(&self, story: &mut Story, is_letter: bool, is_permanent: bool, now: Time) {
        if is_letter {
            story.retries += 1;
            story.not_before = Some(now.saturating_add(self.delay(story.retries)));
            return;
        }
        story.charged += 1;
        story.is_dead = is_permanent || story.charged >= ATTEMPTS;
        let delay = if story.is_dead { self.delay(0) } else { DELAY };
        story.not_before = Some(now.saturating_add(delay));
    }

    /// How long a letter waits after so many failed retries.
    fn delay(&self, retries: u32) -> Span {
        match self.policy {
            RetryPolicy::Linear => Span::from_mins(5).saturating_mul(u64::from(retries) + 1),
            _ => Span::ZERO,
        }
    }
}
