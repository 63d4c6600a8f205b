//! Attempts that an outage gives back to its work.
//!
//! A source counts an attempt when it delivers the work. A retry that is settled as uncharged takes back that attempt,
//! and no earlier one. When the circuit breaker of a destination opens, the failures before it are already settled as
//! charged, so the source cannot correct its count any more. The runner keeps the difference here, as a number of
//! *owed* attempts:
//!
//! - until it is paid, the work sees the source's count minus what is owed ([`Refunds::credited`]);
//! - the next retry that would be charged is settled as uncharged instead, and pays one ([`Refunds::settle`]).
//!
//! An example, in which an outage begins after the first attempt:
//!
//! ```text
//! event                            source counts   owed   the work sees   settled as
//! delivery 1 fails                 1               0      attempt 1       charged retry
//! the breaker opens                1               1
//! delivery 2 fails, breaker closed 2               1      attempt 1       uncharged instead of charged: owed 0
//! delivery 3                       2               0      attempt 2
//! ```
//!
//! So the source knows nothing of outages, and its count is right again after the payment. The table is in memory: a
//! restart forgets what is owed, and the work has lost these attempts.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::{Resolution, Work, WorkId};

/// The attempts that are owed to each piece of work, and the outages that have excused its failures.
#[derive(Debug, Default)]
pub(super) struct Refunds {
    by_work: HashMap<WorkId, Refund>,
    /// The work from the oldest entry to the newest.
    by_age: BTreeMap<u64, WorkId>,
    next: u64,
}

#[derive(Debug, Clone, Copy)]
struct Refund {
    age: u64,
    /// Attempts that the source has counted, and that must not count.
    owed: u32,
    /// How many outages have excused a failure of the work.
    outages: u32,
    /// The last of these outages, by the number of its row of failures (`FailureRow::number` in `outages.rs`).
    outage: u64,
}

impl Refunds {
    /// Maximum number of entries. Beyond it the oldest one is dropped, and its work loses the attempts that it is owed.
    pub(super) const WORK_MAX: usize = 10_000;
    /// Maximum number of outages that excuse the failures of one piece of work. Between two outages the destination has
    /// served other work. Work that has failed at the beginning of ten outages is therefore likely to cause them, and
    /// must spend its attempts and become a letter.
    pub(super) const OUTAGES_MAX: u32 = 10;

    /// Whether a failure of the work in this outage is excused. An outage that has excused the work before may always
    /// do so again; a further one only below [`OUTAGES_MAX`](Self::OUTAGES_MAX). `None` stands for an outage that this
    /// failure would begin.
    pub(super) fn may_excuse(&self, work: &WorkId, outage: Option<u64>) -> bool {
        self.by_work.get(work).is_none_or(|refund| Some(refund.outage) == outage || refund.outages < Self::OUTAGES_MAX)
    }

    /// Excuses a failure in an outage. If the failure was charged, its attempt is owed from now on; if not, only the
    /// outage is counted. Returns whether an attempt became owed.
    pub(super) fn excuse(&mut self, work: &WorkId, outage: u64, was_charged: bool) -> bool {
        if !self.may_excuse(work, Some(outage)) {
            return false;
        }
        let next = self.next;
        let refund = self.by_work.entry(work.clone()).or_insert_with(|| {
            self.next += 1;
            self.by_age.insert(next, work.clone());
            Refund { age: next, owed: 0, outages: 1, outage }
        });
        refund.outages += u32::from(refund.outage != outage);
        refund.outage = outage;
        refund.owed += u32::from(was_charged);
        if self.by_work.len() > Self::WORK_MAX
            && let Some((_, oldest)) = self.by_age.pop_first()
        {
            self.by_work.remove(&oldest);
        }
        was_charged
    }

    /// Delivered work as the policy and the handler see it: the number of its attempt without those that are owed.
    pub(super) fn credited(&self, mut work: Arc<Work>) -> Arc<Work> {
        if let Some(refund) = self.by_work.get(&work.id).filter(|refund| refund.owed > 0) {
            let work = Arc::make_mut(&mut work);
            work.attempt = work.attempt.saturating_sub(refund.owed).max(1);
        }
        work
    }

    /// Pays one owed attempt if the work is about to be retried with a charge: the retry becomes an uncharged one.
    /// Removes the entry of work that ends.
    pub(super) fn settle(&mut self, work: &WorkId, resolution: &mut Resolution) {
        if self.by_work.is_empty() {
            return;
        }
        match resolution {
            Resolution::Retry { charged, .. } if *charged => {
                if let Some(refund) = self.by_work.get_mut(work).filter(|refund| refund.owed > 0) {
                    refund.owed -= 1;
                    *charged = false;
                }
            }
            Resolution::Ack { .. } | Resolution::DeadLetter(_) | Resolution::Drop => {
                if let Some(refund) = self.by_work.remove(work) {
                    self.by_age.remove(&refund.age);
                }
            }
            Resolution::Retry { .. }
            | Resolution::Defer { .. }
            | Resolution::Release
            | Resolution::RedeliverForHandOver { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use redrive_core::Time;

    use super::*;

    fn retried(refunds: &mut Refunds, work: &WorkId) -> bool {
        let mut resolution = Resolution::Retry { at: Time::MIN, charged: true };
        refunds.settle(work, &mut resolution);
        matches!(resolution, Resolution::Retry { charged: true, .. })
    }

    #[test]
    fn each_charged_retry_pays_one_owed_attempt() {
        let (mut refunds, work) = (Refunds::default(), WorkId::from("a"));
        for _ in 0..2 {
            assert!(refunds.excuse(&work, 1, true));
        }
        assert!(!refunds.excuse(&work, 1, false), "an attempt that was not charged is not owed");
        let charged: Vec<bool> = (0..4).map(|_| retried(&mut refunds, &work)).collect();
        assert_eq!(charged, [false, false, true, true]);
    }

    #[test]
    fn the_end_of_the_work_forgets_what_is_owed() {
        let (mut refunds, work) = (Refunds::default(), WorkId::from("a"));
        for mut end in [Resolution::Ack { result: None }, Resolution::Drop] {
            refunds.excuse(&work, 1, true);
            refunds.settle(&work, &mut end);
            assert!(retried(&mut refunds, &work), "{end:?}");
        }
        assert!(refunds.by_work.is_empty() && refunds.by_age.is_empty());
    }

    #[test]
    fn work_is_excused_without_limit_in_one_outage_and_in_ten_outages() {
        let (mut refunds, work) = (Refunds::default(), WorkId::from("a"));
        for outage in 0..u64::from(Refunds::OUTAGES_MAX) {
            for _ in 0..100 {
                assert!(refunds.excuse(&work, outage, true));
            }
        }
        assert!(!refunds.excuse(&work, 99, true));
        assert!(!refunds.may_excuse(&work, None));
        assert!(refunds.may_excuse(&work, Some(u64::from(Refunds::OUTAGES_MAX) - 1)), "the last outage goes on");
        assert!(refunds.may_excuse(&WorkId::from("b"), None));
    }

    #[test]
    fn the_oldest_entry_of_a_full_table_is_dropped() {
        let mut refunds = Refunds::default();
        let work = |number: usize| WorkId::from(number.to_string().as_str());
        for number in 0..=Refunds::WORK_MAX {
            refunds.excuse(&work(number), 1, true);
        }
        assert_eq!((refunds.by_work.len(), refunds.by_age.len()), (Refunds::WORK_MAX, Refunds::WORK_MAX));
        assert!(retried(&mut refunds, &work(0)), "the oldest was dropped");
        assert!(!retried(&mut refunds, &work(1)));
        assert!(!retried(&mut refunds, &work(Refunds::WORK_MAX)));
    }
}
