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

pub(crate) struct KafkaBench {
    pub(crate) runtime: Runtime,
    pub(crate) cluster: Cluster,
}

/// A topic with records of which every key is equally frequent.
pub(crate) struct Backlog {
    pub(crate) topic: String,
    pub(crate) records: u64,
}

impl KafkaBench {
    /// Measures on the broker, and deletes the topics: it may have been running before, and go on afterwards.
    pub(crate) fn measure<T>(measure: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let bench = Self { runtime, cluster: Cluster::from_environment()? };
        let measured = measure(&bench);
        let deleted = bench.runtime.block_on(bench.cluster.delete_topics());
        let measured = measured?;
        deleted?;
        Ok(measured)
    }

    pub(super) fn backlog(&self) -> Result<Backlog> {
        progress("producing 1 M records of 1 KiB");
        self.filled("backlog", BACKLOG)
    }

    /// A topic with this number of records.
    pub(crate) fn filled(&self, what: &str, records: usize) -> Result<Backlog> {
        let topic = self.runtime.block_on(self.cluster.create_topic(what, &[]))?;
        self.cluster.fill(&topic, &keys::round_robin(records))?;
        Ok(Backlog { topic, records: records as u64 })
    }
}
