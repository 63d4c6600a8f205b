//! Requests that cannot be done: each has its own error, and changes nothing.

use redrive_core::{ItemId, Ksuid, LetterId, QueueName, Span, Time, Trigger};
use redrive_queue::{
    ActOnSeen, Annotate, Archive, Capture, Claim, ClaimLetters, Clear, DeleteItems, Edit, Extend, FindLetters, GetItem,
    GetLetter, Groups, Import, ImportItem, ListItems, ListLetters, NewItem, Produce, Purge, QueueSettings, Refusal,
    Restore, SeenAct, SeenLetter, Settle, Stats, UpdateQueue, Verb, Wanted, Which,
};

use crate::conformance::bed::{Bed, lease_of};
use crate::conformance::words::{DAY, HOUR, MINUTE, complete, failure, failure_due, item_at, name, refusal, retry_at};
use crate::{ClaimRequest, LeaseRequest, Operation};

const ITEM: ItemId = ItemId::new(Ksuid::MAX);
const LETTER: LetterId = LetterId::new(Ksuid::MAX);

/// Every operation on a queue.
fn every_operation(queue: &QueueName) -> Vec<Operation> {
    let queue = || queue.clone();
    let settings = QueueSettings::new(queue());
    let claim = Claim { queue: queue(), batch: 1, lease: MINUTE, scope: redrive_queue::Scope::all() };
    let letters = || vec![LETTER];
    let edit = Edit { queue: queue(), letter: LETTER, content: None, policy: None, max_retries: None, priority: None };
    vec![
        Operation::UpdateQueue(Box::new(UpdateQueue::of(settings.name.clone()))),
        Operation::DeleteQueue(redrive_queue::DeleteQueue { name: queue(), force: true }),
        Operation::GetQueue(redrive_queue::GetQueue { name: queue() }),
        Operation::Stats(Stats { queue: queue() }),
        Operation::Produce(Produce { queue: queue(), items: vec![NewItem::default()] }),
        Operation::Lease(lease_of(&queue(), 1, HOUR)),
        Operation::Extend(Extend { queue: queue(), partition: None, ids: vec![ITEM], lease: None }),
        Operation::Settle(Settle::all(queue(), None, vec![ITEM], &complete())),
        Operation::Clear(Clear { queue: queue(), ready: true, destructive: true, scheduled: true }),
        Operation::Import(Import { queue: queue(), partition: 0, items: vec![ImportItem::default()] }),
        Operation::DeleteItems(DeleteItems { queue: queue(), partition: 0, ids: vec![ITEM] }),
        Operation::ListItems(ListItems { queue: queue(), partition: 0, which: Which::Items, pivot: None, limit: 1 }),
        Operation::GetItem(GetItem { queue: queue(), id: ITEM }),
        Operation::Capture(Capture::new(queue(), vec![failure("f-1")])),
        Operation::Claim(ClaimRequest { claim, wait: HOUR }),
        Operation::ClaimLetters(ClaimLetters {
            queue: queue(),
            letters: letters().into_iter().map(Into::into).collect(),
            lease: MINUTE,
            trigger: Trigger::Manual,
        }),
        Operation::Archive(Archive { queue: queue(), letters: letters() }),
        Operation::Restore(Restore { queue: queue(), letters: letters() }),
        Operation::Edit(edit),
        Operation::Purge(Purge { queue: queue(), letters: letters() }),
        Operation::ActOnSeen(ActOnSeen {
            queue: queue(),
            letters: vec![SeenLetter { id: LETTER, revision: 1 }],
            act: SeenAct::Purge,
        }),
        Operation::Annotate(Annotate { queue: queue(), letter: LETTER, note: "note".into() }),
        Operation::GetLetter(GetLetter { queue: queue(), letter: LETTER }),
        Operation::ListLetters(ListLetters { queue: queue(), statuses: Vec::new(), after: None, limit: 1 }),
        Operation::Groups(Groups { queue: queue(), after: None, limit: 1 }),
        Operation::FindLetters(FindLetters::all(queue(), 1)),
    ]
}

pub(in crate::conformance) async fn an_unknown_queue_is_refused_by_every_operation(bed: &Bed) {
    for operation in every_operation(&name("ordrs")) {
        let told = format!("{operation:?}");
        let refused = bed.store().submit(operation, Vec::new()).await;
        assert_eq!(refusal(refused), Refusal::NoSuchQueue(name("ordrs")), "{told}");
    }
}

pub(in crate::conformance) async fn a_deleted_queue_is_unknown(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    bed.store().delete_queue(orders.clone(), false).await.unwrap();
    for operation in every_operation(&orders) {
        let refused = bed.store().submit(operation, Vec::new()).await;
        assert_eq!(refusal(refused), Refusal::NoSuchQueue(orders.clone()));
    }
}

pub(in crate::conformance) async fn settings_out_of_range_are_refused(bed: &Bed) {
    let base = QueueSettings::new(name("orders"));
    let mut too_many_retries = base.clone();
    too_many_retries.letters.max_retries_of_moved = 101;
    let bad = [
        (QueueSettings { reference: "r".repeat(2_001), ..base.clone() }, Refusal::ReferenceTooLong),
        (QueueSettings { max_attempts: 65_537, ..base.clone() }, Refusal::TooManyAttempts),
        (QueueSettings { partitions: 0, ..base.clone() }, Refusal::NoPartitions),
        (QueueSettings { partitions: 1_025, ..base.clone() }, Refusal::TooManyPartitions),
        (QueueSettings { lease_timeout: Span::ZERO, ..base.clone() }, Refusal::NoLeaseTimeout),
        (QueueSettings { expire_timeout: Span::ZERO, ..base.clone() }, Refusal::NoExpireTimeout),
        (
            QueueSettings { lease_timeout: HOUR, expire_timeout: MINUTE, ..base.clone() },
            Refusal::LeaseTooLong { lease: HOUR, expire: MINUTE },
        ),
        (too_many_retries, Refusal::TooManyRetries),
        (QueueSettings { dead_queue: Some(name(&"d".repeat(501))), ..base.clone() }, Refusal::DeadQueueNameTooLong),
        // The dead queue is looked at first.
        (
            QueueSettings { dead_queue: Some(name("dead")), partitions: 0, ..base.clone() },
            Refusal::NoDeadQueue(name("dead")),
        ),
    ];
    for (settings, expected) in bad {
        assert_eq!(refusal(bed.store().create_queue(settings).await), expected);
    }
    assert_eq!(refusal(bed.store().queue(name("orders")).await), Refusal::NoSuchQueue(name("orders")));
    let most = QueueSettings { reference: "r".repeat(2_000), max_attempts: 65_536, ..base };
    bed.store().create_queue(most).await.expect("the limits themselves are allowed");
}

pub(in crate::conformance) async fn a_lease_says_how_many_and_how_long(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let lease = async |batch, lease| {
        let wanted = Wanted { batch, lease };
        refusal(bed.store().lease(LeaseRequest { wanted, ..lease_of(&orders, 1, HOUR) }).await)
    };
    assert_eq!(lease(0, None).await, Refusal::NoBatchSize);
    let too_many = lease(65_537, None).await;
    assert!(matches!(too_many, Refusal::BatchTooLarge { .. } | Refusal::TooLarge { .. }), "{too_many:?}");
    for bad in [Span::ZERO, DAY.saturating_mul(367), Span::MAX] {
        assert!(matches!(lease(1, Some(bad)).await, Refusal::BadLease { .. }));
    }
    let client_id = Some(String::new());
    let nameless = bed.store().lease(LeaseRequest { client_id, ..lease_of(&orders, 1, HOUR) }).await;
    assert_eq!(refusal(nameless), Refusal::NoClientId);
    assert_eq!(bed.numbers(&orders).await, (1, 0, 0));
}

pub(in crate::conformance) async fn a_claim_says_how_many_and_how_long(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure_due("f-1")).await.letter;
    let claim = async |batch, lease| {
        let claim = Claim { queue: dead_queue.clone(), batch, lease, scope: redrive_queue::Scope::all() };
        bed.store().claim(ClaimRequest { claim, wait: Span::ZERO }).await
    };
    for bad in [Span::ZERO, DAY.saturating_mul(367)] {
        assert!(matches!(refusal(claim(1, bad).await), Refusal::BadLease { .. }));
        let by_hand = ClaimLetters {
            queue: dead_queue.clone(),
            letters: vec![letter.into()],
            lease: bad,
            trigger: Trigger::Manual,
        };
        assert!(matches!(refusal(bed.store().claim_letters(by_hand).await), Refusal::BadLease { .. }));
    }
    assert_eq!(refusal(claim(0, MINUTE).await), Refusal::NoBatchSize);
    assert_eq!(bed.stats(&dead_queue).await.letters.of(redrive_core::Status::Pending), 1);
}

pub(in crate::conformance) async fn an_extension_says_how_long(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await.info.id;
    for bad in [Span::ZERO, DAY.saturating_mul(367)] {
        let extend = Extend { queue: orders.clone(), partition: None, ids: vec![held], lease: Some(bad) };
        assert!(matches!(refusal(bed.store().extend(extend).await), Refusal::BadLease { .. }));
    }
}

pub(in crate::conformance) async fn a_list_of_nothing_is_refused(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let queue = || orders.clone();
    let operations = [
        Operation::Settle(Settle { queue: queue(), partition: None, items: Vec::new() }),
        Operation::Extend(Extend { queue: queue(), partition: None, ids: Vec::new(), lease: None }),
        Operation::DeleteItems(DeleteItems { queue: queue(), partition: 0, ids: Vec::new() }),
        Operation::Archive(Archive { queue: queue(), letters: Vec::new() }),
        Operation::Restore(Restore { queue: queue(), letters: Vec::new() }),
        Operation::Purge(Purge { queue: queue(), letters: Vec::new() }),
        Operation::ActOnSeen(ActOnSeen { queue: queue(), letters: Vec::new(), act: SeenAct::Archive }),
        Operation::ClaimLetters(ClaimLetters {
            queue: queue(),
            letters: Vec::new(),
            lease: MINUTE,
            trigger: Trigger::Manual,
        }),
    ];
    for operation in operations {
        let told = format!("{operation:?}");
        let refused = refusal(bed.store().submit(operation, Vec::new()).await);
        assert!(matches!(refused, Refusal::Empty { .. }), "{told}: {refused:?}");
    }
}

pub(in crate::conformance) async fn a_list_that_is_too_long_is_refused(bed: &Bed) {
    let orders = bed.queue("orders").await;
    let items = vec![NewItem::default(); 65_537];
    let refused = refusal(bed.store().produce(Produce { queue: orders.clone(), items }).await);
    assert!(matches!(refused, Refusal::TooMany { .. } | Refusal::TooLarge { .. }), "{refused:?}");
    let settle = Settle::all(orders.clone(), None, vec![ITEM; 65_537], &Verb::Release);
    let refused = refusal(bed.store().settle(settle).await);
    assert!(matches!(refused, Refusal::TooMany { .. } | Refusal::TooLarge { .. }), "{refused:?}");
    assert_eq!(bed.numbers(&orders).await, (0, 0, 0));
}

pub(in crate::conformance) async fn a_note_that_is_too_long_is_refused(bed: &Bed) {
    let dead_queue = bed.queue("dead").await;
    let letter = bed.capture(&dead_queue, failure("f-1")).await.letter;
    let note = vec![b'n'; Annotate::NOTE_BYTES_MAX + 1].into();
    let refused = bed.store().annotate(Annotate { queue: dead_queue.clone(), letter, note }).await;
    assert!(matches!(refusal(refused), Refusal::ValueTooLong { .. } | Refusal::TooLarge { .. }));
    assert!(bed.record(&dead_queue, letter).await.notes.is_empty());
}

pub(in crate::conformance) async fn times_at_the_ends_of_the_calendar_do_no_harm(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce_items(&orders, vec![item_at("past", Time::MIN), item_at("never", Time::MAX)]).await;
    let held = bed.lease_one(&orders).await;
    bed.settle(&orders, held.info.id, retry_at(Time::MAX)).await.unwrap();
    assert_eq!(bed.numbers(&orders).await, (0, 0, 2));
    let ancient = ImportItem { expires_at: Some(Time::MIN), enqueue_at: Some(Time::MIN), ..ImportItem::default() };
    let leased = ImportItem { lease_deadline: Some(Time::MIN), expires_at: Some(Time::MAX), ..ImportItem::default() };
    let import = Import { queue: orders.clone(), partition: 0, items: vec![ancient, leased] };
    bed.store().import(import).await.unwrap();
    assert_eq!(bed.lease_one(&orders).await.info.expires_at, None, "one died, the other came back from its lease");
    let waiting = bed.wait_with(lease_of(&orders, 1, Span::MAX)).await;
    waiting.assert_waits(bed).await;
    waiting.vanish(bed).await;
    bed.clock.set(Time::MAX);
    bed.numbers(&orders).await;
    bed.clock.set(Time::MIN);
    bed.numbers(&orders).await;
}

pub(in crate::conformance) async fn foreign_ids_are_unknown(bed: &Bed) {
    let orders = bed.queue("orders").await;
    bed.produce(&orders, &["a"]).await;
    let held = bed.lease_one(&orders).await.info.id;
    // The same place, and another stamp.
    let mut bytes = *held.ksuid().as_bytes();
    bytes[12] ^= 1;
    for id in [ItemId::new(Ksuid::MIN), ITEM, ItemId::new(Ksuid::from_bytes(bytes))] {
        assert_eq!(refusal(bed.complete(&orders, id).await), Refusal::NoSuchItem(id));
    }
    bed.complete(&orders, held).await.unwrap();
}
