//! Many messages that become due at once.

use futures_util::StreamExt as _;
use futures_util::stream::iter;
use redrive_core::Span;

use crate::conformance::fixture::{LEASE, MailboxFixture, SharedMailbox, at_most, counts};
use crate::{NewMessage, RawMessage};

/// Receives as often as is needed for this number of messages, and returns how many there were.
async fn receive_all(mailbox: &SharedMailbox, messages: u64) -> u64 {
    let receives = iter(0..messages / 10).map(|_| mailbox.receive(at_most(10))).buffer_unordered(64);
    receives.fold(0, async |sum, got: Result<Vec<RawMessage>, _>| sum + got.expect("available").len() as u64).await
}

/// The consumer died with all of them leased, and no other one was running for a while.
pub(in crate::conformance) async fn j_very_many_due_messages_are_received_without_a_reaper(fixture: &MailboxFixture) {
    let messages = fixture.due_messages();
    let mailbox = fixture.mailbox().await;
    let sends = iter(0..messages).map(|number| mailbox.send(NewMessage::new(number.to_string())));
    let sent = sends.buffer_unordered(64).filter(|sent| std::future::ready(sent.is_ok())).count().await;
    assert_eq!(sent as u64, messages);
    assert_eq!(receive_all(&mailbox, messages).await, messages);
    assert_eq!(counts(&mailbox).await, (0, messages, 0));
    fixture.advance(LEASE.saturating_add(Span::from_hours(1))).await;
    assert_eq!(counts(&mailbox).await, (messages, 0, 0));
    assert_eq!(receive_all(&mailbox, messages).await, messages);
    mailbox.purge().await.expect("the backend is available");
}
