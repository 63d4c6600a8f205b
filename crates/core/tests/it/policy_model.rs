//! Random policies and histories, compared with a second implementation of the rules.

use crate::cases;
use proptest::prelude::*;
use redrive_core::{
    AttemptLimit, Attempts, Backoff, Blame, Category, Decision, ErrorMatcher, Evidence, Failure, Policy, Span,
    Strategy, Time,
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

/// One failed attempt: what is to blame, its category, how long it took, and the delay that the destination requested.
#[derive(Debug, Clone, Copy)]
struct Event {
    blame: Blame,
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
        let index = Category::ALL.iter().position(|category| *category == event.category).unwrap();
        let hint = event.hint.unwrap_or(0).min(24 * 3600);
        let passing = matches!(event.category, Category::Transient | Category::Network | Category::Resource);
        let uncharged = || {
            let delay = self.delays[index].unwrap_or(self.default);
            Verdict::Retry { at: now + delay.max(hint), charged: false }
        };
        if self.exclude == Some(event.category) || event.blame == Blame::Destination && passing {
            return uncharged();
        }
        let reason = if self.limit.is_some_and(|limit| charged >= limit) {
            "exhausted"
        } else if self.include == Some(event.category) {
            "included"
        } else if let Some(delay) = self.delays[index] {
            let at = now + delay.max(hint);
            if self.deadline.is_none_or(|deadline| at <= since + deadline) {
                return Verdict::Retry { at, charged: true };
            }
            "deadline"
        } else {
            "permanent"
        };
        if event.blame == Blame::Unclear && passing && ["exhausted", "deadline"].contains(&reason) {
            return uncharged();
        }
        match self.strategy {
            Strategy::Automatic => Verdict::Dead(reason),
            Strategy::Selective if passing => Verdict::Dead(reason),
            _ => Verdict::Dropped(reason),
        }
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
    let blame = prop_oneof![3 => Just(Blame::Work), 1 => Just(Blame::Unclear), 1 => Just(Blame::Destination)];
    (blame, any_category(), 0..50u64, hint, refused).prop_map(|(blame, category, took, hint, refused)| Event {
        blame,
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
            // The model uses a relative time, the evidence an absolute one.
            event.refused = event.refused.map(|refused| now + refused);
            let attempts = Attempts { charged, deliveries, since: time(since), blame: event.blame };
            let failure = failure(event);
            let decision = policy.decide(&failure, attempts, time(now), 0).decision;
            let found = match &decision {
                Decision::Retry { at, charged } => Verdict::Retry { at: u64::try_from(at.as_secs()).unwrap(), charged: *charged },
                Decision::DeadLetter { reason } => Verdict::Dead(reason.label()),
                Decision::Drop { reason, .. } => Verdict::Dropped(reason.label()),
                Decision::Defer { until } => Verdict::Deferred { until: u64::try_from(until.as_secs()).unwrap() },
            };
            prop_assert_eq!(found, expected, "attempt {} at {}: {}", charged, now, decision);
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
