//! What the parts of the benchmark share: the broker, the runtime of the consumers, and a long topic.

use anyhow::Result;
use tokio::runtime::Runtime;

use super::cluster::Cluster;
use super::keys;
use crate::figure::progress;

pub(super) const UNIT: &str = "records/s of 1 KiB";
/// How often each side of a comparison is measured, alternately.
pub(super) const RUNS: usize = 3;
const BACKLOG: usize = 1_000_000;

pub(super) struct KafkaBench {
    pub(super) runtime: Runtime,
    pub(super) cluster: Cluster,
}

/// A topic with a million records: every key equally often.
pub(super) struct Backlog {
    pub(super) topic: String,
    pub(super) records: u64,
}

impl KafkaBench {
    pub(super) fn new() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        Ok(Self { runtime, cluster: Cluster::from_environment()? })
    }

    pub(super) fn backlog(&self) -> Result<Backlog> {
        progress("producing 1 M records of 1 KiB");
        let topic = self.runtime.block_on(self.cluster.create_topic("backlog", &[]))?;
        self.cluster.fill(&topic, &keys::round_robin(BACKLOG))?;
        Ok(Backlog { topic, records: BACKLOG as u64 })
    }
}
