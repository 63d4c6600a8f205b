//! Redrive's server as it is released: a separate process, a durable store, the Rust client.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use redrive_client::{Client, Queue};
use redrive_core::Span;
use redrive_proto::querator::{QueueInfo, QueueProduceItem};

use super::load::{Caller, Load};
use crate::folder::Folder;
use crate::plain::PAYLOAD;

/// A server process that is killed when dropped.
pub(super) struct ServerProcess {
    child: Child,
    address: SocketAddr,
    _folder: Folder,
}

impl ServerProcess {
    pub(super) fn start() -> Result<Self> {
        let folder = Folder::new("served")?;
        let program = std::env::current_exe()?.with_file_name("redrive");
        let mut command = Command::new(&program);
        // The server rejects unknown variables, so the addresses of the peers must not reach it.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("REDRIVE_TEST_")) {
            command.env_remove(name);
        }
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn", "--data-dir"])
            .arg(folder.path().join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {}; cargo xtask bench server builds it", program.display()))?;
        let mut line = String::new();
        let out = child.stdout.take().context("the server has no output")?;
        BufReader::new(out).read_line(&mut line)?;
        let address = line.trim().strip_prefix("ready api=").context("the server did not report that it is ready")?;
        Ok(Self { address: address.parse()?, child, _folder: folder })
    }

    pub(super) async fn queue(&self, name: &str) -> Result<Queue> {
        let client = self.client()?;
        let queue = QueueInfo {
            queue_name: name.to_owned(),
            lease_timeout: "1h".to_owned(),
            expire_timeout: "24h".to_owned(),
            requested_partitions: 1,
            ..QueueInfo::default()
        };
        client.create_queue(&queue).await?;
        Ok(client.queue(name))
    }

    fn client(&self) -> Result<Client> {
        Ok(Client::new(&format!("http://{}", self.address))?)
    }

    /// The items per second through a queue.
    pub(super) async fn rate(&self, queue: &str, load: Load) -> Result<f64> {
        let mut callers = Vec::new();
        for number in 0..load.connections {
            // A separate client for each caller, and so a separate connection.
            let queue = self.client()?.queue(queue);
            queue.stats().await?;
            callers.push(Connected { queue, batch: load.batch, name: format!("worker-{number}") });
        }
        load.rate(callers).await
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // The data is discarded, so the server need not shut down gracefully.
        let _ended_already = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Produces this number of items, in batches of 1000.
pub(super) async fn fill(queue: &Queue, items: u32) -> Result<()> {
    for _ in 0..items / 1_000 {
        queue.produce(batch(1_000)).await?;
    }
    Ok(())
}

pub(super) fn batch(count: u16) -> Vec<QueueProduceItem> {
    let item = QueueProduceItem { bytes: Bytes::from_static(&PAYLOAD), ..QueueProduceItem::default() };
    vec![item; usize::from(count)]
}

struct Connected {
    queue: Queue,
    batch: u16,
    name: String,
}

impl Caller for Connected {
    async fn cycle(&mut self) -> Result<()> {
        self.queue.produce(batch(self.batch)).await?;
        let leased = self.queue.lease(&self.name, i32::from(self.batch), Span::from_secs(10)).await?;
        ensure!(leased.items.len() == usize::from(self.batch), "{} items of {}", leased.items.len(), self.batch);
        ensure!(leased.items.iter().all(|item| item.bytes.len() == PAYLOAD.len()), "unexpected payload size");
        let ids = leased.items.into_iter().map(|item| item.id).collect();
        Ok(self.queue.complete(leased.partition, ids).await?)
    }

    async fn end(self) -> Result<()> {
        Ok(())
    }
}
