//! How a server is loaded, and how fast it gets through.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::task::JoinSet;

/// So many items, so many at once, over so many connections.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub(super) batch: u16,
    pub(super) connections: u16,
    pub(super) items: u32,
}

/// One connection to a server, ready to begin.
pub(super) trait Caller: Send + 'static {
    /// Produces a batch and waits until it is durable, receives as many items, and completes them.
    fn cycle(&mut self) -> impl Future<Output = Result<()>> + Send;

    /// Gives back what the server may have handed out beyond the last cycle: others wait for it.
    fn end(self) -> impl Future<Output = Result<()>> + Send;
}

/// A server that hangs must not hang the benchmark.
const LONGEST: Duration = Duration::from_secs(120);

impl Load {
    /// Of each connection.
    fn cycles(self) -> u32 {
        self.items / u32::from(self.batch) / u32::from(self.connections)
    }

    /// Items a second, from the first request of the first caller to the last answer of the last one.
    #[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
    pub(super) async fn rate(self, callers: Vec<impl Caller>) -> Result<f64> {
        ensure!(callers.len() == usize::from(self.connections), "as many callers as connections");
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
        tokio::time::timeout(LONGEST, all).await.context("the server does not get on")??;
        let items = self.cycles() * u32::from(self.batch) * u32::from(self.connections);
        Ok(f64::from(items) / begin.elapsed().as_secs_f64())
    }
}
