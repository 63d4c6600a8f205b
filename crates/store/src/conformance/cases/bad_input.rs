//! Invalid requests: each has a specific error, and changes nothing.

use crate::Request;
use redrive_core::{ItemId, Ksuid, LetterId, QueueName, Span, Time, Trigger};
use redrive_model::{
    Annotate, Archive, BulkAction, Capture, ChangeIfUnchanged, ClaimById, ClaimDue, Clear, CreateQueue, DeleteItems,
    DeleteQueue, Edit, Extend, FindLetters, GetItem, GetLetter, GetStats, Groups, HandBackLetter, HandBackLetters,
    Import, ImportItem, ItemListKind, Lease, LeaseByMessageId, LeaseSpec, LetterRevision, ListItems, ListLetters,
    NewItem, Produce, Purge, QueueSettings, Rejection, Restore, RestoreIfUnchanged, Resume, Settle, SettleAction,
    UpdateQueue,
};

use crate::conformance::fixture::{StoreFixture, lease_of};
use crate::conformance::samples::{
    DAY, HOUR, MINUTE, complete, failure, failure_due, item, item_at, name, rejection, retry_at,
};

const ITEM: ItemId = ItemId::new(Ksuid::MAX);
const LETTER: LetterId = LetterId::new(Ksuid::MAX);

/// Every operation on a queue.
fn every_operation(queue: &QueueName) -> Vec<Request> {
    let queue = || queue.clone();
    let settings = QueueSettings::new(queue());
    let claim = ClaimDue {
        queue: queue(),
        batch: 1,
        lease: MINUTE,
        scope: redrive_model::DestinationFilter::all(),
        wait: redrive_core::Span::ZERO,
    };
    let letters = || vec![LETTER];
    let edit = Edit { queue: queue(), letter: LETTER, content: None, policy: None, max_retries: None, priority: None };
    vec![
        UpdateQueue::of(settings.name.clone()).into(),
        Request::DeleteQueue(redrive_model::DeleteQueue { name: queue(), force: true }),
        redrive_model::GetQueue { name: queue() }.into(),
        GetStats { queue: queue() }.into(),
        Request::Produce(Produce::new(queue(), vec![NewItem::default()])),
        Request::Lease(lease_of(&queue(), 1, HOUR)),
        Request::LeaseByMessageId(LeaseByMessageId {
            queue: queue(),
            message_id: "m-1".into(),
            lease: None,
            notes_receipt: false,
        }),
        Request::Extend(Extend { queue: queue(), partition: None, ids: vec![ITEM], lease: None, may_shorten: false }),
        Request::Settle(Settle::all(queue(), None, vec![ITEM], &complete())),
        Request::Clear(Clear { queue: queue(), ready: true, destructive: true, scheduled: true }),
        Request::Import(Import { queue: queue(), partition: 0, items: vec![ImportItem::default()] }),
        Request::DeleteItems(DeleteItems { queue: queue(), partition: 0, ids: vec![ITEM] }),
        Request::ListItems(ListItems {
            queue: queue(),
            partition: 0,
            which: ItemListKind::Items,
            pivot: None,
            limit: 1,
        }),
        GetItem { queue: queue(), id: ITEM }.into(),
        Request::Capture(Capture::new(queue(), vec![failure("f-1")])),
        Request::ClaimDue(ClaimDue { wait: HOUR, ..claim }),
        Request::ClaimById(ClaimById {
            queue: queue(),
            letters: letters().into_iter().map(Into::into).collect(),
            lease: MINUTE,
            trigger: Trigger::Manual,
        }),
        Request::Archive(Archive { queue: queue(), letters: letters() }),
        Request::Restore(Restore { queue: queue(), letters: letters() }),
        Request::RestoreIfUnchanged(RestoreIfUnchanged {
            queue: queue(),
            letters: vec![LetterRevision { id: LETTER, revision: 1 }],
        }),
        Request::Resume(Resume { queue: queue(), letters: vec![LETTER.into()], actor: None }),
        Request::HandBackLetters(HandBackLetters {
            queue: queue(),
            letters: vec![HandBackLetter {
                letter: LetterRevision { id: LETTER, revision: 1 },
                to: queue(),
                item: item("a"),
            }],
            actor: None,
        }),
        edit.into(),
        Request::Purge(Purge { queue: queue(), letters: letters() }),
        Request::ChangeIfUnchanged(ChangeIfUnchanged {
            queue: queue(),
            letters: vec![LetterRevision { id: LETTER, revision: 1 }],
            act: BulkAction::Purge,
        }),
        Request::Annotate(Annotate { queue: queue(), letter: LETTER, note: "note".into() }),
        GetLetter { queue: queue(), letter: LETTER }.into(),
        Request::ListLetters(ListLetters { queue: queue(), statuses: Vec::new(), after: None, limit: 1 }),
        Request::Groups(Groups { queue: queue(), after: None, limit: 1 }),
        FindLetters::all(queue(), 1).into(),
    ]
}

pub(in crate::conformance) async fn an_unknown_queue_is_rejected_by_every_operation(fixture: &StoreFixture) {
    for operation in every_operation(&name("ordrs")) {
        let context = format!("{operation:?}");
        let rejected = fixture.store().submit(operation, Vec::new()).await;
        assert_eq!(rejection(rejected), Rejection::NoSuchQueue(name("ordrs")), "{context}");
    }
}

pub(in crate::conformance) async fn a_deleted_queue_is_unknown(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    fixture.store().delete_queue(DeleteQueue { name: orders.clone(), force: false }).await.unwrap();
    for operation in every_operation(&orders) {
        let rejected = fixture.store().submit(operation, Vec::new()).await;
        assert_eq!(rejection(rejected), Rejection::NoSuchQueue(orders.clone()));
    }
}

pub(in crate::conformance) async fn settings_out_of_range_are_rejected(fixture: &StoreFixture) {
    let base = QueueSettings::new(name("orders"));
    let mut too_many_retries = base.clone();
    too_many_retries.letters.moved_max_retries = Some(101);
    let bad = [
        (QueueSettings { reference: "r".repeat(2_001), ..base.clone() }, Rejection::ReferenceTooLong),
        (QueueSettings { max_attempts: 65_537, ..base.clone() }, Rejection::TooManyAttempts),
        (QueueSettings { partitions: 0, ..base.clone() }, Rejection::NoPartitions),
        (QueueSettings { partitions: 1_025, ..base.clone() }, Rejection::TooManyPartitions),
        (QueueSettings { lease_timeout: Span::ZERO, ..base.clone() }, Rejection::NoLeaseTimeout),
        (QueueSettings { expire_timeout: Span::ZERO, ..base.clone() }, Rejection::NoExpireTimeout),
        (
            QueueSettings { lease_timeout: HOUR, expire_timeout: MINUTE, ..base.clone() },
            Rejection::LeaseTooLong { lease: HOUR, expire: MINUTE },
        ),
        (too_many_retries, Rejection::TooManyRetries),
        (QueueSettings { dead_queue: Some(name(&"d".repeat(501))), ..base.clone() }, Rejection::DeadQueueNameTooLong),
        // The dead queue is checked first.
        (
            QueueSettings { dead_queue: Some(name("dead")), partitions: 0, ..base.clone() },
            Rejection::NoDeadQueue(name("dead")),
        ),
    ];
    for (settings, expected) in bad {
        assert_eq!(fixture.rejected_queue(settings).await, expected);
    }
    fixture.assert_no_queue(&name("orders")).await;
    let most = QueueSettings { reference: "r".repeat(2_000), max_attempts: 65_536, ..base };
    fixture.store().create_queue(CreateQueue { settings: most }).await.expect("the limits themselves are allowed");
}

pub(in crate::conformance) async fn a_lease_needs_a_valid_batch_size_and_duration(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let lease = async |batch, lease| {
        let wanted = LeaseSpec { batch, lease, notes_receipt: false };
        rejection(fixture.store().lease(Lease { spec: wanted, ..lease_of(&orders, 1, HOUR) }).await)
    };
    assert_eq!(lease(0, None).await, Rejection::NoBatchSize);
    let too_many = lease(65_537, None).await;
    assert!(matches!(too_many, Rejection::BatchTooLarge { .. } | Rejection::TooLarge { .. }), "{too_many:?}");
    for bad in [Span::ZERO, DAY.saturating_mul(367), Span::MAX] {
        assert!(matches!(lease(1, Some(bad)).await, Rejection::BadLease { .. }));
    }
    let client_id = Some(String::new());
    let nameless = fixture.store().lease(Lease { client_id, ..lease_of(&orders, 1, HOUR) }).await;
    assert_eq!(rejection(nameless), Rejection::NoClientId);
    assert_eq!(fixture.numbers(&orders).await, (1, 0, 0));
}

pub(in crate::conformance) async fn a_claim_needs_a_valid_batch_size_and_duration(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure_due("f-1")).await;
    let claim = async |batch, lease| {
        let claim = ClaimDue {
            queue: dead_queue.clone(),
            batch,
            lease,
            scope: redrive_model::DestinationFilter::all(),
            wait: redrive_core::Span::ZERO,
        };
        fixture.store().claim_due(ClaimDue { wait: Span::ZERO, ..claim }).await
    };
    for bad in [Span::ZERO, DAY.saturating_mul(367)] {
        assert!(matches!(rejection(claim(1, bad).await), Rejection::BadLease { .. }));
        let by_hand =
            ClaimById { queue: dead_queue.clone(), letters: vec![letter.into()], lease: bad, trigger: Trigger::Manual };
        assert!(matches!(rejection(fixture.store().claim_by_id(by_hand).await), Rejection::BadLease { .. }));
    }
    assert_eq!(rejection(claim(0, MINUTE).await), Rejection::NoBatchSize);
    assert_eq!(fixture.stats(&dead_queue).await.letters.of(redrive_core::Status::Pending), 1);
}

pub(in crate::conformance) async fn an_extension_needs_a_valid_duration(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let held = fixture.lease_one(&orders).await.info.id;
    for may_shorten in [false, true] {
        let lease = Some(DAY.saturating_mul(367));
        let extend = Extend { queue: orders.clone(), partition: None, ids: vec![held], lease, may_shorten };
        assert!(matches!(rejection(fixture.store().extend(extend).await), Rejection::BadLease { .. }));
    }
}

pub(in crate::conformance) async fn an_empty_list_is_rejected(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let queue = || orders.clone();
    let operations = [
        Request::Settle(Settle {
            queue: queue(),
            partition: None,
            items: Vec::new(),
            on_rejected: redrive_model::OnRejected::Continue,
        }),
        Request::Extend(Extend { queue: queue(), partition: None, ids: Vec::new(), lease: None, may_shorten: false }),
        Request::DeleteItems(DeleteItems { queue: queue(), partition: 0, ids: Vec::new() }),
        Request::Archive(Archive { queue: queue(), letters: Vec::new() }),
        Request::Restore(Restore { queue: queue(), letters: Vec::new() }),
        Request::RestoreIfUnchanged(RestoreIfUnchanged { queue: queue(), letters: Vec::new() }),
        Request::Resume(Resume { queue: queue(), letters: Vec::new(), actor: None }),
        Request::HandBackLetters(HandBackLetters { queue: queue(), letters: Vec::new(), actor: None }),
        Request::Purge(Purge { queue: queue(), letters: Vec::new() }),
        Request::ChangeIfUnchanged(ChangeIfUnchanged { queue: queue(), letters: Vec::new(), act: BulkAction::Archive }),
        Request::ClaimById(ClaimById { queue: queue(), letters: Vec::new(), lease: MINUTE, trigger: Trigger::Manual }),
    ];
    for operation in operations {
        let context = format!("{operation:?}");
        let rejected = rejection(fixture.store().submit(operation, Vec::new()).await);
        assert!(matches!(rejected, Rejection::Empty { .. }), "{context}: {rejected:?}");
    }
}

pub(in crate::conformance) async fn a_list_that_is_too_long_is_rejected(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    let items = vec![NewItem::default(); 65_537];
    let rejected = rejection(fixture.store().produce(Produce::new(orders.clone(), items)).await);
    assert!(matches!(rejected, Rejection::TooMany { .. } | Rejection::TooLarge { .. }), "{rejected:?}");
    let settle = Settle::all(orders.clone(), None, vec![ITEM; 65_537], &SettleAction::Release);
    let rejected = rejection(fixture.store().settle(settle).await);
    assert!(matches!(rejected, Rejection::TooMany { .. } | Rejection::TooLarge { .. }), "{rejected:?}");
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 0));
}

pub(in crate::conformance) async fn a_note_that_is_too_long_is_rejected(fixture: &StoreFixture) {
    let (dead_queue, letter) = fixture.captured(failure("f-1")).await;
    let note = vec![b'n'; Annotate::NOTE_BYTES_MAX + 1].into();
    let rejected = fixture.store().annotate(Annotate { queue: dead_queue.clone(), letter, note }).await;
    assert!(matches!(rejection(rejected), Rejection::ValueTooLong { .. } | Rejection::TooLarge { .. }));
    assert!(fixture.record(&dead_queue, letter).await.notes.is_empty());
}

pub(in crate::conformance) async fn minimum_and_maximum_times_are_handled(fixture: &StoreFixture) {
    let orders = fixture.queue("orders").await;
    fixture.produce_items(&orders, vec![item_at("past", Time::MIN), item_at("never", Time::MAX)]).await;
    let held = fixture.lease_one(&orders).await;
    fixture.settle(&orders, held.info.id, retry_at(Time::MAX)).await.unwrap();
    assert_eq!(fixture.numbers(&orders).await, (0, 0, 2));
    let ancient = ImportItem { expires_at: Some(Time::MIN), enqueue_at: Some(Time::MIN), ..ImportItem::default() };
    let leased = ImportItem {
        is_leased: true,
        lease_deadline: Some(Time::MIN),
        expires_at: Some(Time::MAX),
        ..ImportItem::default()
    };
    let import = Import { queue: orders.clone(), partition: 0, items: vec![ancient, leased] };
    fixture.store().import(import).await.unwrap();
    assert_eq!(fixture.lease_one(&orders).await.info.expires_at, None, "one item died, the lease of the other expired");
    let waiting = fixture.wait_with(lease_of(&orders, 1, Span::MAX)).await;
    waiting.assert_waits(fixture).await;
    waiting.disconnect(fixture).await;
    fixture.clock.set(Time::MAX);
    fixture.numbers(&orders).await;
    fixture.clock.set(Time::MIN);
    fixture.numbers(&orders).await;
}

pub(in crate::conformance) async fn ids_of_other_stores_are_unknown(fixture: &StoreFixture) {
    let orders = fixture.orders(&["a"]).await;
    let held = fixture.lease_one(&orders).await.info.id;
    // The same slot with another stamp.
    let mut bytes = *held.ksuid().as_bytes();
    bytes[12] ^= 1;
    for id in [ItemId::new(Ksuid::MIN), ITEM, ItemId::new(Ksuid::from_bytes(bytes))] {
        assert_eq!(rejection(fixture.complete(&orders, id).await), Rejection::NoSuchItem(id));
    }
    fixture.complete(&orders, held).await.unwrap();
}
