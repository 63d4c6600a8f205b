//! The ways in which a delivery is finished, each with what is so afterwards.

use redrive_core::Time;

use super::bed::SourceBed;
use super::words::{ACK, DELAY, Got, dead_letter, payload, retry, retry_uncharged};
use crate::Resolution;

/// A resolution, without its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Ack,
    Drop,
    DeadLetter,
    Retry,
    RetryUncharged,
    Defer,
    Release,
    Condemn,
}

impl Way {
    pub(super) const ALL: [Self; 8] = [
        Self::Ack,
        Self::Drop,
        Self::DeadLetter,
        Self::Retry,
        Self::RetryUncharged,
        Self::Defer,
        Self::Release,
        Self::Condemn,
    ];

    /// Those after which the source keeps the work.
    pub(super) const BACK: [Self; 5] = [Self::Retry, Self::RetryUncharged, Self::Defer, Self::Release, Self::Condemn];

    /// Those after which it does not.
    pub(super) const END: [Self; 3] = [Self::Ack, Self::Drop, Self::DeadLetter];

    /// The resolution; one with a time says a little later.
    pub(super) fn resolution(self, now: Time) -> Resolution {
        let later = now.saturating_add(DELAY);
        match self {
            Self::Ack => ACK,
            Self::Drop => Resolution::Drop,
            Self::DeadLetter => dead_letter(),
            Self::Retry => retry(later),
            Self::RetryUncharged => retry_uncharged(later),
            Self::Defer => Resolution::Defer { until: later },
            Self::Release => Resolution::Release,
            Self::Condemn => Resolution::RedeliverForHandOver,
        }
    }

    /// It is yielded again, but not at once.
    pub(super) const fn is_for_later(self) -> bool {
        matches!(self, Self::Retry | Self::RetryUncharged | Self::Defer)
    }

    /// The attempt that the next delivery tells of, as far as there is a rule.
    pub(super) const fn next_attempt(self, attempt: u32) -> Option<u32> {
        match self {
            Self::Retry => Some(attempt + 1),
            Self::RetryUncharged | Self::Defer | Self::Release => Some(attempt),
            Self::Ack | Self::Drop | Self::DeadLetter | Self::Condemn => None,
        }
    }

    pub(super) async fn finish(self, bed: &SourceBed, got: &Got) {
        let answer = bed.settle(got, self.resolution(bed.now())).await;
        assert_eq!(answer, Ok(()), "{self:?} of a claim that is valid");
    }

    /// What this resolution did, and nothing else, has become of a delivery that was finished now. After it, the work is
    /// finished for good, and nothing else was there to claim.
    pub(super) async fn assert_done(self, bed: &SourceBed, before: &Got) {
        match self {
            Self::Ack | Self::Drop => bed.assert_finished(payload(before)).await,
            Self::DeadLetter => drop(bed.letter_of(payload(before)).await),
            _ => bed.ack(&self.next_delivery(bed, before).await).await,
        }
        bed.assert_nothing_to_claim().await;
    }

    /// The next delivery of what was given back now: not early, and counted right.
    pub(super) async fn next_delivery(self, bed: &SourceBed, before: &Got) -> Got {
        bed.assert_open(payload(before)).await;
        if self.is_for_later() {
            bed.assert_nothing_to_claim().await;
            bed.advance(DELAY).await;
        }
        let next = bed.claim_one(payload(before)).await;
        assert_eq!(next.is_hand_over_only, before.is_hand_over_only || self == Self::Condemn, "after {self:?}");
        assert_eq!(next.work.deliveries, before.work.deliveries + 1, "deliveries after {self:?}");
        match self.next_attempt(before.work.attempt) {
            Some(attempt) => assert_eq!(next.work.attempt, attempt, "the attempt after {self:?}"),
            None => assert!(next.work.attempt >= before.work.attempt, "attempts went back after {self:?}"),
        }
        next
    }
}
