//! Copies every letter of the store into an index.

use futures_util::future::join_all;
use redrive_core::{LetterId, QueueName};
use redrive_model::{GetStats, Rejection};
use redrive_store::{Store, StoreError};

use crate::projection::{Core, Op, RetryDelay, Target, deliver};
use crate::stored::{next_queue, page_of, stored_letter};
use crate::{RefillProgress, SearchError};

/// Letters that are read concurrently and held in memory.
const PAGE: usize = 32;

/// Copies every letter; returns how many. A reader of the feed that was registered before sees later changes. Outages
/// are retried.
pub(crate) async fn copy(core: &Core, target: &Target) -> Result<u64, SearchError> {
    let mut copied = 0;
    let mut pivot = None;
    // Progress is reported only for the index that searches use, not for one that a rebuild creates.
    let total = if target.is_alias { Some(count(&*core.store).await?) } else { None };
    let report = |done| total.into_iter().for_each(|total| core.progress.refilling(RefillProgress { done, total }));
    report(copied);
    while let Some(queue) = next_queue(&*core.store, pivot.as_ref()).await? {
        let mut after = None;
        loop {
            let letters = page_of(&*core.store, &queue, after, PAGE).await?;
            let letters: Vec<LetterId> = letters.into_iter().map(|(letter, _)| letter).collect();
            let Some(last) = letters.last().copied() else { break };
            copied += copy_page(core, target, &queue, &letters).await?;
            report(copied);
            after = Some(last);
        }
        pivot = Some(queue);
    }
    Ok(copied)
}

/// Returns the number of letters in the store.
async fn count(store: &dyn Store) -> Result<u64, SearchError> {
    let (mut total, mut pivot) = (0, None);
    while let Some(queue) = next_queue(store, pivot.as_ref()).await? {
        match store.stats(GetStats { queue: queue.clone() }).await {
            Ok(stats) => total += stats.letters.by_status.iter().sum::<u64>(),
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => {}
            Err(error) => return Err(error.into()),
        }
        pivot = Some(queue);
    }
    Ok(total)
}

/// Sends the current state of letters. After a failure they are read again, because they may have been removed since.
async fn copy_page(core: &Core, target: &Target, queue: &QueueName, letters: &[LetterId]) -> Result<u64, SearchError> {
    let mut delay = RetryDelay::new(&core.settings);
    loop {
        let reads: Vec<_> = letters.iter().map(|letter| stored_letter(&*core.store, queue, *letter)).collect();
        let records = join_all(reads).await.into_iter().collect::<Result<Vec<_>, _>>()?;
        let to_index = |record| Op::index(queue.clone(), Box::new(record));
        let changes: Vec<Op> = records.into_iter().flatten().filter_map(to_index).collect();
        let count = changes.len() as u64;
        let delivered = deliver(&core.client, target, changes).await;
        core.record(target, &delivered);
        let Some(trouble) = delivered.trouble else { return Ok(count) };
        if target.is_alias {
            core.progress.failed(trouble.label(), trouble.to_string(), None);
        }
        delay.wait(trouble.into()).await?;
    }
}
