//! Random policies and histories, compared with a second implementation of the rules.

use crate::cases;
use proptest::prelude::*;
use redrive_core::{
    AttemptLimit, Attempts, Backoff, Category, Decision, ErrorMatcher, Evidence, Failure, Policy, Span, Strategy, Time,
};

/// A minimal description of a policy. All backoffs are fixed, so that the model needs no arithmetic; the curves have
/// separate tests.
#[derive(Debug, Clone)]
struct Model {
    limit: Option<u32>,
    deadline: Option<u64>,
    /// The delay of each category in seconds; `None` is never.
    delays: [Option<u64>; 6],
    default: u64,
    strategy: Strategy,
    include: Option<Category>,
    exclude: Option<Category>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Retry { at: u64, charged: bool },
    Dead(&'static str),
    Dropped(&'static str),
    Deferred { until: u64 },
}

/// One failed attempt: whether the caller blames the destination, its category, how long it took, and the delay that the
/// destination requested.
#[derive(Debug, Clone, Copy)]
struct Event {
    is_spared: bool,
    category: Category,
    took: u64,
    hint: Option<u64>,
    refused: Option<u64>,
}

impl Model {
    fn decide(&self, event: Event, charged: u32, since: u64, now: u64) -> Verdict {
        if let Some(refused) = event.refused {
            return Verdict::Deferred { until: now + refused };
        }
        let hint = event.hint.unwrap_or(0).min(24 * 3600);
        if self.exclude == Some(event.category) {
            return Verdict::Retry { at: self.uncharged(event, now), charged: false };
        }
        let reason = if self.limit.is_some_and(|limit| charged >= limit) {
            "exhausted"
        } else if self.include == Some(event.category) {
            "included"
        } else if let Some(delay) = self.own_delay(event) {
            let at = now + delay.max(hint);
            if self.deadline.is_none_or(|deadline| at <= since + deadline) {
                return Verdict::Retry { at, charged: true };
            }
            "deadline"
        } else {
            "permanent"
        };
        match self.strategy {
            Strategy::Automatic => Verdict::Dead(reason),
            Strategy::Selective if is_passing(event) => Verdict::Dead(reason),
            _ => Verdict::Dropped(reason),
        }
    }

    fn own_delay(&self, event: Event) -> Option<u64> {
        let index = Category::ALL.iter().position(|category| *category == event.category).unwrap();
        self.delays[index]
    }

    /// When the work is retried without a charge.
    fn uncharged(&self, event: Event, now: u64) -> u64 {
        let hint = event.hint.unwrap_or(0).min(24 * 3600);
        now + self.own_delay(event).unwrap_or(self.default).max(hint)
    }

    fn spared_until(&self, event: Event, now: u64) -> Option<u64> {
        let may_be = event.refused.is_none() && is_passing(event) && self.exclude != Some(event.category);
        may_be.then(|| self.uncharged(event, now))
    }

    fn policy(&self) -> Policy {
        let matcher = |category: Category| -> ErrorMatcher { format!("category:{category}").parse().unwrap() };
        let mut builder = Policy::builder()
            .limit(self.limit.map_or(AttemptLimit::Unlimited, |limit| AttemptLimit::at_most(limit).unwrap()))
            .strategy(self.strategy)
            .backoff(Backoff::fixed(Span::from_secs(self.default)))
            .include(self.include.map(matcher))
            .exclude(self.exclude.map(matcher));
        if let Some(deadline) = self.deadline {
            builder = builder.deadline(Span::from_secs(deadline));
        }
        for (category, delay) in Category::ALL.iter().zip(self.delays) {
            let backoff = delay.map_or(Backoff::NEVER, |delay| Backoff::fixed(Span::from_secs(delay)));
            builder = builder.backoff_for(*category, backoff);
        }
        builder.build().unwrap()
    }
}

fn is_passing(event: Event) -> bool {
    matches!(event.category, Category::Transient | Category::Network | Category::Resource)
}

/// A failure with typed evidence of the event's category.
fn failure(event: Event) -> Failure {
    if let Some(refused) = event.refused {
        return Failure::refused(Some(Time::from_secs(i64::try_from(refused).unwrap())));
    }
    let status = match event.category {
        Category::Transient => 503,
        Category::Network => 504,
        Category::Resource => 507,
        Category::Permission => 401,
        Category::Validation => 422,
        Category::Permanent => 404,
    };
    let failure = Failure::typed(Evidence::http(status));
    match event.hint {
        Some(hint) => failure.with_retry_after(Span::from_secs(hint)),
        None => failure,
    }
}

fn any_category() -> impl Strategy_<Value = Category> {
    prop::sample::select(Category::ALL)
}

use proptest::strategy::Strategy as Strategy_;

fn any_model() -> impl Strategy_<Value = Model> {
    let delay = prop::option::weighted(0.7, 0..100u64);
    (
        prop::option::of(1..8u32),
        prop::option::of(1..500u64),
        prop::array::uniform6(delay),
        0..100u64,
        prop::sample::select(Strategy::ALL),
        prop::option::weighted(0.2, any_category()),
        prop::option::weighted(0.2, any_category()),
    )
        .prop_filter("an error cannot be on both lists", |model| model.5.is_none() || model.5 != model.6)
        .prop_map(|(limit, deadline, delays, default, strategy, include, exclude)| Model {
            limit,
            deadline,
            delays,
            default,
            strategy,
            include,
            exclude,
        })
}

fn any_event() -> impl Strategy_<Value = Event> {
    let (hint, refused) = (prop::option::weighted(0.2, 0..200_000u64), prop::option::weighted(0.1, 0..100u64));
    let is_spared = prop::bool::weighted(0.3);
    (is_spared, any_category(), 0..50u64, hint, refused).prop_map(|(is_spared, category, took, hint, refused)| Event {
        is_spared,
        category,
        took,
        hint,
        refused,
    })
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn every_history_is_decided_as_the_model_says(model in any_model(), events in prop::collection::vec(any_event(), 1..20)) {
        let policy = model.policy();
        let time = |secs: u64| Time::from_secs(i64::try_from(secs).unwrap());
        let (mut now, mut charged, mut deliveries) = (1_000u64, 0u32, 0u32);
        let since = now;
        for mut event in events {
            charged += 1;
            deliveries += 1;
            now += event.took;
            let expected = model.decide(event, charged, since, now);
            let expected_spared = model.spared_until(event, now);
            // The model uses a relative time, the evidence an absolute one.
            event.refused = event.refused.map(|refused| now + refused);
            let attempts = Attempts { charged, deliveries, since: time(since) };
            let failure = failure(event);
            let decided = policy.decide(&failure, attempts, time(now), 0);
            let decision = decided.decision;
            let found = match &decision {
                Decision::Retry { at, charged } => Verdict::Retry { at: u64::try_from(at.as_secs()).unwrap(), charged: *charged },
                Decision::DeadLetter { reason } => Verdict::Dead(reason.label()),
                Decision::Drop { reason, .. } => Verdict::Dropped(reason.label()),
                Decision::Defer { until } => Verdict::Deferred { until: u64::try_from(until.as_secs()).unwrap() },
            };
            prop_assert_eq!(found, expected, "attempt {} at {}: {}", charged, now, decision);
            prop_assert_eq!(decided.spared_until, expected_spared.map(time), "attempt {} at {}", charged, now);
            // A caller that blames the destination retries the work without a charge, whatever was decided.
            let found = match expected_spared.filter(|_| event.is_spared) {
                Some(at) => Verdict::Retry { at, charged: false },
                None => found,
            };
            match found {
                Verdict::Retry { at, charged: is_charged } => {
                    prop_assert!(at >= now, "never early");
                    now = at;
                    charged -= u32::from(!is_charged);
                }
                Verdict::Deferred { until } => {
                    now = until;
                    charged -= 1;
                }
                Verdict::Dead(_) | Verdict::Dropped(_) => break,
            }
            if let Some(limit) = model.limit {
                prop_assert!(charged < limit, "no attempt beyond the limit");
            }
        }
    }
}
