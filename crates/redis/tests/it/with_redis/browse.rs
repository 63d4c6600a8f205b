//! Browsing large messages.

use std::collections::BTreeSet;

use redrive_mailbox::{MailboxBackend, NewMessage};

use crate::fixture::{open, settings};

/// A part of 1000 messages of several MiB would be an answer of gigabytes.
#[tokio::test]
async fn a_part_of_large_messages_is_bounded_by_their_bytes() {
    const MIB: usize = 1 << 20;
    const MESSAGES: usize = 24;
    let mailbox = open(settings()).await;
    let mut sent = BTreeSet::new();
    for _ in 0..MESSAGES {
        sent.insert(mailbox.send(NewMessage::new(vec![b'x'; MIB])).await.unwrap());
    }
    let (mut found, mut parts, mut from) = (BTreeSet::new(), 0, None);
    loop {
        let page = mailbox.browse(from.as_ref(), 1000).await.unwrap();
        // Messages in one bucket of the hash are found together.
        assert!(page.messages.len() <= 8, "{} messages in a part", page.messages.len());
        found.extend(page.messages.into_iter().map(|message| message.id));
        parts += 1;
        match page.next {
            Some(next) => from = Some(next),
            None => break,
        }
    }
    assert_eq!(found, sent);
    assert!(parts >= 3, "{parts} parts");
    mailbox.purge().await.unwrap();
}
