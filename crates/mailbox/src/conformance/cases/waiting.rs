//! Receives that wait.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::Span;

use crate::conformance::fixture::{
    LEASE, MailboxFixture, bodies, letter_about, receive_one, send, send_all, send_as, waiting,
};
use crate::{NackSpec, ReceiveSpec};

const LONG: Span = Span::from_secs(3600);

/// The time within which an event must wake a receive. A poll of 300 ms, or a slice of seconds, would exceed it on
/// average; a busy machine does not.
const AT_ONCE: Duration = Duration::from_millis(250);

#[expect(clippy::disallowed_methods, reason = "the case measures how long a call takes")]
async fn timed<T>(call: impl Future<Output = T>) -> (T, Duration) {
    let begin = std::time::Instant::now();
    let output = call.await;
    (output, begin.elapsed())
}

pub(in crate::conformance) async fn g_receive_of_ten_with_one_queued_returns_at_once(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    for _ in 0..5 {
        send(&mailbox, "a").await;
        let spec = ReceiveSpec { wait: Span::from_secs(20), ..waiting(LONG) };
        let (got, took) = timed(mailbox.receive(spec)).await;
        let got = got.expect("the backend is available");
        assert_eq!(bodies(&got), ["a"]);
        assert!(took < AT_ONCE, "it took {took:?}");
    }
}

pub(in crate::conformance) async fn g_a_send_wakes_a_blocked_receive_within_milliseconds(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let (mut times, mut without_wait) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let waiter = fixture.wait(&mailbox, waiting(LONG)).await;
        let (got, took) = timed(async {
            send(&mailbox, "a").await;
            fixture.received(waiter).await
        })
        .await;
        assert_eq!(bodies(&got), ["a"]);
        mailbox.acknowledge(&got[0].handle).await.expect("the handle is valid");
        times.push(took);

        // The same messages without a wait: on a busy machine, these take long, too.
        let ((), took) = timed(async {
            send(&mailbox, "b").await;
            let got = mailbox.receive(waiting(Span::ZERO)).await.expect("the backend is available");
            mailbox.acknowledge(&got[0].handle).await.expect("the handle is valid");
        })
        .await;
        without_wait.push(took);
    }
    times.sort_unstable();
    without_wait.sort_unstable();
    // The medians: a busy machine may delay single ones.
    let (woken, at_once) = (times[times.len() / 2], without_wait[without_wait.len() / 2]);
    assert!(woken < Duration::from_millis(50).max(3 * at_once), "{times:?}, without a wait {without_wait:?}");
}

pub(in crate::conformance) async fn g_close_wakes_every_blocked_receive(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let waiters = [fixture.wait(&mailbox, waiting(LONG)).await, fixture.wait(&mailbox, waiting(LONG)).await];
    let ((), took) = timed(async {
        mailbox.close();
        for waiter in waiters {
            assert_eq!(fixture.received(waiter).await, []);
        }
    })
    .await;
    assert!(took < AT_ONCE, "it took {took:?}");
}

pub(in crate::conformance) async fn every_send_wakes_a_blocked_receive(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let one = ReceiveSpec { max_messages: 1, ..waiting(LONG) };
    let mut waiters = Vec::new();
    for _ in 0..5 {
        waiters.push(fixture.wait(&mailbox, one).await);
    }
    send_all(&mailbox, (0..5).map(|number| number.to_string())).await;
    let mut got = Vec::new();
    for waiter in waiters {
        got.extend(fixture.received(waiter).await);
    }
    let mut bodies = bodies(&got);
    bodies.sort_unstable();
    assert_eq!(bodies, ["0", "1", "2", "3", "4"]);
}

pub(in crate::conformance) async fn a_receive_returns_empty_after_its_wait(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let wait = Span::from_millis(200);
    let waiter = fixture.wait(&mailbox, waiting(wait)).await;
    fixture.advance(wait).await;
    assert_eq!(fixture.received(waiter).await, []);
}

pub(in crate::conformance) async fn the_end_of_a_lease_wakes_a_blocked_receive(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let before = fixture.wait(&mailbox, waiting(LONG)).await;
    send(&mailbox, "a").await;
    assert_eq!(fixture.received(before).await[0].delivery_count, 1);
    let waiter = fixture.wait(&mailbox, waiting(LONG)).await;
    fixture.advance(LEASE.saturating_sub(Span::from_micros(1))).await;
    fixture.let_run().await;
    assert!(!waiter.is_finished(), "a receive got a leased message");
    fixture.advance(Span::from_micros(1)).await;
    assert_eq!(fixture.received(waiter).await[0].delivery_count, 2);
}

pub(in crate::conformance) async fn the_end_of_a_delay_wakes_a_blocked_receive(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    let waiter = fixture.wait(&mailbox, waiting(LONG)).await;
    // Earlier than the end of the lease, which was next when the receive began to wait.
    mailbox.nack(&got.handle, NackSpec::after(Span::from_secs(2))).await.expect("the handle is valid");
    fixture.let_run().await;
    assert!(!waiter.is_finished(), "a receive got a delayed message");
    fixture.advance(Span::from_secs(2)).await;
    assert_eq!(bodies(&fixture.received(waiter).await), ["a"]);
}

pub(in crate::conformance) async fn a_return_wakes_a_blocked_receive(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    let waiter = fixture.wait(&mailbox, waiting(LONG)).await;
    mailbox.nack(&got.handle, NackSpec::default()).await.expect("the handle is valid");
    assert_eq!(fixture.received(waiter).await[0].delivery_count, 2);
}

pub(in crate::conformance) async fn a_release_wakes_a_blocked_receive(fixture: &MailboxFixture) {
    let (mailbox, got) = fixture.leased("a").await;
    let waiter = fixture.wait(&mailbox, waiting(LONG)).await;
    mailbox.release(&got.handle).await.expect("the handle is valid");
    assert_eq!(fixture.received(waiter).await[0].delivery_count, 1);
}

pub(in crate::conformance) async fn a_letter_wakes_a_blocked_receive(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let letters = fixture.letters().await;
    send_as(&mailbox, "a").await.expect("the message is accepted");
    let got = receive_one(&mailbox).await;
    let waiter = fixture.wait(&Arc::clone(&letters), waiting(LONG)).await;
    mailbox.dead_letter(&got.handle, letter_about(&got, "letter"), &*letters).await.expect("the handle is valid");
    assert_eq!(bodies(&fixture.received(waiter).await), ["letter"]);
}
