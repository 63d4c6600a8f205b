//! A queue of a server as a source.

use std::sync::Arc;

use redrive_core::{QueueName, Span};
use redrive_run::StoreQueue;

use super::RemoteStore;
use crate::Client;

/// A queue of a server as a source of work: what a [`Runner`](redrive_run::Runner) is given.
///
/// It keeps all that a queue of a store in the same process keeps, since it is the same source: what fails for good goes to
/// the queue's dead queue in one step with its removal, results whose answer was lost are handed in again, and a claim
/// that is dropped has taken nothing. Items are held for `lease` at a time; whoever works longer extends it.
///
/// # Work through a queue of a server
///
/// ```no_run
/// use redrive_client::{Client, Span, remote_queue};
/// use redrive_core::{Policy, QueueName};
/// use redrive_run::{Call, Runner, RunnerSettings};
///
/// # async fn work() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::new("127.0.0.1:2319")?;
/// let orders = remote_queue(client, QueueName::new("orders")?, Span::from_mins(1));
/// let handler = |call: Call| async move { println!("{} bytes", call.content.payload.len()) };
/// let policy = Policy::builder().max_attempts(5).build()?;
/// let running = Runner::new(orders, handler, policy, RunnerSettings::default())?.start().await?;
/// tokio::signal::ctrl_c().await?;
/// running.stop(Span::from_secs(30)).await;
/// # Ok(())
/// # }
/// ```
pub fn remote_queue(client: Client, queue: QueueName, lease: Span) -> StoreQueue {
    StoreQueue::new(Arc::new(RemoteStore::new(client)), queue, lease)
}
