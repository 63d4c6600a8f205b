//! Copying every letter of the store into an index.

use futures_util::future::join_all;
use redrive_core::{LetterId, QueueName};
use redrive_model::{FullLetter, GetLetter, GetStats, ListLetters, ListQueues, Rejection};
use redrive_store::{Store, StoreError};

use crate::projection::{Core, Op, Patience, Target, deliver};
use crate::{RefillProgress, SearchError};

/// So many letters are asked for at the same time, and held in memory, whole.
const PAGE: usize = 32;

/// Copies every letter; gives how many. What changes meanwhile is told by the feed, to whoever registered before. An outage
/// is waited out.
pub(crate) async fn copy(core: &Core, target: &Target) -> Result<u64, SearchError> {
    let mut copied = 0;
    let mut pivot = None;
    // An index that is being made beside the other one says nothing about how letters are searched.
    let total = if target.is_alias { Some(count(&*core.store).await?) } else { None };
    let tell = |done| total.into_iter().for_each(|total| core.progress.refilling(RefillProgress { done, total }));
    tell(copied);
    while let Some(queue) = next_queue(&*core.store, pivot.as_ref()).await? {
        let mut after = None;
        loop {
            let letters = page_of(&*core.store, &queue, after, PAGE).await?;
            let letters: Vec<LetterId> = letters.into_iter().map(|(letter, _)| letter).collect();
            let Some(last) = letters.last().copied() else { break };
            copied += copy_page(core, target, &queue, &letters).await?;
            tell(copied);
            after = Some(last);
        }
        pivot = Some(queue);
    }
    Ok(copied)
}

/// How many letters the store has.
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

/// Sends letters as they are now: after a failure they are read again, for they may have gone meanwhile.
async fn copy_page(core: &Core, target: &Target, queue: &QueueName, letters: &[LetterId]) -> Result<u64, SearchError> {
    let mut patience = Patience::new(&core.settings);
    loop {
        let records = read(&*core.store, queue, letters).await?;
        let changes: Vec<Op> =
            records.into_iter().filter_map(|record| Op::index(queue.clone(), Box::new(record))).collect();
        let count = changes.len() as u64;
        let delivered = deliver(&core.client, target, changes).await;
        core.book(target, &delivered);
        let Some(trouble) = delivered.trouble else { return Ok(count) };
        if target.is_alias {
            core.progress.failed(trouble.label(), trouble.to_string(), None);
        }
        patience.wait(trouble.into()).await?;
    }
}

/// Letters, whole; those that are gone are left out.
async fn read(store: &dyn Store, queue: &QueueName, letters: &[LetterId]) -> Result<Vec<FullLetter>, StoreError> {
    let asked: Vec<_> =
        letters.iter().map(|letter| store.letter(GetLetter { queue: queue.clone(), letter: *letter })).collect();
    let mut found = Vec::with_capacity(letters.len());
    for answer in join_all(asked).await {
        match answer {
            Ok(record) => found.push(record),
            Err(StoreError::Rejected(Rejection::NoSuchLetter(_) | Rejection::NoSuchQueue(_))) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Letters of a queue behind one, with their revisions; none where the queue is gone.
pub(crate) async fn page_of(
    store: &dyn Store,
    queue: &QueueName,
    after: Option<LetterId>,
    limit: usize,
) -> Result<Vec<(LetterId, u64)>, StoreError> {
    let list = ListLetters { queue: queue.clone(), statuses: Vec::new(), after, limit };
    let listed = match store.letters(list).await {
        Ok(listed) => listed,
        Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Vec::new(),
        Err(error) => return Err(error),
    };
    let letters = listed.into_iter().filter_map(|stored| stored.info.letter);
    Ok(letters.map(|letter| (letter.id, letter.revision)).collect())
}

/// The queue whose name comes next.
pub(crate) async fn next_queue(store: &dyn Store, after: Option<&QueueName>) -> Result<Option<QueueName>, StoreError> {
    // The list begins with the one that it is asked for, if that is still there.
    let pivot = after.map(|name| Box::from(name.as_str()));
    let listed = store.queues(ListQueues { pivot, limit: 2, ..ListQueues::default() }).await?;
    Ok(listed.into_iter().map(|settings| settings.name).find(|name| Some(name) != after))
}
