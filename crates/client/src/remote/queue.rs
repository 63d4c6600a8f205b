//! A queue of a server as a source.

use std::sync::Arc;

use redrive_core::{QueueName, Span};
use redrive_run::StoreQueue;

use super::RemoteStore;
use crate::Client;

/// A queue of a server as a source for a [`Runner`](redrive_run::Runner).
///
/// It has the guarantees of a queue of a local store, since it is the same source: work that fails permanently is moved to the
/// dead queue atomically, results whose answer was lost are sent again, and a dropped claim leases nothing. `lease` is the
/// length of the leases; the runner extends them while a handler runs.
///
/// # Example
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
