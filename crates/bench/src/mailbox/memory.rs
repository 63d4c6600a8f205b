//! A mailbox in memory, and a channel as its reference.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use redrive_mailbox::{MailboxBackend, MailboxName, MailboxSettings, MemoryMailboxes};
use redrive_store::SystemClock;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;

use super::throughput::CALLERS;

pub(super) fn mailbox() -> Result<Arc<dyn MailboxBackend>> {
    let mailboxes = MemoryMailboxes::new(Arc::new(SystemClock));
    Ok(mailboxes.open(MailboxName::new("bench")?, MailboxSettings::default()))
}

/// The values per second through a bounded channel with as many senders and receivers.
pub(super) async fn channel_rate(messages: usize) -> Result<f64> {
    let begin = Instant::now();
    let (tx, rx) = mpsc::channel::<u64>(1024);
    let rx = Arc::new(Mutex::new(rx));
    let mut callers: JoinSet<usize> = JoinSet::new();
    for _ in 0..CALLERS {
        let tx = tx.clone();
        callers.spawn(async move {
            for number in 0..messages / CALLERS {
                if tx.send(number as u64).await.is_err() {
                    break;
                }
            }
            0
        });
        let rx = Arc::clone(&rx);
        callers.spawn(async move {
            let mut received = 0;
            while rx.lock().await.recv().await.is_some() {
                received += 1;
            }
            received
        });
    }
    drop(tx);
    let received: usize = callers.join_all().await.into_iter().sum();
    ensure!(received == messages / CALLERS * CALLERS, "the channel lost values");
    Ok(received as f64 / begin.elapsed().as_secs_f64())
}
