//! Reads the letters of the store. Queues and letters may be removed at any time: what is gone is no error.

use redrive_core::{LetterId, QueueName};
use redrive_model::{FullLetter, GetLetter, ListLetters, ListQueues, Rejection};
use redrive_store::{Store, StoreError};

/// Returns a complete letter; `None` if it was removed.
pub(crate) async fn stored_letter(
    store: &dyn Store,
    queue: &QueueName,
    letter: LetterId,
) -> Result<Option<FullLetter>, StoreError> {
    match store.letter(GetLetter { queue: queue.clone(), letter }).await {
        Ok(record) => Ok(Some(record)),
        Err(StoreError::Rejected(Rejection::NoSuchLetter(_) | Rejection::NoSuchQueue(_))) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the revision of a letter; `None` if it was removed.
pub(crate) async fn stored_revision(
    store: &dyn Store,
    queue: &QueueName,
    letter: LetterId,
) -> Result<Option<u64>, StoreError> {
    let record = stored_letter(store, queue, letter).await?;
    Ok(record.and_then(|record| record.info.letter).map(|info| info.revision))
}

/// Returns letters of a queue after one, with their revisions; none if the queue was deleted.
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

/// Returns the queue with the next name.
pub(crate) async fn next_queue(store: &dyn Store, after: Option<&QueueName>) -> Result<Option<QueueName>, StoreError> {
    // The list begins with the pivot itself, if it still exists.
    let pivot = after.map(|name| Box::from(name.as_str()));
    let listed = store.queues(ListQueues { pivot, limit: 2, ..ListQueues::default() }).await?;
    Ok(listed.into_iter().map(|settings| settings.name).find(|name| Some(name) != after))
}
