//! What becomes of a letter after `retries` failed retries.
//!
//! `core` decides; here its answer is put into a letter's words. The policies that letters name are built
//! once: a queue of a million letters knows a handful of them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use redrive_core::{
    AttemptLimit, Attempts, Backoff, Classification, Classifier, Decision, Failure, Jitter, LetterDelays, Policy,
    RetryPolicy, Status, Time,
};

use crate::Moment;

/// Where a letter goes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) status: Status,
    /// When it is retried by itself; `None` for only by hand.
    pub(crate) due: Option<Time>,
}

/// The policies of letters, by name and number of retries; those of the name `custom` by the queue whose delays they
/// have, too.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    policies: BTreeMap<(RetryPolicy, u32), Option<Policy>>,
    customs: BTreeMap<(u32, u32), (Backoff, Option<Policy>)>,
    jitter: Jitter,
}

impl Terms {
    const CUSTOMS_MAX: usize = 1_024;

    /// Policies whose delays are longer by up to so many percent.
    pub(crate) fn spread(percent: u8) -> Self {
        Self { jitter: Jitter::AdditivePercent(percent), ..Self::default() }
    }

    /// A letter with this many failed retries: pending or exhausted.
    pub(crate) fn settle(&mut self, policy: RetryPolicy, max_retries: u32, retries: u32, moment: Moment) -> Settled {
        let jitter = self.jitter;
        let terms = self.policies.entry((policy, max_retries));
        let terms = terms.or_insert_with(|| terms_of(LetterDelays::named(policy, None), jitter, max_retries));
        settled(terms.as_ref(), retries, moment)
    }

    /// The same for one that is retried by the delays of its queue. They are those of today: what was scheduled by others
    /// stays so.
    pub(crate) fn settle_custom(
        &mut self,
        (queue, delays): (u32, &Backoff),
        max_retries: u32,
        retries: u32,
        moment: Moment,
    ) -> Settled {
        // Queues come and go; a few are busy at a time.
        if self.customs.len() >= Self::CUSTOMS_MAX {
            self.customs.clear();
        }
        let jitter = self.jitter;
        let fresh = || (delays.clone(), terms_of(LetterDelays::Own(delays.clone()), jitter, max_retries));
        let known = self.customs.entry((queue, max_retries)).or_insert_with(fresh);
        if known.0 != *delays {
            *known = fresh();
        }
        settled(known.1.as_ref(), retries, moment)
    }
}

/// A letter is settled by its own terms: of its failure nothing is said.
static NOTHING: LazyLock<Failure> = LazyLock::new(Failure::default);
/// What such a failure is, after however many attempts: the policies here have no rules of a user's.
static FOUND: LazyLock<Classification<'static>> = LazyLock::new(|| Classifier::built_in().classify(&NOTHING, 1));

fn terms_of(delays: LetterDelays, jitter: Jitter, max_retries: u32) -> Option<Policy> {
    let limit = AttemptLimit::of_letter(max_retries).ok()?;
    Policy::builder().jitter(jitter).build().ok().map(|base| base.for_letter(delays, limit))
}

fn settled(terms: Option<&Policy>, retries: u32, moment: Moment) -> Settled {
    // Numbers that no letter may have were refused when it came.
    let Some(terms) = terms else { return Settled { status: Status::Exhausted, due: None } };
    let attempts = Attempts::charged(retries.saturating_add(1), moment.now);
    match terms.decide_found(&NOTHING, &FOUND, attempts, moment.now, moment.random) {
        Decision::Retry { at, .. } => Settled { status: Status::Pending, due: Some(at) },
        Decision::Defer { until } => Settled { status: Status::Pending, due: Some(until) },
        Decision::DeadLetter { reason } | Decision::Drop { reason, .. } => {
            Settled { status: reason.letter_status(), due: None }
        }
    }
}
