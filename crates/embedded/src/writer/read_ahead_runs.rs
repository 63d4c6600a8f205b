//! The partitions for which a read-ahead is running.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use redrive_core::QueueName;

/// The partitions for which a read-ahead is running. An entry is alive as long as its task or the fetched contents
/// exist, so it ends even if they are discarded.
#[derive(Debug, Default)]
pub(crate) struct ReadAheadRuns(BTreeMap<(QueueName, u32), Weak<()>>);

impl ReadAheadRuns {
    /// Begins a read-ahead; the caller keeps the returned value while it runs. `None` if one is already running.
    pub(super) fn begin(&mut self, queue: &QueueName, partition: u32) -> Option<Arc<()>> {
        let key = (queue.clone(), partition);
        if self.0.get(&key).is_some_and(|running| running.strong_count() > 0) {
            return None;
        }
        self.0.retain(|_, running| running.strong_count() > 0);
        let running = Arc::new(());
        self.0.insert(key, Arc::downgrade(&running));
        Some(running)
    }
}
