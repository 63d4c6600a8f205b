//! Redrive's server as it is released: a separate process, a durable store, the Rust client.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use redrive_client::{Client, Queue, QueueName, QueueSettings};
use redrive_core::Span;
use redrive_proto::querator::{QueueCompleteRequest, QueueLeaseRequest, QueueProduceItem, QueueProduceRequest};

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
        Self::start_on(Folder::new("served")?)
    }

    /// Starts a server with this configuration file.
    pub(super) fn start_with(folder: Folder, config: &str) -> Result<Self> {
        std::fs::write(folder.path().join("redrive.toml"), config)?;
        Self::start_on(folder)
    }

    /// Starts a server on the store in `data` of a folder, with the `redrive.toml` of the folder, if there is one.
    pub(super) fn start_on(folder: Folder) -> Result<Self> {
        let program = std::env::current_exe()?.with_file_name("redrive");
        let mut command = Command::new(&program);
        // The server rejects unknown variables, so the addresses of the peers must not reach it.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("REDRIVE_TEST_")) {
            command.env_remove(name);
        }
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn", "--data-dir"])
            .arg(folder.path().join("data"))
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {}; cargo xtask bench server builds it", program.display()))?;
        let mut line = String::new();
        let out = child.stdout.take().context("the server has no output")?;
        BufReader::new(out).read_line(&mut line)?;
        let address = line.trim().strip_prefix("ready api=").context("the server did not report that it is ready")?;
        Ok(Self { address: address.parse()?, child, _folder: folder })
    }

    pub(super) async fn queue(&self, name: &str) -> Result<RawQueue> {
        let client = self.client()?;
        let settings =
            QueueSettings { lease_timeout: Span::from_hours(1), ..QueueSettings::new(QueueName::new(name)?) };
        Queue::create(&client, &settings).await?;
        Ok(RawQueue { client, name: name.to_owned() })
    }

    pub(super) fn client(&self) -> Result<Client> {
        Ok(Client::new(&format!("http://{}", self.address))?)
    }

    /// The items per second through a queue.
    pub(super) async fn rate(&self, queue: &str, load: Load) -> Result<f64> {
        let mut callers = Vec::new();
        for number in 0..load.connections {
            // A separate client for each caller, and so a separate connection.
            let client = self.client()?;
            client.queue(queue).stats().await?;
            let queue = RawQueue { client, name: queue.to_owned() };
            callers.push(Connected { queue, batch: load.batch, client_id: format!("worker-{number}") });
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

/// A queue with the calls of the plain queue API, as the peers have them: a produce without the memory of requests that
/// a put needs.
#[derive(Clone)]
pub(super) struct RawQueue {
    client: Client,
    name: String,
}

impl RawQueue {
    const TIMEOUT: &str = "1m";

    /// Produces this number of items, in batches of 1000.
    pub(super) async fn fill(&self, items: u32) -> Result<()> {
        for _ in 0..items / 1_000 {
            self.produce(1_000).await?;
        }
        Ok(())
    }

    pub(super) async fn produce(&self, count: u16) -> Result<()> {
        let item = QueueProduceItem { bytes: Bytes::from_static(&PAYLOAD), ..QueueProduceItem::default() };
        let (queue_name, request_timeout) = (self.name.clone(), Self::TIMEOUT.to_owned());
        let items = vec![item; usize::from(count)];
        Ok(self.client.produce(&QueueProduceRequest { queue_name, request_timeout, items }).await?)
    }
}

struct Connected {
    queue: RawQueue,
    batch: u16,
    client_id: String,
}

impl Caller for Connected {
    async fn cycle(&mut self) -> Result<()> {
        let RawQueue { client, name } = &self.queue;
        self.queue.produce(self.batch).await?;
        let request = QueueLeaseRequest {
            queue_name: name.clone(),
            batch_size: i32::from(self.batch),
            client_id: self.client_id.clone(),
            request_timeout: "10s".to_owned(),
        };
        let leased = client.lease(&request).await?;
        ensure!(leased.items.len() == usize::from(self.batch), "{} items of {}", leased.items.len(), self.batch);
        ensure!(leased.items.iter().all(|item| item.bytes.len() == PAYLOAD.len()), "unexpected payload size");
        let request = QueueCompleteRequest {
            queue_name: name.clone(),
            partition: leased.partition,
            request_timeout: RawQueue::TIMEOUT.to_owned(),
            ids: leased.items.into_iter().map(|item| item.id).collect(),
        };
        Ok(client.complete(&request).await?)
    }
}
