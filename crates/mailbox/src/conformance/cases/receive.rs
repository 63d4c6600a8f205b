//! Which messages a receive gets.

use std::collections::HashSet;
use std::sync::Arc;
use std::task::Poll;

use futures_util::future::join_all;
use redrive_core::Span;

use crate::conformance::fixture::{
    LEASE, MailboxFixture, assert_invalid, assert_nothing_visible, at_most, bodies, counts, receive, receive_one, send,
    send_all, stale, waiting,
};
use crate::{NackSpec, ReceiveSpec};

const INSTANT: Span = Span::from_micros(1);

pub(in crate::conformance) async fn values_out_of_range_are_rejected(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send(&mailbox, "a").await;
    for most in [0, 11, u32::MAX] {
        assert_invalid(&mailbox.receive(at_most(most)).await, "max_messages");
    }
    let visibility = Span::from_hours(12).saturating_add(INSTANT);
    let too_long = mailbox.receive(ReceiveSpec { visibility, ..ReceiveSpec::default() }).await;
    assert_invalid(&too_long, "visibility timeout");
    assert_eq!(counts(&mailbox).await, (1, 0, 0), "a rejected receive takes nothing");
    let longest = ReceiveSpec { visibility: Span::from_hours(12), ..ReceiveSpec::default() };
    assert_eq!(mailbox.receive(longest).await.map(|got| got.len()), Ok(1));
}

pub(in crate::conformance) async fn messages_are_first_delivered_in_the_order_of_their_sends(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let all: Vec<String> = (0..25).map(|number| number.to_string()).collect();
    for body in &all {
        send(&mailbox, body).await;
    }
    let mut got = Vec::new();
    for most in [1, 10, 3, 10, 10] {
        let some = receive(&mailbox, most).await;
        assert_eq!(some.len(), (most as usize).min(all.len() - got.len()));
        got.extend(some);
    }
    assert_eq!(bodies(&got), all);
}

pub(in crate::conformance) async fn a_delivery_has_its_counts_and_times(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let sent_at = fixture.now();
    send(&mailbox, "a").await;
    fixture.advance(Span::from_secs(7)).await;
    let received_at = fixture.now();
    let first = receive_one(&mailbox).await;
    assert_eq!((first.delivery_count, first.uncharged, first.attempt()), (1, 0, 1));
    assert_eq!((first.enqueued_at, first.first_received_at), (sent_at, received_at));
    assert_eq!(first.deadline, fixture.after(LEASE));
    assert_eq!((&first.last_error, first.verdict), (&None, None));
    fixture.advance(LEASE).await;
    let second = receive_one(&mailbox).await;
    assert_eq!((second.delivery_count, second.attempt()), (2, 2));
    assert_eq!((second.enqueued_at, second.first_received_at), (sent_at, received_at));
    assert_ne!(first.handle, second.handle);
}

pub(in crate::conformance) async fn a_leased_message_is_invisible_until_its_deadline(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send(&mailbox, "a").await;
    receive_one(&mailbox).await;
    fixture.advance(LEASE.saturating_sub(INSTANT)).await;
    assert_nothing_visible(&mailbox).await;
    fixture.advance(INSTANT).await;
    assert_eq!(receive_one(&mailbox).await.delivery_count, 2);
}

pub(in crate::conformance) async fn a_lease_of_zero_is_visible_again_at_once(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send(&mailbox, "a").await;
    let zero = ReceiveSpec { max_messages: 10, visibility: Span::ZERO, wait: Span::ZERO };
    let got = mailbox.receive(zero).await.expect("zero is in range");
    assert_eq!(got.len(), 1, "a receive gets a message once");
    assert_eq!(mailbox.acknowledge(&got[0].handle).await, stale(&got[0].handle));
    assert_eq!(receive_one(&mailbox).await.delivery_count, 2);
}

pub(in crate::conformance) async fn two_receivers_never_get_the_same_message(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    send_all(&mailbox, (0..100).map(|number| number.to_string())).await;
    let tasks = (0..16).map(|number| {
        let mailbox = Arc::clone(&mailbox);
        tokio::spawn(async move { receive(&mailbox, 1 + number % 10).await })
    });
    let got: Vec<_> = join_all(tasks).await.into_iter().flat_map(|got| got.expect("no panic")).collect();
    let ids: HashSet<_> = got.iter().map(|message| message.id().clone()).collect();
    assert_eq!(ids.len(), got.len(), "a message has two holders");
}

/// Polls receives a few times and drops them: what they took is visible to the next one, uncharged.
pub(in crate::conformance) async fn a_dropped_receive_leases_nothing(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    for polls in 0..12 {
        send(&mailbox, "a").await;
        let mut taken = None;
        {
            let mut receiving = mailbox.receive(at_most(1));
            for _ in 0..polls {
                let polled = std::future::poll_fn(|context| Poll::Ready(receiving.as_mut().poll(context))).await;
                if let Poll::Ready(got) = polled {
                    taken = got.expect("the backend is available").pop();
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let got = match taken {
            Some(got) => got,
            None => {
                let waiter = mailbox.receive(waiting(Span::from_secs(10))).await;
                waiter.expect("the backend is available").pop().expect("a dropped receive kept a message")
            }
        };
        assert_eq!(got.delivery_count, 1, "a dropped receive was charged");
        mailbox.nack(&got.handle, NackSpec::default()).await.expect("the handle is valid");
        let again = receive_one(&mailbox).await;
        mailbox.acknowledge(&again.handle).await.expect("the handle is valid");
    }
}
