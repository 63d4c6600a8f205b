//! Reads the content of a store.

use redrive_core::{QueueName, Status};
use redrive_model::{ItemListKind, KeyEntry, ListItems, ListLetters, ListQueues, QueueSettings, ScanKeys, StoredItem};

use crate::conformance::model::compare::Checked;
use crate::conformance::model::naive::Model;
use crate::{Store, StoreError};

pub(super) const ALL: usize = 100_000;

/// Everything that the lists of a store show.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) queues: Vec<QueueSettings>,
    /// Items in the order of their ids, each with the model's number of its queue.
    pub(super) items: Vec<(u32, StoredItem)>,
    pub(super) keys: Vec<KeyEntry>,
}

impl Contents {
    pub(super) async fn of(store: &dyn Store, model: &Model) -> Checked<Self> {
        let queues = store.queues(ListQueues { limit: ALL, ..ListQueues::default() }).await.map_err(no_answer)?;
        let scan = ScanKeys { prefix: Default::default(), from: Default::default(), limit: ALL };
        let keys = store.keys(scan).await.map_err(no_answer)?;
        let mut contents = Self { queues, items: Vec::new(), keys };
        for settings in &contents.queues {
            let number = model.named(&settings.name).map_err(|_| format!("unexpected queue {}", settings.name))?.number;
            for partition in 0..settings.partitions {
                for which in [ItemListKind::Items, ItemListKind::Scheduled] {
                    let items = list(store, &settings.name, partition, which).await?;
                    contents.items.extend(items.into_iter().map(|item| (number, item)));
                }
            }
            let statuses = vec![Status::Completed, Status::Archived];
            let finished = ListLetters { queue: settings.name.clone(), statuses, after: None, limit: ALL };
            let finished = store.letters(finished).await.map_err(no_answer)?;
            contents.items.extend(finished.into_iter().map(|item| (number, item)));
        }
        contents.items.sort_by_key(|(_, item)| item.info.id);
        Ok(contents)
    }
}

async fn list(store: &dyn Store, queue: &QueueName, partition: u32, which: ItemListKind) -> Checked<Vec<StoredItem>> {
    let list = ListItems { queue: queue.clone(), partition, which, pivot: None, limit: ALL };
    let items = store.items(list).await.map_err(no_answer)?;
    if !items.is_sorted_by_key(|item| item.info.id) {
        return Err(format!("{which:?} of {queue} is not in the order of ids"));
    }
    match items.iter().find(|item| item.info.partition != partition) {
        Some(stray) => Err(format!("{stray:?} is listed in partition {partition}")),
        None => Ok(items),
    }
}

/// Converts the error of a read, which must not fail.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` calls")]
pub(super) fn no_answer(error: StoreError) -> String {
    format!("a read failed: {error}")
}
