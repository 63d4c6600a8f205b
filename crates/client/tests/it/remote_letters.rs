//! What people do with letters, by the contract of a store.

use std::sync::Arc;

use redrive_client::{RemoteLetterBox, RemoteStore};
use redrive_core::{
    CaptureReason, CapturedBy, Category, Classifier, Failure, Fingerprint, Ksuid, Policy, PolicySource, Priority,
    QueueName, RequestedRetry, RetryPolicy, Span, Status, Time, Trigger,
};
use redrive_model::capture::FailedWork;
use redrive_model::{
    Annotate, Archive, Attempt, Capture, CaptureContext, Captured, Content, CreateQueue, DeathReason, DeathRecord,
    Edit, GetLetter, Groups, Header, ListLetters, NewLetter, Origin, Purge, QueueSettings, Rejection, Restore,
};
use redrive_run::LetterBox;
use redrive_store::{Clock, Store, StoreError};

use crate::bed::{Bed, Ground};

fn dead() -> QueueName {
    QueueName::new("dead").unwrap()
}

async fn with_dead() -> (Bed, RemoteStore) {
    let bed = Bed::new(Ground::Memory).await;
    let store = RemoteStore::new(bed.client().because("a test").unwrap());
    store.create_queue(CreateQueue { settings: QueueSettings::new(dead()) }).await.unwrap();
    (bed, store)
}

fn no_answer() -> Failure {
    let mut failure = Failure::new("no answer from the bank");
    failure.error.kind = "BankError".parse().ok();
    failure.error.evidence = Some(redrive_core::Evidence::http(503));
    failure
}

/// The work that a letter is about, before it was assessed.
fn work_of(letter: &NewLetter) -> FailedWork {
    FailedWork {
        content: Arc::clone(&letter.content),
        context: letter.context.clone(),
        requested: RequestedRetry { policy: None, max_retries: Some(letter.max_retries) },
        category: Some(letter.category),
        destination: Some(Arc::clone(&letter.destination)),
        priority: letter.priority,
        by: CapturedBy::Explicit,
        ..FailedWork::new(letter.source_id.clone(), no_answer(), letter.failed_at)
    }
}

/// A failure with all that the wire carries.
fn failure(source_id: &str) -> NewLetter {
    let failure = no_answer();
    let found = Classifier::built_in().classify(&failure, 1);
    let mut attempt = Attempt::failed(Trigger::Automatic, &failure, &found);
    attempt.ended_at = Some(Time::from_secs(1_799_999_000));
    // Whoever captures it knows better.
    attempt.category = Some(Category::Resource);
    let content = Content {
        kind: "order".to_owned(),
        encoding: "json".to_owned(),
        reference: "r".to_owned(),
        key: Some("customer-4".into()),
        headers: vec![Header { name: "h".to_owned(), value: vec![0xFF, 0].into() }],
        payload: vec![0, 0xFE, b'x'].into(),
    };
    NewLetter {
        source_id: source_id.into(),
        content: Arc::new(content),
        context: CaptureContext {
            origin: Origin {
                transport: "kafka".to_owned(),
                name: "orders".to_owned(),
                consumer: Some("billing".to_owned()),
                partition: Some(3),
                timestamp: Some(Time::from_secs(1_799_998_000)),
                ..Origin::default()
            },
            metadata: [("tenant".to_owned(), "acme".to_owned())].into(),
            reply_to: Some("replies".to_owned()),
            trace_id: Some("t-1".to_owned()),
            request_id: Some("q-1".to_owned()),
            ..CaptureContext::default()
        },
        attempt,
        category: Category::Resource,
        fingerprint: Fingerprint::of(&failure),
        policy: RetryPolicy::Linear,
        policy_source: PolicySource::Derived,
        max_retries: 4,
        priority: Priority::High,
        destination: Arc::from("the bank"),
        failed_at: Time::from_secs(1_799_999_000),
    }
}

async fn capture(store: &dyn Store, letter: NewLetter) -> Captured {
    store.capture(Capture::new(dead(), vec![letter])).await.unwrap().remove(0)
}

#[tokio::test]
async fn what_is_captured_and_shown_over_the_api_is_what_the_store_behind_it_has() {
    let (bed, store) = with_dead().await;
    let first = capture(&store, failure("order-16")).await.letter;
    let mut sent = failure("order-17");
    sent.context.depends_on = vec![first];
    let letter_box = RemoteLetterBox::new(bed.client());
    let posted = letter_box.post(&dead(), &Policy::default(), &[work_of(&sent)]).await.remove(0).unwrap();
    assert_eq!((posted.category, posted.rule.as_str()), (Category::Resource, "http:503"));
    let made = posted.captured;
    assert_eq!((made.status, made.reason, made.generation), (Status::Pending, CaptureReason::Enqueued, 1));
    let get = || GetLetter { queue: dead(), letter: made.letter };
    let shown = store.letter(get()).await.unwrap();
    let own = bed.store().letter(get()).await.unwrap();
    assert_eq!((&shown.content, &own.content), (&sent.content, &sent.content));
    assert_eq!((&shown.context, &shown.attempts), (&own.context, &own.attempts));
    assert_eq!(own.attempts, [sent.attempt], "rule and fingerprint are found again by the evidence");
    assert_eq!(shown.info.letter, own.info.letter);
    let letter = own.info.letter.unwrap();
    assert!(letter.is_blocked);
    assert_eq!((letter.category, letter.policy_source), (Category::Resource, PolicySource::Derived));
    assert_eq!((letter.fingerprint, &*letter.destination), (sent.fingerprint, "the bank"));
    assert_eq!((shown.info.state, shown.info.priority), (own.info.state, Priority::High));
    let kept = own.context.unwrap();
    assert_eq!((kept.origin, kept.depends_on), (sent.context.origin, sent.context.depends_on));
    assert_eq!((kept.reply_to, kept.trace_id), (sent.context.reply_to, sent.context.trace_id));
}

#[tokio::test]
async fn letters_are_listed_with_their_contents_over_pages() {
    let (bed, store) = with_dead().await;
    for number in 0..5 {
        capture(&store, failure(&format!("order-{number}"))).await;
    }
    let list = |limit, after| ListLetters { queue: dead(), statuses: vec![Status::Pending], after, limit };
    let all = store.letters(list(100, None)).await.unwrap();
    let own = bed.store().letters(list(100, None)).await.unwrap();
    let seen = |stored: &[redrive_model::StoredItem]| {
        stored.iter().map(|item| (item.info.letter.clone(), Arc::clone(&item.content))).collect::<Vec<_>>()
    };
    assert_eq!(seen(&all), seen(&own));
    let after = all[1].info.letter.as_ref().unwrap().id;
    assert_eq!(seen(&store.letters(list(2, Some(after))).await.unwrap()), seen(&own[2..4]));
    assert_eq!(store.letters(list(0, None)).await.unwrap().len(), 0);
    let groups = Groups { queue: dead(), after: None, limit: 10 };
    assert_eq!(store.faults(groups.clone()).await.unwrap(), bed.store().faults(groups).await.unwrap());
}

#[tokio::test]
async fn an_edit_changes_payload_and_headers_and_nothing_that_it_cannot_say() {
    let (bed, store) = with_dead().await;
    let letter = capture(&store, failure("order-17")).await.letter;
    let edit = |content: Content| Edit {
        queue: dead(),
        letter,
        content: Some(Arc::new(content)),
        policy: None,
        max_retries: Some(9),
        priority: None,
    };
    let before = (*failure("order-17").content).clone();
    let content = Content { payload: "new".into(), headers: Vec::new(), ..before.clone() };
    let edited = store.edit(edit(content.clone())).await.unwrap();
    let own = bed.store().letter(GetLetter { queue: dead(), letter }).await.unwrap();
    assert_eq!((&*own.content, own.original.as_deref()), (&content, Some(&before)));
    assert_eq!(edited.letter, own.info.letter);
    let revision = own.info.letter.unwrap().revision;

    let keyed = store.edit(edit(Content { key: None, ..content.clone() })).await.unwrap_err();
    assert!(matches!(keyed, StoreError::NotOffered(_)), "{keyed:?}");
    let silent = RemoteStore::new(bed.client());
    let unsaid = silent.edit(edit(content)).await.unwrap_err();
    assert!(matches!(unsaid, StoreError::NotOffered(_)), "{unsaid:?}");
    let policy = Edit { content: None, ..edit(before) };
    assert_eq!(silent.edit(policy).await.unwrap().letter.unwrap().revision, revision + 1, "a policy is no secret");
}

#[tokio::test]
async fn letters_are_put_away_brought_back_noted_and_removed() {
    let (bed, store) = with_dead().await;
    let letter = capture(&store, failure("order-17")).await.letter;
    let (queue, letters) = (dead, || vec![letter]);
    assert_eq!(store.archive(Archive { queue: queue(), letters: letters() }).await.unwrap(), 1);
    assert_eq!(store.archive(Archive { queue: queue(), letters: letters() }).await.unwrap(), 0);
    assert_eq!(store.restore(Restore { queue: queue(), letters: letters() }).await.unwrap(), 1);
    assert_eq!(store.restore(Restore { queue: queue(), letters: letters() }).await.unwrap(), 0);
    store.annotate(Annotate { queue: queue(), letter, note: "asked the bank".into() }).await.unwrap();
    let get = || GetLetter { queue: dead(), letter };
    assert_eq!(store.letter(get()).await.unwrap().notes, ["asked the bank"]);
    assert!(
        std::str::from_utf8(&bed.store().letter(get()).await.unwrap().notes[0]).unwrap().contains("asked the bank")
    );
    assert_eq!(store.purge(Purge { queue: queue(), letters: letters() }).await.unwrap(), 1);
    assert_eq!(store.letter(get()).await.unwrap_err(), Rejection::NoSuchLetter(letter).into());
}

#[tokio::test]
async fn a_letter_may_have_the_delays_of_its_queue() {
    let (bed, store) = with_dead().await;
    let custom =
        || NewLetter { policy: RetryPolicy::Custom, policy_source: PolicySource::Explicit, ..failure("custom") };
    let refused = store.capture(Capture::new(dead(), vec![custom()])).await.unwrap_err();
    assert!(matches!(&refused, StoreError::Rejected(why) if why.to_string().contains("custom_backoff")), "{refused:?}");
    let set = [("custom_backoff".to_owned(), "list 7s".to_owned())];
    bed.client().letters(dead().to_string()).configure(set, Vec::new()).await.unwrap();
    let captured = capture(&store, custom()).await;
    assert_eq!(captured.policy, RetryPolicy::Custom);
    let get = GetLetter { queue: dead(), letter: captured.letter };
    let kept = bed.store().letter(get).await.unwrap().info.letter.unwrap();
    assert_eq!((kept.policy, kept.policy_source), (RetryPolicy::Custom, PolicySource::Explicit));
    assert_eq!(kept.next_retry_at, Some(bed.clock.now().saturating_add(Span::from_secs(7))));
}

#[tokio::test]
async fn what_the_wire_has_no_word_for_is_not_offered_and_does_nothing() {
    let (bed, store) = with_dead().await;
    let mut died = failure("died");
    died.context.death = Some(DeathRecord {
        queue: dead(),
        partition: 0,
        id: redrive_core::ItemId::new(Ksuid::MIN),
        reason: DeathReason::Expired,
        attempts: 1,
        created_at: Time::EPOCH,
        expires_at: Time::MAX,
    });
    let error = store.capture(Capture::new(dead(), vec![failure("good"), died])).await.unwrap_err();
    assert!(matches!(error, StoreError::NotOffered(_)), "{error:?}");
    let letter = capture(&store, failure("order-17")).await.letter;
    let note = Annotate { queue: dead(), letter, note: vec![0xFF].into() };
    assert!(matches!(store.annotate(note).await.unwrap_err(), StoreError::NotOffered(_)));
    let silent = RemoteStore::new(bed.client());
    let list = ListLetters { queue: dead(), statuses: Vec::new(), after: None, limit: 10 };
    assert!(matches!(silent.letters(list.clone()).await.unwrap_err(), StoreError::NotOffered(_)));
    let shown = silent.letter(GetLetter { queue: dead(), letter }).await.unwrap_err();
    assert!(matches!(shown, StoreError::NotOffered(_)));
    assert_eq!(bed.store().letters(list).await.unwrap().len(), 1);
}
