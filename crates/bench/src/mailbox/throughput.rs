//! 64 callers send, and 64 receive and acknowledge, one message at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Result, ensure};
use redrive_core::Span;
use redrive_mailbox::{MailboxBackend, NewMessage, ReceiveSpec};
use tokio::task::JoinSet;

use crate::plain::PAYLOAD;

pub(super) const CALLERS: usize = 64;

/// The messages per second through a mailbox, from the first send to the last acknowledgement.
pub(super) async fn rate(mailbox: &Arc<dyn MailboxBackend>, messages: usize) -> Result<f64> {
    let begin = Instant::now();
    let left = Arc::new(AtomicUsize::new(messages));
    let mut callers: JoinSet<Result<()>> = JoinSet::new();
    for _ in 0..CALLERS {
        callers.spawn(send(Arc::clone(mailbox), messages / CALLERS));
        callers.spawn(receive(Arc::clone(mailbox), Arc::clone(&left)));
    }
    // What the division left over.
    send(Arc::clone(mailbox), messages % CALLERS).await?;
    while let Some(ended) = callers.join_next().await {
        ended??;
    }
    let seconds = begin.elapsed().as_secs_f64();
    ensure!(mailbox.counts().await?.total() == 0, "messages were left in the mailbox");
    Ok(messages as f64 / seconds)
}

async fn send(mailbox: Arc<dyn MailboxBackend>, messages: usize) -> Result<()> {
    for _ in 0..messages {
        mailbox.send(NewMessage::new(&PAYLOAD[..])).await?;
    }
    Ok(())
}

/// Receives until all messages are acknowledged; the last one closes the mailbox.
async fn receive(mailbox: Arc<dyn MailboxBackend>, left: Arc<AtomicUsize>) -> Result<()> {
    let spec = ReceiveSpec { max_messages: 1, visibility: Span::from_mins(10), wait: Span::from_mins(1) };
    while !mailbox.is_closed() {
        for message in mailbox.receive(spec).await? {
            mailbox.acknowledge(&message.handle).await?;
            if left.fetch_sub(1, Ordering::AcqRel) == 1 {
                mailbox.close();
            }
        }
    }
    Ok(())
}
