//! The failures that are captured: mostly of common kinds, and a few of a rare one.

use std::sync::Arc;

use redrive_core::{
    Category, DelayHint, Failure, Fingerprint, Outcome, PolicySource, Priority, QueueName, RetryPolicy, RetryTerms,
    Time, Trigger,
};
use redrive_model::{Attempt, Capture, CaptureContext, Content, NewLetter, Origin};

use crate::plain::PAYLOAD;

/// Makes failures like those of a consumer of a topic.
pub(crate) struct Failures {
    content: Arc<Content>,
    kinds: Vec<FailureKind>,
    failed_at: Time,
}

/// The properties that the failures of one kind share.
#[derive(Debug, Clone)]
pub(crate) struct FailureKind {
    pub(super) category: Category,
    pub(super) fingerprint: Fingerprint,
    pub(super) destination: Arc<str>,
    error: String,
}

/// The number of common kinds. Every other one is retried automatically after a minute.
const KINDS: u64 = 100;

impl Failures {
    pub(crate) fn new(failed_at: Time) -> Self {
        let kinds = (0..KINDS).map(|number| match number % 2 {
            0 => FailureKind::new(Category::Transient, "payments", &format!("connection reset by {}", word(number))),
            _ => FailureKind::new(Category::Validation, "orders", &format!("no such field: {}", word(number))),
        });
        let content = Arc::new(Content::of_payload(PAYLOAD.to_vec()));
        Self { content, kinds: kinds.collect(), failed_at }
    }

    /// The common kind of the letter with this number.
    pub(crate) fn common(&self, number: u64) -> &FailureKind {
        &self.kinds[usize::try_from(number % KINDS).unwrap_or_default()]
    }

    pub(crate) fn letter(&self, number: u64, kind: &FailureKind) -> NewLetter {
        let origin = Origin {
            transport: "kafka".into(),
            name: "orders".into(),
            consumer: Some("billing".into()),
            partition: Some(3),
            offset: i64::try_from(number).ok(),
            ..Origin::default()
        };
        let attempt = Attempt {
            error: kind.error.clone(),
            category: Some(kind.category),
            fingerprint: Some(kind.fingerprint),
            ..Attempt::new(Trigger::Automatic, Outcome::Failure)
        };
        NewLetter {
            source_id: source_id(number).into(),
            content: Arc::clone(&self.content),
            context: CaptureContext { origin, ..CaptureContext::default() },
            attempt,
            category: kind.category,
            fingerprint: kind.fingerprint,
            policy: kind.category.derived_policy(),
            policy_source: PolicySource::Derived,
            max_retries: RetryTerms::MAX_RETRIES,
            hint: DelayHint::NONE,
            priority: Priority::default(),
            destination: Arc::clone(&kind.destination),
            failed_at: self.failed_at,
            is_of_source: false,
        }
    }

    /// A capture of letters that are due immediately.
    pub(super) fn due(&self, queue: &QueueName, numbers: std::ops::Range<u64>) -> Capture {
        let letter = |number| NewLetter {
            policy: RetryPolicy::Immediate,
            policy_source: PolicySource::Explicit,
            ..self.letter(number, self.common(number))
        };
        Capture::new(queue.clone(), numbers.map(letter).collect())
    }
}

impl FailureKind {
    pub(super) fn new(category: Category, destination: &str, error: &str) -> Self {
        let fingerprint = Fingerprint::of(&Failure::new(error));
        Self { category, fingerprint, destination: Arc::from(destination), error: error.to_owned() }
    }
}

pub(super) fn source_id(number: u64) -> String {
    format!("order-{number:08}")
}

/// A word for a number: fingerprints mask numbers, so kinds need different words.
fn word(number: u64) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}
