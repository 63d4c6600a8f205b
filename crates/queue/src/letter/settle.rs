//! What becomes of a letter after `retries` failed retries.
//!
//! `core` decides; here its answer is put into a letter's words. The policies that letters name are built
//! once: a queue of a million letters knows a handful of them.

use std::collections::BTreeMap;

use redrive_core::{AttemptLimit, Attempts, Decision, Failure, Jitter, Policy, RetryPolicy, Status, Time};

use crate::Moment;

/// Where a letter goes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) status: Status,
    /// When it is retried by itself; `None` for only by hand.
    pub(crate) due: Option<Time>,
}

/// The policies of letters, by name and number of retries.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    policies: BTreeMap<(RetryPolicy, u32), Option<Policy>>,
    jitter: Jitter,
}

impl Terms {
    /// Policies whose delays are longer by up to so many percent.
    pub(crate) fn spread(percent: u8) -> Self {
        Self { jitter: Jitter::AdditivePercent(percent), ..Self::default() }
    }

    /// A letter with this many failed retries: pending or exhausted.
    pub(crate) fn settle(&mut self, policy: RetryPolicy, max_retries: u32, retries: u32, moment: Moment) -> Settled {
        let exhausted = Settled { status: Status::Exhausted, due: None };
        let jitter = self.jitter;
        let terms = self.policies.entry((policy, max_retries)).or_insert_with(|| {
            let limit = AttemptLimit::of_letter(max_retries).ok()?;
            Policy::builder().jitter(jitter).build().ok().map(|base| base.for_letter(policy, limit))
        });
        // Numbers that no letter may have were refused when it came.
        let Some(terms) = terms else { return exhausted };
        let attempts = Attempts::charged(retries.saturating_add(1), moment.now);
        match terms.decide(&Failure::default(), attempts, moment.now, moment.random).decision {
            Decision::Retry { at, .. } => Settled { status: Status::Pending, due: Some(at) },
            Decision::Defer { until } => Settled { status: Status::Pending, due: Some(until) },
            Decision::DeadLetter { reason } | Decision::Drop { reason, .. } => {
                Settled { status: reason.letter_status(), due: None }
            }
        }
    }
}
