//! Of which partitions it is being read ahead.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use redrive_core::QueueName;

/// Of which partitions it is being read ahead. What stands here lives as long as its job and what came of it, wherever
/// they are lost.
#[derive(Debug, Default)]
pub(crate) struct UnderWay(BTreeMap<(QueueName, u32), Weak<()>>);

impl UnderWay {
    /// Something to be kept for as long as it is read ahead there; `None` when it is already.
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
