//! The kinds of resolution, with the expected state after each.

use redrive_core::Time;

use super::builders::{ACK, AnyDelivery, DELAY, dead_letter, payload, retry, retry_uncharged};
use super::fixture::SourceFixture;
use crate::Resolution;

/// A resolution, without its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResolutionKind {
    Ack,
    Drop,
    DeadLetter,
    Retry,
    RetryUncharged,
    Defer,
    Release,
    RedeliverForHandOver,
}

impl ResolutionKind {
    pub(super) const ALL: [Self; 8] = [
        Self::Ack,
        Self::Drop,
        Self::DeadLetter,
        Self::Retry,
        Self::RetryUncharged,
        Self::Defer,
        Self::Release,
        Self::RedeliverForHandOver,
    ];

    /// The kinds after which the work is delivered again.
    pub(super) const REDELIVERED: [Self; 5] =
        [Self::Retry, Self::RetryUncharged, Self::Defer, Self::Release, Self::RedeliverForHandOver];

    /// The kinds that end the work.
    pub(super) const FINAL: [Self; 3] = [Self::Ack, Self::Drop, Self::DeadLetter];

    /// The resolution. Its time, if it has one, is `now` plus [`DELAY`].
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
            Self::RedeliverForHandOver => Resolution::RedeliverForHandOver { at: later },
        }
    }

    /// Whether the work is delivered again after a delay.
    pub(super) const fn is_delayed(self) -> bool {
        matches!(self, Self::Retry | Self::RetryUncharged | Self::Defer | Self::RedeliverForHandOver)
    }

    /// The attempt number of the next delivery, if it is defined.
    pub(super) const fn next_attempt(self, attempt: u32) -> Option<u32> {
        match self {
            Self::Retry => Some(attempt + 1),
            Self::RetryUncharged | Self::Defer | Self::Release => Some(attempt),
            Self::Ack | Self::Drop | Self::DeadLetter | Self::RedeliverForHandOver => None,
        }
    }

    /// Whether the delivery that ended so is counted.
    pub(super) fn is_counted(self, fixture: &SourceFixture) -> bool {
        self != Self::Release || !fixture.abilities.uncounts_releases
    }

    pub(super) async fn finish(self, fixture: &SourceFixture, got: &AnyDelivery) {
        let answer = fixture.settle(got, self.resolution(fixture.now())).await;
        assert_eq!(answer, Ok(()), "{self:?} of a valid claim");
    }

    /// Asserts that this resolution, which was just sent, has had its effect and no other. Then ends the work, and
    /// asserts that nothing is left to claim.
    pub(super) async fn assert_done(self, fixture: &SourceFixture, before: &AnyDelivery) {
        match self {
            Self::Ack | Self::Drop => fixture.assert_finished(payload(before)).await,
            Self::DeadLetter => drop(fixture.letter_of(payload(before)).await),
            _ => fixture.ack(&self.next_delivery(fixture, before).await).await,
        }
        fixture.assert_nothing_to_claim().await;
    }

    /// Claims the next delivery of work that was just resolved. Asserts that it is not early and that its counts are
    /// right.
    pub(super) async fn next_delivery(self, fixture: &SourceFixture, before: &AnyDelivery) -> AnyDelivery {
        fixture.assert_open(payload(before)).await;
        if self.is_delayed() {
            fixture.assert_nothing_to_claim().await;
            fixture.advance(DELAY).await;
        }
        let next = fixture.claim_one(payload(before)).await;
        let is_hand_over_only = before.is_hand_over_only || self == Self::RedeliverForHandOver;
        assert_eq!(next.is_hand_over_only, is_hand_over_only, "after {self:?}");
        let deliveries = before.work.deliveries + u32::from(self.is_counted(fixture));
        assert_eq!(next.work.deliveries, deliveries, "deliveries after {self:?}");
        match self.next_attempt(before.work.attempt) {
            Some(attempt) => assert_eq!(next.work.attempt, attempt, "the attempt after {self:?}"),
            None => assert!(next.work.attempt >= before.work.attempt, "the attempt number decreased after {self:?}"),
        }
        next
    }
}
