//! Operations on letters that require the revision that the caller saw.

use crate::conformance::fixture::StoreFixture;
use bytes::Bytes;
use redrive_core::{LetterId, QueueName, Status, Trigger};
use redrive_model::{
    Annotate, Archive, BulkAction, BulkResult, ChangeIfUnchanged, ClaimById, EndReason, Event, GetLetter,
    LetterRevision, Purge, Rejection, RestoreIfUnchanged,
};

use crate::conformance::samples::{MINUTE, failure, rejection};

async fn seen(fixture: &StoreFixture, queue: &QueueName, letters: &[LetterId]) -> Vec<LetterRevision> {
    let mut seen = Vec::new();
    for id in letters {
        seen.push(LetterRevision { id: *id, revision: fixture.info(queue, *id).await.revision });
    }
    seen
}

pub(in crate::conformance) async fn a_letter_changed_since_it_was_read_is_not_modified(fixture: &StoreFixture) {
    for act in [BulkAction::Archive, BulkAction::Purge] {
        let dead_queue = fixture.queue(&format!("dead-{act:?}").to_lowercase()).await;
        let [same, changed, gone] = ["same", "changed", "gone"].map(failure);
        let mut letters = Vec::new();
        for new in [same, changed, gone] {
            letters.push(fixture.capture(&dead_queue, new).await.letter);
        }
        let seen = seen(fixture, &dead_queue, &letters).await;
        let note = Annotate { queue: dead_queue.clone(), letter: letters[1], note: Bytes::from_static(b"wait") };
        fixture.store().annotate(note).await.unwrap();
        let purge = Purge { queue: dead_queue.clone(), letters: letters[2..].to_vec() };
        assert_eq!(fixture.store().purge(purge).await, Ok(1));
        let before = fixture.record(&dead_queue, letters[1]).await;
        let act_on = ChangeIfUnchanged { queue: dead_queue.clone(), letters: seen, act };
        let acted = fixture.store().change_if_unchanged(act_on).await.unwrap();
        assert_eq!(acted, [BulkResult::Done, BulkResult::Changed, BulkResult::Gone], "{act:?}");
        assert_eq!(fixture.record(&dead_queue, letters[1]).await, before, "{act:?}");
        let get = GetLetter { queue: dead_queue.clone(), letter: letters[0] };
        match act {
            BulkAction::Archive => assert_eq!(fixture.status(&dead_queue, letters[0]).await, Status::Archived),
            BulkAction::Purge => {
                assert_eq!(rejection(fixture.store().letter(get).await), Rejection::NoSuchLetter(letters[0]));
            }
        }
    }
}

pub(in crate::conformance) async fn a_letter_named_twice_is_changed_once(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    for (act, second) in [(BulkAction::Archive, BulkResult::Changed), (BulkAction::Purge, BulkResult::Gone)] {
        let letter = fixture.capture(&dead_queue, failure("f-1")).await.letter;
        let letters =
            [seen(fixture, &dead_queue, &[letter]).await, seen(fixture, &dead_queue, &[letter]).await].concat();
        let acted = fixture
            .store()
            .change_if_unchanged(ChangeIfUnchanged { queue: dead_queue.clone(), letters, act })
            .await
            .unwrap();
        assert_eq!(acted, [BulkResult::Done, second], "{act:?}");
    }
    let counts = fixture.stats(&dead_queue).await.counts;
    assert_eq!((counts.of(Event::Archived), counts.ended(EndReason::Purged)), (1, 1));
}

pub(in crate::conformance) async fn an_archived_letter_changed_since_it_was_read_is_not_restored(
    fixture: &StoreFixture,
) {
    let dead_queue = fixture.queue("dead").await;
    let mut letters = Vec::new();
    for id in ["same", "changed", "gone", "held", "live"] {
        letters.push(fixture.capture(&dead_queue, failure(id)).await.letter);
    }
    let archive = Archive { queue: dead_queue.clone(), letters: letters[..4].to_vec() };
    assert_eq!(fixture.store().archive(archive).await, Ok(4));
    let first_held = letters[3];
    let holder = fixture.capture(&dead_queue, failure("held")).await.letter;
    assert_ne!(holder, first_held, "the next generation of the same work");
    let mut seen = seen(fixture, &dead_queue, &letters).await;
    let note = Annotate { queue: dead_queue.clone(), letter: letters[1], note: Bytes::from_static(b"wait") };
    fixture.store().annotate(note).await.unwrap();
    let purge = Purge { queue: dead_queue.clone(), letters: vec![letters[2]] };
    assert_eq!(fixture.store().purge(purge).await, Ok(1));
    seen.push(seen[0]);
    let restore = RestoreIfUnchanged { queue: dead_queue.clone(), letters: seen };
    let restored = fixture.store().restore_if_unchanged(restore).await.unwrap();
    use BulkResult::{Changed, Done, Gone, Held};
    assert_eq!(restored, [Done, Changed, Gone, Held, Done, Changed], "a letter named twice is restored once");
    let status = async |letter| fixture.status(&dead_queue, letter).await;
    assert_eq!(status(letters[0]).await, Status::Pending);
    assert_eq!((status(letters[1]).await, status(first_held).await), (Status::Archived, Status::Archived));
    assert_eq!(fixture.stats(&dead_queue).await.counts.of(Event::Restored), 1);
}

pub(in crate::conformance) async fn a_letter_changed_since_it_was_read_is_not_claimed(fixture: &StoreFixture) {
    let dead_queue = fixture.queue("dead").await;
    let [same, changed] = ["same", "changed"].map(failure);
    let letters = [fixture.capture(&dead_queue, same).await.letter, fixture.capture(&dead_queue, changed).await.letter];
    let seen = seen(fixture, &dead_queue, &letters).await;
    let note = Annotate { queue: dead_queue.clone(), letter: letters[1], note: Bytes::from_static(b"wait") };
    fixture.store().annotate(note).await.unwrap();
    let claim = async |seen: &[LetterRevision]| {
        let letters = seen.iter().map(|seen| (*seen).into()).collect();
        let claim = ClaimById { queue: dead_queue.clone(), letters, lease: MINUTE, trigger: Trigger::Manual };
        fixture.store().claim_by_id(claim).await
    };
    let today = fixture.info(&dead_queue, letters[1]).await.revision;
    let expected = Rejection::LetterChanged { letter: letters[1], revision: today };
    assert_eq!(rejection(claim(&seen).await), expected);
    assert_eq!(fixture.status(&dead_queue, letters[0]).await, Status::Pending, "all letters or none");
    assert_eq!(claim(&seen[..1]).await.unwrap().letters.len(), 1);
    assert_eq!(fixture.status(&dead_queue, letters[0]).await, Status::Retrying);
}
