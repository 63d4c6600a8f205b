//! Work that was claimed before its destination was paused.

use std::collections::BTreeSet;

use redrive_core::{BreakerConfig, Span};
use redrive_run::RunnerSettings;
use redrive_store::Request;

use super::breaker::{letters_for, until_resumed};
use crate::fixture::{Fault, policy, settings, transient, with_fixture};

/// Calls that wait for their turn were admitted before the pause, and would be sent to a destination that is down.
#[test]
fn work_that_has_not_begun_when_its_destination_is_paused_is_returned_untouched() {
    with_fixture(async |fixture| {
        let ids = fixture.capture(letters_for(&fixture, "a", 7)).await;
        fixture.capture(letters_for(&fixture, "b", 1)).await;
        let (running, mut inbox) = fixture.start_letters(policy(), settings(10)).await;
        let mut calls = inbox.take(8).await;
        let (other, mut late, mut held) = (calls.pop().unwrap(), calls.pop().unwrap(), calls.pop().unwrap());
        held.call.hold();
        other.call.hold();
        for pending in calls {
            pending.fail(transient());
        }
        held.dropped().await;
        assert!(!held.call.begin());
        let probe = inbox.next().await;
        assert_eq!(&*probe.call.destination, "a");
        fixture.until_idle().await;
        assert!(!late.is_dropped(), "work that has begun goes on");
        late.call.hold();
        late.dropped().await;
        assert!(!late.call.begin());
        assert!(!other.is_dropped() && other.call.begin(), "another destination");
        other.done();
        // Other work is claimed without a delay.
        fixture.capture([fixture.letter("next", "b")]).await;
        inbox.next().await.done();
        fixture.assert_no_call(&mut inbox, "no further call beside the probe").await;
        for id in &ids[5..] {
            let record = fixture.record(*id).await;
            assert_eq!((record.info.letter.unwrap().retries, record.attempts.len()), (0, 1), "no attempt was made");
        }
        probe.done();
        inbox.complete_next(6).await;
        let report = running.stop(Span::ZERO).await;
        assert_eq!((report.done, report.retried, report.deferred), (9, 5, 2), "{report:?}");
    });
}

/// Work that was claimed ahead finds the slot of the probe taken. The probe ends long before its timeout.
#[test]
fn work_that_was_claimed_before_the_outage_runs_as_soon_as_the_probe_has_ended() {
    with_fixture(async |fixture| {
        // A source that answers late: work is claimed ahead.
        let clock = fixture.clock.clone();
        fixture.store.inject(move |request| match request {
            Request::Settle(_) => Fault::DelayReply(clock.clone(), Span::from_secs(1)),
            _ => Fault::None,
        });
        let breaker = Some(BreakerConfig::new(1, Span::from_secs(10), 1).unwrap());
        let (running, mut inbox) = fixture.start_letters(policy(), RunnerSettings { breaker, ..settings(2) }).await;
        fixture.capture([fixture.letter("first", "c")]).await;
        inbox.next().await.done();
        fixture.until_idle().await;
        fixture.store.clear_faults();

        let names = [("a1", "a"), ("b1", "b"), ("b2", "b"), ("a2", "a"), ("a3", "a")];
        fixture.capture(names.map(|(id, destination)| fixture.letter(id, destination))).await;
        let (opens, busy) = (inbox.next().await, inbox.next().await);
        assert_eq!((opens.payload(), busy.payload()), ("a1".to_owned(), "b1".to_owned()));
        fixture.until_idle().await;
        assert_eq!(fixture.leased("dead").await, 5, "all are claimed");
        opens.fail(transient());
        let other = inbox.next().await;
        assert_eq!(other.payload(), "b2");
        other.done();
        let probe = inbox.next().await;
        assert_eq!(probe.payload(), "a2");
        busy.done();
        fixture.assert_no_call(&mut inbox, "one probe at a time").await;
        assert_eq!(fixture.leased("dead").await, 1, "work that may not be called waits at its source");
        probe.done();
        let mut names = BTreeSet::new();
        for _ in 0..2 {
            let pending = inbox.next().await;
            names.insert(pending.payload());
            pending.done();
        }
        assert_eq!(names, BTreeSet::from(["a1".to_owned(), "a3".to_owned()]));
        until_resumed(&running).await;
        running.stop(Span::ZERO).await;
    });
}
