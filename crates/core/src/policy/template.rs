//! Named policies for common failure patterns.
//!
//! The last five are the defaults of the systems that Redrive unites, so that a user who migrates from one of them
//! finds its behaviour under one name. A template changes only with its version: a policy that is configured by name
//! must not decide differently after an upgrade.

use super::{AttemptLimit, PolicyBuilder, Strategy};
use crate::{Backoff, Category, Invalid, Jitter, Problem, Span};

/// A named starting point for a policy.
///
/// ```
/// use redrive_core::{AttemptLimit, Template};
///
/// let policy = Template::named("kafka-consumer").unwrap().builder().unwrap().build().unwrap();
/// assert_eq!(policy.max_attempts(), AttemptLimit::at_most(3).unwrap());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Template {
    pub name: &'static str,
    pub version: u32,
    /// The use case, in one sentence.
    pub note: &'static str,
    build: fn(PolicyBuilder) -> Result<PolicyBuilder, Invalid>,
}

impl Template {
    pub const ALL: &'static [Self] = &[
        Self {
            name: "http-api",
            version: 1,
            note: "calls to a shared HTTP or gRPC service: quick first retries, full jitter, a day at most",
            build: http_api,
        },
        Self {
            name: "database",
            version: 1,
            note: "transactions: deadlocks and serialization failures at once, lost connections more slowly",
            build: database,
        },
        Self {
            name: "long-outage",
            version: 1,
            note: "a destination that may be down for days: retried for a week, finally once an hour",
            build: long_outage,
        },
        Self {
            name: "quota",
            version: 1,
            note: "work against a budget that refills: resource failures every 15 minutes, for a day",
            build: quota,
        },
        Self {
            name: "poison",
            version: 1,
            note: "work that must not run twice automatically: one attempt, then a letter",
            build: |policy| Ok(policy.max_attempts(1)),
        },
        Self {
            name: "letters",
            version: 1,
            note: "dead letters: 3 retries, 1, 2, 4 minutes (resource: 5, 10, 15), manual retries for the rest",
            build: |policy| Ok(policy.limit(AttemptLimit::of_letter(3)?).strategy(Strategy::Automatic)),
        },
        Self {
            name: "kafka-consumer",
            version: 1,
            note: "the parallel Kafka consumer: 3 attempts, 1 s doubling to 30 s, up to 200 ms of jitter",
            build: kafka_consumer,
        },
        Self {
            name: "mailbox",
            version: 1,
            note: "mailboxes and loops: 5 deliveries, a minute more each time, at most 15",
            build: mailbox,
        },
        Self {
            name: "pipeline-module",
            version: 1,
            note: "pipeline modules: 3 calls, 100 ms doubling to 2 s, half of it jitter",
            build: pipeline_module,
        },
        Self {
            name: "lease-queue",
            version: 1,
            note: "the lease queue: retried immediately without limit; the queue's max_attempts ends it",
            build: |policy| Ok(policy.limit(AttemptLimit::Unlimited).backoff_for_all(Backoff::IMMEDIATE)),
        },
    ];

    pub fn named(name: &str) -> Result<&'static Self, Invalid> {
        Self::ALL.iter().find(|template| template.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|template| template.name).collect();
            Invalid::new("template", Problem::UnknownName, name, names.join(", "))
        })
    }

    /// A builder with the settings of the template.
    pub fn builder(&self) -> Result<PolicyBuilder, Invalid> {
        (self.build)(PolicyBuilder::default())
    }
}

fn http_api(policy: PolicyBuilder) -> Result<PolicyBuilder, Invalid> {
    let backoff = Backoff::exponential(Span::from_millis(500), 2.0)?.capped(Span::from_mins(5))?;
    Ok(policy.max_attempts(8).deadline(Span::from_days(1)).backoff(backoff.with_jitter(Jitter::Full)))
}

fn database(policy: PolicyBuilder) -> Result<PolicyBuilder, Invalid> {
    let conflict = Backoff::exponential(Span::from_millis(20), 2.0)?.capped(Span::from_secs(2))?;
    let connection = Backoff::exponential(Span::from_secs(1), 2.0)?.capped(Span::from_mins(1))?;
    Ok(policy
        .max_attempts(6)
        .backoff(connection.with_jitter(Jitter::Equal))
        .backoff_for(Category::Transient, conflict.with_jitter(Jitter::Full)))
}

fn long_outage(policy: PolicyBuilder) -> Result<PolicyBuilder, Invalid> {
    let backoff = Backoff::exponential(Span::from_mins(1), 2.0)?.capped(Span::from_hours(1))?;
    Ok(policy
        .limit(AttemptLimit::Unlimited)
        .deadline(Span::from_days(7))
        .backoff(backoff.with_jitter(Jitter::Spread(10))))
}

fn quota(policy: PolicyBuilder) -> Result<PolicyBuilder, Invalid> {
    Ok(policy
        .limit(AttemptLimit::Unlimited)
        .deadline(Span::from_days(1))
        .backoff_for(Category::Resource, Backoff::fixed(Span::from_mins(15)).with_jitter(Jitter::AdditivePercent(20))))
}

fn kafka_consumer(policy: PolicyBuilder) -> Result<PolicyBuilder, Invalid> {
    let backoff = Backoff::exponential(Span::from_secs(1), 2.0)?.capped(Span::from_secs(30))?;
    Ok(policy
        .limit(AttemptLimit::of_kafka_consumer(3)?)
        .backoff(backoff.with_jitter(Jitter::Additive(Span::from_millis(200)))))
}

fn mailbox(policy: PolicyBuilder) -> Result<PolicyBuilder, Invalid> {
    // A mailbox only counts deliveries: no category of failure ends the retries early.
    Ok(policy.limit(AttemptLimit::of_mailbox(5)?).backoff_for_all(Backoff::MAILBOX))
}

fn pipeline_module(policy: PolicyBuilder) -> Result<PolicyBuilder, Invalid> {
    let backoff = Backoff::exponential(Span::from_millis(100), 2.0)?.capped(Span::from_secs(2))?;
    Ok(policy.limit(AttemptLimit::of_pipeline_module(3)).backoff(backoff.with_jitter(Jitter::Spread(50))))
}
