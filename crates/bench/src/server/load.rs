//! The load on a server, and the rate at which the server processes it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::task::JoinSet;

/// A number of items, their batch size, and the number of connections.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) batch: u16,
    pub(super) connections: u16,
    pub(super) items: u32,
}

/// One open connection to a server.
pub(super) trait Caller: Send + 'static {
    /// Produces a batch and waits until it is durable, receives the same number of items, and completes them.
    fn cycle(&mut self) -> impl Future<Output = Result<()>> + Send;

    /// Returns items that were delivered after the last cycle, because other callers wait for them. Without prefetched
    /// items there are none.
    fn end(self) -> impl Future<Output = Result<()>> + Send
    where
        Self: Sized,
    {
        async { Ok(()) }
    }
}

/// The time limit of one load, so that a hanging server does not hang the benchmark.
const LOAD_MAX: Duration = Duration::from_secs(120);

impl Load {
    /// The cycles of each connection.
    fn cycles(self) -> u32 {
        self.items / u32::from(self.batch) / u32::from(self.connections)
    }

    /// The items per second, from the first request to the last answer of all callers.
    pub(super) async fn rate(self, callers: Vec<impl Caller>) -> Result<f64> {
        ensure!(callers.len() == usize::from(self.connections), "expected one caller per connection");
        let begin = Instant::now();
        let mut tasks = JoinSet::new();
        for mut caller in callers {
            tasks.spawn(async move {
                for _ in 0..self.cycles() {
                    caller.cycle().await?;
                }
                caller.end().await
            });
        }
        let all = async {
            while let Some(ended) = tasks.join_next().await {
                ended??;
            }
            anyhow::Ok(())
        };
        tokio::time::timeout(LOAD_MAX, all).await.context("the load exceeded its time limit")??;
        let items = self.cycles() * u32::from(self.batch) * u32::from(self.connections);
        Ok(f64::from(items) / begin.elapsed().as_secs_f64())
    }
}
