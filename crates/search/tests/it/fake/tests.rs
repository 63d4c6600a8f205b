//! What the projection does when its index does not behave.

use std::sync::Arc;

use redrive_core::{LetterId, QueueName, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Content, NewLetter, Purge};
use redrive_search::{
    Credentials, Projection, ProjectionState, RefillProgress, SearchError, SearchSettings, SearchTrouble,
};
use redrive_store::{ManualClock, Store};
use tokio::time::timeout;

use super::server::{CERTIFICATE, Fake, Fault};
use crate::failures::{capture, failure, memory, queue};

const SOON: std::time::Duration = std::time::Duration::from_secs(60);

struct Scene {
    fake: Fake,
    store: Arc<EmbeddedStore>,
    dead: QueueName,
    projection: Projection,
}

impl Scene {
    /// A projection that has nothing to do.
    async fn idle(change: impl FnOnce(&mut SearchSettings)) -> Self {
        let fake = Fake::start().await;
        let store = memory();
        let dead = queue(&*store, "dead").await;
        let mut settings = fake.settings();
        change(&mut settings);
        let projection = Projection::start(store.clone(), settings).unwrap();
        let scene = Self { fake, store, dead, projection };
        scene.settled().await;
        scene
    }

    async fn settled(&self) {
        let is_settled = self.projection.until(|n| n.state == ProjectionState::Ok && n.outbox_depth == 0);
        timeout(SOON, is_settled).await.unwrap_or_else(|_| panic!("{:?}", self.projection.numbers()));
    }

    async fn capture(&self, source_id: &str) -> LetterId {
        capture(&*self.store, &self.dead, failure(source_id)).await
    }

    fn documents(&self) -> usize {
        self.fake.with(|state| state.documents.len())
    }

    /// Captures and waits until all of it is in the index.
    async fn capture_all(&self, count: usize) {
        for number in 0..count {
            self.capture(&format!("f-{number}")).await;
        }
        timeout(
            SOON,
            self.projection.until(|n| n.state == ProjectionState::Ok && n.indexed + n.conflicts >= count as u64),
        )
        .await
        .unwrap_or_else(|_| panic!("{:?}", self.projection.numbers()));
        self.settled().await;
    }
}

#[tokio::test]
async fn whatever_goes_wrong_nothing_is_lost() {
    let scene = Scene::idle(|_| {}).await;
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
        Fault::Later(7_200),
    ];
    for fault in faults {
        scene.fake.with(|state| state.faults.extend([fault, fault]));
        let before = scene.documents();
        for number in 0..3 {
            scene.capture(&format!("{fault:?}-{number}")).await;
        }
        // By the index itself: the projection may not have heard of the last captures yet.
        let is_there = || scene.documents() == before + 3;
        let caught_up = scene.projection.until(|n| n.state == ProjectionState::Ok && n.outbox_depth == 0 && is_there());
        timeout(SOON, caught_up).await.unwrap();
        let left = scene.fake.with(|state| state.faults.len());
        assert_eq!((left, scene.documents()), (0, before + 3), "{fault:?}");
    }
}

#[tokio::test]
async fn an_outage_shows_and_heals() {
    let clock = ManualClock::new(Time::from_secs(1_800_000_000));
    let fake = Fake::start().await;
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
    let dead = queue(&*store, "dead").await;
    let projection = Projection::start_with_clock(store.clone(), fake.settings(), Arc::new(clock.clone())).unwrap();
    timeout(SOON, projection.until(|n| n.state == ProjectionState::Ok)).await.unwrap();
    fake.with(|state| state.down = Some(503));
    for number in 0..10 {
        let letter = NewLetter { failed_at: clock_now(&clock), ..failure(&format!("f-{number}")) };
        capture(&*store, &dead, letter).await;
    }
    let down =
        timeout(SOON, projection.until(|n| n.state == ProjectionState::Down && n.outbox_depth == 10)).await.unwrap();
    assert!(down.trouble.unwrap().contains("503"));
    assert!(matches!(projection.probe().await, Err(SearchError::Down(_))));
    clock.advance(Span::from_hours(30));
    assert_eq!(projection.numbers().lag, Span::from_hours(30), "the age of the oldest letter that waits");
    timeout(SOON, projection.until(|n| n.failures >= 5)).await.unwrap();
    fake.with(|state| state.down = None);
    let healed =
        timeout(SOON, projection.until(|n| n.state == ProjectionState::Ok && n.outbox_depth == 0)).await.unwrap();
    assert_eq!((healed.lag, healed.failures, healed.trouble), (Span::ZERO, 0, None));
    assert_eq!(fake.with(|state| state.documents.len()), 10);
    projection.probe().await.unwrap();
}

/// The copy of many letters takes its time, and nothing is down meanwhile.
#[tokio::test]
async fn an_index_that_is_refilled_tells_how_far_it_is_and_is_not_down() {
    let fake = Fake::start().await;
    fake.with(|state| state.down = Some(503));
    let store = memory();
    let dead = queue(&*store, "dead").await;
    for number in 0..40 {
        capture(&*store, &dead, failure(&format!("f-{number}"))).await;
    }
    let projection = Projection::start(store.clone(), fake.settings()).unwrap();
    timeout(SOON, projection.until(|n| n.state == ProjectionState::Down)).await.unwrap();
    fake.with(|state| {
        state.faults.push_back(Fault::Hang);
        state.down = None;
    });
    let begun = timeout(SOON, projection.until(|n| n.refill == Some(RefillProgress { done: 0, total: 40 }))).await;
    let begun = begun.unwrap();
    assert_eq!((begun.state, begun.trouble), (ProjectionState::CatchingUp, None));
    assert!(
        matches!(projection.probe().await, Err(SearchError::Down(_))),
        "a strict capture would wait for it in vain"
    );
    let further = timeout(SOON, projection.until(|n| n.refill.is_some_and(|refill| refill.done > 0))).await.unwrap();
    assert_eq!((further.state, further.refill.unwrap().total), (ProjectionState::CatchingUp, 40));
    let done = timeout(SOON, projection.until(|n| n.state == ProjectionState::Ok)).await.unwrap();
    assert_eq!((done.refill, fake.with(|state| state.documents.len())), (None, 40));
}

/// An old letter that changes now waits since now; after a restart, nobody knows better than the letter.
#[tokio::test]
async fn the_lag_is_the_age_of_the_change_and_not_of_the_letter() {
    let clock = ManualClock::new(Time::from_secs(1_800_000_000));
    let fake = Fake::start().await;
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
    let dead = queue(&*store, "dead").await;
    let failed_at = clock_now(&clock);
    let letter = capture(&*store, &dead, NewLetter { failed_at, ..failure("old") }).await;
    clock.advance(Span::from_hours(1));
    let start = || Projection::start_with_clock(store.clone(), fake.settings(), Arc::new(clock.clone())).unwrap();
    let projection = start();
    timeout(SOON, projection.until(|n| n.state == ProjectionState::Ok)).await.unwrap();
    fake.with(|state| state.down = Some(503));
    let note = redrive_model::Annotate { queue: dead, letter, note: "seen".into() };
    store.annotate(note).await.unwrap();
    let is_down = |n: &redrive_search::ProjectionNumbers| n.state == ProjectionState::Down && n.outbox_depth == 1;
    assert_eq!(timeout(SOON, projection.until(is_down)).await.unwrap().lag, Span::ZERO);
    clock.advance(Span::from_mins(2));
    assert_eq!(projection.numbers().lag, Span::from_mins(2));
    projection.stop().await;
    let projection = start();
    assert_eq!(timeout(SOON, projection.until(is_down)).await.unwrap().lag, Span::from_mins(62));
}

#[tokio::test]
async fn an_opensearch_without_flat_objects_gets_none() {
    for (version, kind) in [("2.19.4", "flat_object"), ("2.5.0", "object"), ("1.3.20", "object")] {
        let fake = Fake::start().await;
        fake.with(|state| state.version = version);
        let projection = Projection::start(memory(), fake.settings()).unwrap();
        timeout(SOON, projection.until(|n| n.state == ProjectionState::Ok)).await.unwrap();
        let mapped = fake.with(|state| state.index.clone().unwrap().1["properties"]["metadata"]["type"].clone());
        assert_eq!(mapped, kind, "{version}");
    }
}

fn clock_now(clock: &ManualClock) -> Time {
    use redrive_store::Clock;
    clock.now()
}

#[tokio::test]
async fn batches_have_limits() {
    let scene = Scene::idle(|settings| (settings.batch_documents, settings.batch_bytes) = (7, 1 << 20)).await;
    scene.fake.with(|state| state.down = Some(503));
    for number in 0..50 {
        scene.capture(&format!("f-{number}")).await;
    }
    scene.fake.with(|state| state.down = None);
    scene.settled().await;
    let bulks = scene.fake.with(|state| std::mem::take(&mut state.bulks));
    assert!(bulks.iter().all(|(documents, _)| *documents <= 7), "{bulks:?}");
    assert_eq!(scene.documents(), 50);

    // By size: a page more than the limit at most.
    let scene = Scene::idle(|settings| settings.batch_bytes = 20_000).await;
    scene.fake.with(|state| state.down = Some(503));
    for number in 0..200 {
        scene.capture(&format!("f-{number}")).await;
    }
    scene.fake.with(|state| state.down = None);
    scene.settled().await;
    let bulks = scene.fake.with(|state| std::mem::take(&mut state.bulks));
    assert!(bulks.len() >= 3, "{bulks:?}");
    assert_eq!(scene.documents(), 200);
}

#[tokio::test]
async fn a_document_that_does_not_fit_is_there_with_less_in_it() {
    let scene = Scene::idle(|_| {}).await;
    scene.fake.with(|state| state.bytes_max = Some(20_000));
    let large = Arc::new(Content::of_payload(format!("{{\"x\":\"{}\"}}", "y".repeat(12_000))));
    let huge = Arc::new(Content::of_payload("z".repeat(100_000)));
    let large = capture(&*scene.store, &scene.dead, NewLetter { content: large, ..failure("large") }).await;
    let huge = capture(&*scene.store, &scene.dead, NewLetter { content: huge, ..failure("huge") }).await;
    let small = scene.capture("small").await;
    timeout(SOON, scene.projection.until(|n| n.quarantined == 2 && n.indexed == 1)).await.unwrap();
    scene.settled().await;
    let find = |letter: LetterId| scene.fake.with(|state| state.documents.get(&letter.to_string()).cloned().unwrap().1);
    assert_eq!(find(small).get("projection"), None);
    assert_eq!((&find(large)["projection"], find(large)["letter"].is_object()), (&"reduced".into(), true));
    assert_eq!((&find(huge)["projection"], find(huge).get("letter")), (&"reduced".into(), None));
    assert_eq!(find(huge)["task_id"], "huge");
}

#[tokio::test]
async fn what_cannot_be_made_smaller_is_kept_and_shown() {
    let scene = Scene::idle(|_| {}).await;
    scene.fake.with(|state| state.bytes_max = Some(10));
    let letter = scene.capture("f-1").await;
    let down = timeout(SOON, scene.projection.until(|n| n.state == ProjectionState::Down)).await.unwrap();
    assert_eq!(down.outbox_depth, 1);
    // Purged by a person, it is in nobody's way any more.
    scene.store.purge(Purge { queue: scene.dead.clone(), letters: vec![letter] }).await.unwrap();
    scene.capture("f-2").await;
    scene.fake.with(|state| state.bytes_max = None);
    scene.settled().await;
    assert_eq!(scene.documents(), 1);
}

#[tokio::test]
async fn a_repeated_document_is_no_trouble() {
    let scene = Scene::idle(|_| {}).await;
    scene.fake.with(|state| state.faults.push_back(Fault::CutAfter));
    scene.capture_all(5).await;
    let numbers = scene.projection.numbers();
    assert!(numbers.conflicts >= 1, "what was done before the connection broke is refused by its version: {numbers:?}");
    assert_eq!(scene.documents(), 5);
}

#[tokio::test]
async fn a_letter_is_confirmed_when_the_index_has_it() {
    let scene = Scene::idle(|_| {}).await;
    let (soon, instant) = (Span::from_secs(30), Span::from_millis(20));
    let letter = scene.capture("f-1").await;
    scene.projection.confirm(&scene.dead, &[letter], soon).await.unwrap();
    assert_eq!(scene.documents(), 1);
    scene.projection.confirm(&scene.dead, &[letter], instant).await.expect("it was acknowledged before");
    scene.projection.confirm(&scene.dead, &[], instant).await.expect("nothing is acknowledged at once");

    scene.fake.with(|state| state.faults.push_back(Fault::Hang));
    let letter = scene.capture("f-2").await;
    let late = scene.projection.confirm(&scene.dead, &[letter], instant).await;
    assert_eq!(late, Err(SearchError::Unconfirmed { letters: 1, within: instant }));
    scene.settled().await;

    scene.fake.with(|state| state.down = Some(500));
    let letter = scene.capture("f-3").await;
    let down = scene.projection.confirm(&scene.dead, &[letter], soon).await.unwrap_err();
    assert!(matches!(down, SearchError::Down(_) | SearchError::Trouble(SearchTrouble::Busy { .. })), "{down:?}");
    scene.fake.with(|state| state.down = None);
    scene.settled().await;
    scene.projection.confirm(&scene.dead, &[letter], soon).await.unwrap();
    scene.store.purge(Purge { queue: scene.dead.clone(), letters: vec![letter] }).await.unwrap();
    scene.projection.confirm(&scene.dead, &[letter], soon).await.expect("what is gone needs no acknowledgement");
}

#[tokio::test]
async fn credentials_are_sent_and_no_word_of_the_server_is_told() {
    let scene = Scene::idle(|settings| {
        settings.credentials = Credentials::Basic { user: "ann".to_owned(), password: "pass".into() };
    })
    .await;
    let sent = scene.fake.with(|state| state.authorizations.clone());
    assert!(!sent.is_empty() && sent.iter().all(|value| value == "Basic YW5uOnBhc3M="), "{sent:?}");
    scene.fake.with(|state| state.faults.extend([Fault::Status(418); 5]));
    scene.capture("f-1").await;
    let down = timeout(SOON, scene.projection.until(|n| n.state == ProjectionState::Down)).await.unwrap();
    let trouble = down.trouble.unwrap();
    assert!(trouble.contains("418") && !trouble.contains("5ecret"), "{trouble}");
}

#[tokio::test]
async fn a_certificate_that_is_trusted_is_enough_and_another_is_not() {
    let fake = Fake::start_with_tls().await;
    let stranger = Projection::start(memory(), fake.settings()).unwrap();
    let down = timeout(SOON, stranger.until(|n| n.state == ProjectionState::Down)).await.unwrap();
    assert_eq!(down.trouble, Some(SearchTrouble::Unreachable.to_string()));
    assert!(fake.with(|state| state.authorizations.is_empty()));
    stranger.stop().await;

    let mut settings = fake.settings();
    settings.ca_certificate = Some(CERTIFICATE.to_vec());
    settings.credentials = Credentials::ApiKey("a2V5".into());
    let projection = Projection::start(memory(), settings).unwrap();
    timeout(SOON, projection.until(|n| n.state == ProjectionState::Ok)).await.unwrap();
    assert!(fake.with(|state| state.authorizations.iter().all(|value| value == "ApiKey a2V5")));
}

#[tokio::test]
async fn a_stop_is_prompt_and_what_was_not_acknowledged_is_told_at_the_next_start() {
    let scene = Scene::idle(|settings| settings.request_timeout = Span::from_mins(5)).await;
    scene.fake.with(|state| state.faults.push_back(Fault::Hang));
    scene.capture("f-1").await;
    timeout(SOON, scene.projection.until(|n| n.outbox_depth == 1)).await.unwrap();
    timeout(std::time::Duration::from_secs(5), scene.projection.stop())
        .await
        .expect("a request that hangs holds nobody");
    assert_eq!(scene.documents(), 0);
    let again = Projection::start(scene.store.clone(), scene.fake.settings()).unwrap();
    timeout(SOON, again.until(|n| n.indexed == 1)).await.unwrap();
    assert_eq!(scene.documents(), 1);
}

#[tokio::test]
async fn a_store_that_closes_ends_the_projection() {
    let scene = Scene::idle(|_| {}).await;
    scene.store.close().await.unwrap();
    timeout(SOON, scene.projection.stop()).await.unwrap();
}
