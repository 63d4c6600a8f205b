//! The processor of these tests, and manual retries.

use std::sync::Arc;

use redrive_core::{LetterId, RetryPolicy, Span};
use redrive_model::NewLetter;
use redrive_run::{Handler, Processor, ProcessorError, ProcessorSettings, Retried};

use crate::fixture::{CallInbox, Fixture, LEASE, dead, policy, without_breaker};

pub(super) const INTERVAL: Span = Span::from_secs(10);

pub(super) fn processor(fixture: &Fixture, handler: Option<Arc<dyn Handler>>) -> Arc<Processor> {
    let settings = ProcessorSettings { runner: without_breaker(4), lease: LEASE, policy: policy(), interval: INTERVAL };
    let mut processor = Processor::new(fixture.store(), Arc::new(fixture.clock.clone()), settings);
    if let Some(handler) = handler {
        processor.add(dead(), handler).unwrap();
    }
    Arc::new(processor)
}

/// A processor for the dead queue whose calls arrive in the inbox.
pub(super) fn with_inbox(fixture: &Fixture) -> (Arc<Processor>, CallInbox) {
    let (handler, inbox) = CallInbox::new(&fixture.clock);
    (processor(fixture, Some(Arc::new(handler))), inbox)
}

/// The same processor, started.
pub(super) async fn start(fixture: &Fixture) -> (Arc<Processor>, CallInbox) {
    let (processor, inbox) = with_inbox(fixture);
    processor.start(&dead()).await.unwrap();
    (processor, inbox)
}

/// Captures a letter that is retried manually only.
pub(super) async fn manual_letter(fixture: &Fixture) -> LetterId {
    let letter = NewLetter { policy: RetryPolicy::Never, ..fixture.letter("a", "x") };
    fixture.capture([letter]).await[0]
}

/// Retries a letter manually, in a task.
pub(super) fn spawn_retry(
    processor: &Arc<Processor>,
    letter: LetterId,
) -> tokio::task::JoinHandle<Result<Retried, ProcessorError>> {
    let processor = Arc::clone(processor);
    tokio::spawn(async move { processor.retry(&dead(), letter, "ann").await })
}
