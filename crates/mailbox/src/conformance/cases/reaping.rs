//! Many messages that become due at once.

use futures_util::StreamExt as _;
use futures_util::stream::iter;
use redrive_core::Span;

use crate::conformance::fixture::{LEASE, MailboxFixture, SharedMailbox, at_most, counts};
use crate::{NewMessage, RawMessage};

const MESSAGES: u64 = 100_000;

async fn receive_all(mailbox: &SharedMailbox) -> u64 {
    let receives = iter(0..MESSAGES / 10).map(|_| mailbox.receive(at_most(10))).buffer_unordered(64);
    receives.fold(0, async |sum, got: Result<Vec<RawMessage>, _>| sum + got.expect("available").len() as u64).await
}

/// The consumer died with all of them leased, and no other one was running for a while.
pub(in crate::conformance) async fn j_100_000_due_messages_are_received_without_a_reaper(fixture: &MailboxFixture) {
    let mailbox = fixture.mailbox().await;
    let sends = iter(0..MESSAGES).map(|number| mailbox.send(NewMessage::new(number.to_string())));
    let sent = sends.buffer_unordered(64).filter(|sent| std::future::ready(sent.is_ok())).count().await;
    assert_eq!(sent as u64, MESSAGES);
    assert_eq!(receive_all(&mailbox).await, MESSAGES);
    assert_eq!(counts(&mailbox).await, (0, MESSAGES, 0));
    fixture.advance(LEASE.saturating_add(Span::from_hours(1))).await;
    assert_eq!(counts(&mailbox).await, (MESSAGES, 0, 0));
    assert_eq!(receive_all(&mailbox).await, MESSAGES);
    mailbox.purge().await.expect("the backend is available");
}
