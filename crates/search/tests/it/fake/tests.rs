//! The projection with a misbehaving index.

use std::sync::Arc;

use redrive_core::{LetterId, QueueName, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Content, NewLetter, Purge};
use redrive_search::{
    Credentials, Projection, ProjectionState, RefillProgress, SearchError, SearchSettings, SearchTrouble,
};
use redrive_store::{Clock, ManualClock, Store};
use tokio::time::timeout;

use super::server::{CERTIFICATE, FakeOpenSearch, Fault};
use crate::failures::{capture, failure, memory, memory_with, queue};
use crate::waiting::{TIMEOUT, settled, until};

struct Fixture {
    fake: FakeOpenSearch,
    store: Arc<EmbeddedStore>,
    dead: QueueName,
    projection: Projection,
}

impl Fixture {
    /// Starts a projection and waits until it is idle.
    async fn idle(change: impl FnOnce(&mut SearchSettings)) -> Self {
        let fake = FakeOpenSearch::start().await;
        let (store, dead) = memory_with("dead").await;
        let mut settings = fake.settings();
        change(&mut settings);
        let projection = Projection::start(store.clone(), settings).unwrap();
        let fixture = Self { fake, store, dead, projection };
        fixture.settled().await;
        fixture
    }

    async fn settled(&self) {
        settled(&self.projection).await;
    }

    async fn capture(&self, source_id: &str) -> LetterId {
        capture(&*self.store, &self.dead, failure(source_id)).await
    }

    fn documents(&self) -> usize {
        self.fake.with(|state| state.documents.len())
    }

    /// Captures letters during an outage, and waits until all of them are in the index. Returns the sizes of the requests.
    async fn capture_while_down(&self, count: usize) -> Vec<(usize, usize)> {
        self.fake.with(|state| state.down = Some(503));
        for number in 0..count {
            self.capture(&format!("f-{number}")).await;
        }
        self.fake.with(|state| state.down = None);
        self.settled().await;
        assert_eq!(self.documents(), count);
        self.fake.with(|state| std::mem::take(&mut state.bulks))
    }

    /// Captures letters and waits until all of them are in the index.
    async fn capture_all(&self, count: usize) {
        for number in 0..count {
            self.capture(&format!("f-{number}")).await;
        }
        until(&self.projection, |n| n.state == ProjectionState::Ok && n.indexed + n.conflicts >= count as u64).await;
        self.settled().await;
    }
}

#[tokio::test]
async fn no_fault_loses_a_letter() {
    let fixture = Fixture::idle(|_| {}).await;
    let faults = [
        Fault::Status(500),
        Fault::Status(503),
        Fault::Status(429),
        Fault::Garbage,
        Fault::Stub,
        Fault::Hang,
        Fault::Cut,
        Fault::CutAfter,
        Fault::Half,
        Fault::Status(401),
        Fault::Status(404),
        Fault::RetryAfter(7_200),
    ];
    for fault in faults {
        fixture.fake.with(|state| state.faults.extend([fault, fault]));
        let before = fixture.documents();
        for number in 0..3 {
            fixture.capture(&format!("{fault:?}-{number}")).await;
        }
        // The index itself is checked, because the projection may not have read the last captures yet.
        let is_there = || fixture.documents() == before + 3;
        until(&fixture.projection, |n| n.state == ProjectionState::Ok && n.outbox_depth == 0 && is_there()).await;
        let left = fixture.fake.with(|state| state.faults.len());
        assert_eq!((left, fixture.documents()), (0, before + 3), "{fault:?}");
    }
}

#[tokio::test]
async fn an_outage_is_reported_and_recovered() {
    let clock = ManualClock::new(Time::from_secs(1_800_000_000));
    let fake = FakeOpenSearch::start().await;
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
    let dead = queue(&*store, "dead").await;
    let projection = Projection::start_with_clock(store.clone(), fake.settings(), Arc::new(clock.clone())).unwrap();
    until(&projection, |n| n.state == ProjectionState::Ok).await;
    fake.with(|state| state.down = Some(503));
    for number in 0..10 {
        let letter = NewLetter { failed_at: clock.now(), ..failure(&format!("f-{number}")) };
        capture(&*store, &dead, letter).await;
    }
    let down = until(&projection, |n| n.state == ProjectionState::Down && n.outbox_depth == 10).await;
    assert!(down.trouble.unwrap().contains("503"));
    assert!(matches!(projection.probe().await, Err(SearchError::Down(_))));
    clock.advance(Span::from_hours(30));
    assert_eq!(projection.numbers().lag, Span::from_hours(30), "the age of the oldest waiting letter");
    until(&projection, |n| n.failures >= 5).await;
    fake.with(|state| state.down = None);
    let healed = settled(&projection).await;
    assert_eq!((healed.lag, healed.failures, healed.trouble), (Span::ZERO, 0, None));
    assert_eq!(fake.with(|state| state.documents.len()), 10);
    projection.probe().await.unwrap();
}

/// Copying many letters takes time, during which the projection is not down.
#[tokio::test]
async fn an_index_that_is_refilled_reports_its_progress_and_is_not_down() {
    let fake = FakeOpenSearch::start().await;
    fake.with(|state| state.down = Some(503));
    let (store, dead) = memory_with("dead").await;
    for number in 0..40 {
        capture(&*store, &dead, failure(&format!("f-{number}"))).await;
    }
    let projection = Projection::start(store.clone(), fake.settings()).unwrap();
    until(&projection, |n| n.state == ProjectionState::Down).await;
    fake.with(|state| {
        state.faults.push_back(Fault::Hang);
        state.down = None;
    });
    let begun = until(&projection, |n| n.refill == Some(RefillProgress { done: 0, total: 40 })).await;
    assert_eq!((begun.state, begun.trouble), (ProjectionState::CatchingUp, None));
    assert!(matches!(projection.probe().await, Err(SearchError::Down(_))), "a strict capture would wait in vain");
    let further = until(&projection, |n| n.refill.is_some_and(|refill| refill.done > 0)).await;
    assert_eq!((further.state, further.refill.unwrap().total), (ProjectionState::CatchingUp, 40));
    let done = until(&projection, |n| n.state == ProjectionState::Ok).await;
    assert_eq!((done.refill, fake.with(|state| state.documents.len())), (None, 40));
}

/// The lag of an old letter that changes begins with the change, also after a restart.
#[tokio::test]
async fn the_lag_is_the_age_of_the_change_and_not_of_the_letter() {
    let clock = ManualClock::new(Time::from_secs(1_800_000_000));
    let fake = FakeOpenSearch::start().await;
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
    let dead = queue(&*store, "dead").await;
    let failed_at = clock.now();
    let letter = capture(&*store, &dead, NewLetter { failed_at, ..failure("old") }).await;
    clock.advance(Span::from_hours(1));
    let start = || Projection::start_with_clock(store.clone(), fake.settings(), Arc::new(clock.clone())).unwrap();
    let projection = start();
    until(&projection, |n| n.state == ProjectionState::Ok).await;
    fake.with(|state| state.down = Some(503));
    let note = redrive_model::Annotate { queue: dead, letter, note: "seen".into() };
    store.annotate(note).await.unwrap();
    let is_down = |n: &redrive_search::ProjectionNumbers| n.state == ProjectionState::Down && n.outbox_depth == 1;
    assert_eq!(until(&projection, is_down).await.lag, Span::ZERO);
    clock.advance(Span::from_mins(2));
    assert_eq!(projection.numbers().lag, Span::from_mins(2));
    projection.stop().await;
    let projection = start();
    assert_eq!(until(&projection, is_down).await.lag, Span::from_mins(2));
}

#[tokio::test]
async fn old_versions_of_opensearch_get_no_flat_object() {
    for (version, kind) in [("2.19.4", "flat_object"), ("2.5.0", "object"), ("1.3.20", "object")] {
        let fake = FakeOpenSearch::start().await;
        fake.with(|state| state.version = version);
        let projection = Projection::start(memory(), fake.settings()).unwrap();
        until(&projection, |n| n.state == ProjectionState::Ok).await;
        let mapped = fake.with(|state| state.index.clone().unwrap().1["properties"]["metadata"]["type"].clone());
        assert_eq!(mapped, kind, "{version}");
    }
}

#[tokio::test]
async fn batches_have_limits() {
    let fixture = Fixture::idle(|settings| (settings.batch_documents, settings.batch_bytes) = (7, 1 << 20)).await;
    let bulks = fixture.capture_while_down(50).await;
    assert!(bulks.iter().all(|(documents, _)| *documents <= 7), "{bulks:?}");

    // By size: at most one page above the limit.
    let fixture = Fixture::idle(|settings| settings.batch_bytes = 20_000).await;
    let bulks = fixture.capture_while_down(200).await;
    assert!(bulks.len() >= 3, "{bulks:?}");
}

#[tokio::test]
async fn a_rejected_document_is_indexed_with_reduced_content() {
    let fixture = Fixture::idle(|_| {}).await;
    fixture.fake.with(|state| state.bytes_max = Some(20_000));
    let large = Arc::new(Content::of_payload(format!("{{\"x\":\"{}\"}}", "y".repeat(12_000))));
    let huge = Arc::new(Content::of_payload("z".repeat(100_000)));
    let large = capture(&*fixture.store, &fixture.dead, NewLetter { content: large, ..failure("large") }).await;
    let huge = capture(&*fixture.store, &fixture.dead, NewLetter { content: huge, ..failure("huge") }).await;
    let small = fixture.capture("small").await;
    until(&fixture.projection, |n| n.quarantined == 2 && n.indexed == 1).await;
    fixture.settled().await;
    let find =
        |letter: LetterId| fixture.fake.with(|state| state.documents.get(&letter.to_string()).cloned().unwrap().1);
    assert_eq!(find(small).get("projection"), None);
    assert_eq!((&find(large)["projection"], find(large)["letter"].is_object()), (&"reduced".into(), true));
    assert_eq!((&find(huge)["projection"], find(huge).get("letter")), (&"reduced".into(), None));
    assert_eq!(find(huge)["task_id"], "huge");
}

#[tokio::test]
async fn a_document_that_cannot_be_reduced_further_takes_the_projection_down() {
    let fixture = Fixture::idle(|_| {}).await;
    fixture.fake.with(|state| state.bytes_max = Some(10));
    let letter = fixture.capture("f-1").await;
    let down = until(&fixture.projection, |n| n.state == ProjectionState::Down).await;
    assert_eq!(down.outbox_depth, 1);
    // Once it is purged it no longer blocks the projection.
    fixture.store.purge(Purge { queue: fixture.dead.clone(), letters: vec![letter] }).await.unwrap();
    fixture.capture("f-2").await;
    fixture.fake.with(|state| state.bytes_max = None);
    fixture.settled().await;
    assert_eq!(fixture.documents(), 1);
}

#[tokio::test]
async fn a_repeated_document_is_harmless() {
    let fixture = Fixture::idle(|_| {}).await;
    fixture.fake.with(|state| state.faults.push_back(Fault::CutAfter));
    fixture.capture_all(5).await;
    let numbers = fixture.projection.numbers();
    assert!(numbers.conflicts >= 1, "documents written before the connection broke conflict by version: {numbers:?}");
    assert_eq!(fixture.documents(), 5);
}

#[tokio::test]
async fn a_letter_is_confirmed_when_the_index_has_it() {
    let fixture = Fixture::idle(|_| {}).await;
    let (soon, instant) = (Span::from_secs(30), Span::from_millis(20));
    let letter = fixture.capture("f-1").await;
    fixture.projection.confirm(&fixture.dead, &[letter], soon).await.unwrap();
    assert_eq!(fixture.documents(), 1);
    fixture.projection.confirm(&fixture.dead, &[letter], instant).await.expect("already acknowledged");
    fixture.projection.confirm(&fixture.dead, &[], instant).await.expect("an empty list is acknowledged at once");

    fixture.fake.with(|state| state.faults.push_back(Fault::Hang));
    let letter = fixture.capture("f-2").await;
    let late = fixture.projection.confirm(&fixture.dead, &[letter], instant).await;
    assert_eq!(late, Err(SearchError::Unconfirmed { letters: 1, within: instant }));
    fixture.settled().await;

    fixture.fake.with(|state| state.down = Some(500));
    let letter = fixture.capture("f-3").await;
    let down = fixture.projection.confirm(&fixture.dead, &[letter], soon).await.unwrap_err();
    assert!(matches!(down, SearchError::Down(_) | SearchError::Trouble(SearchTrouble::Busy { .. })), "{down:?}");
    fixture.fake.with(|state| state.down = None);
    fixture.settled().await;
    fixture.projection.confirm(&fixture.dead, &[letter], soon).await.unwrap();
    fixture.store.purge(Purge { queue: fixture.dead.clone(), letters: vec![letter] }).await.unwrap();
    fixture
        .projection
        .confirm(&fixture.dead, &[letter], soon)
        .await
        .expect("a removed letter needs no acknowledgement");
}

#[tokio::test]
async fn credentials_are_sent_and_texts_of_the_server_are_never_shown() {
    let fixture = Fixture::idle(|settings| {
        settings.credentials = Credentials::Basic { user: "ann".to_owned(), password: "pass".into() };
    })
    .await;
    let sent = fixture.fake.with(|state| state.authorizations.clone());
    assert!(!sent.is_empty() && sent.iter().all(|value| value == "Basic YW5uOnBhc3M="), "{sent:?}");
    fixture.fake.with(|state| state.faults.extend([Fault::Status(418); 5]));
    fixture.capture("f-1").await;
    let down = until(&fixture.projection, |n| n.state == ProjectionState::Down).await;
    let trouble = down.trouble.unwrap();
    assert!(trouble.contains("418") && !trouble.contains("5ecret"), "{trouble}");
}

#[tokio::test]
async fn only_a_trusted_certificate_is_accepted() {
    let fake = FakeOpenSearch::start_with_tls().await;
    let untrusting = Projection::start(memory(), fake.settings()).unwrap();
    let down = until(&untrusting, |n| n.state == ProjectionState::Down).await;
    assert_eq!(down.trouble, Some(SearchTrouble::Unreachable.to_string()));
    assert!(fake.with(|state| state.authorizations.is_empty()));
    untrusting.stop().await;

    let mut settings = fake.settings();
    settings.ca_certificate = Some(CERTIFICATE.to_vec());
    settings.credentials = Credentials::ApiKey("a2V5".into());
    let projection = Projection::start(memory(), settings).unwrap();
    until(&projection, |n| n.state == ProjectionState::Ok).await;
    assert!(fake.with(|state| state.authorizations.iter().all(|value| value == "ApiKey a2V5")));
}

#[tokio::test]
async fn a_stop_is_prompt_and_unacknowledged_changes_are_sent_after_the_next_start() {
    let fixture = Fixture::idle(|settings| settings.request_timeout = Span::from_mins(5)).await;
    fixture.fake.with(|state| state.faults.push_back(Fault::Hang));
    fixture.capture("f-1").await;
    until(&fixture.projection, |n| n.outbox_depth == 1).await;
    timeout(std::time::Duration::from_secs(5), fixture.projection.stop())
        .await
        .expect("a hanging request does not delay the stop");
    assert_eq!(fixture.documents(), 0);
    let again = Projection::start(fixture.store.clone(), fixture.fake.settings()).unwrap();
    until(&again, |n| n.indexed == 1).await;
    assert_eq!(fixture.documents(), 1);
}

#[tokio::test]
async fn closing_the_store_ends_the_projection() {
    let fixture = Fixture::idle(|_| {}).await;
    fixture.store.close().await.unwrap();
    timeout(TIMEOUT, fixture.projection.stop()).await.unwrap();
}
