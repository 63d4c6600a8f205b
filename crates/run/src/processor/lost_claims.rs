//! Ends the claims of a processor whose process was killed.

use redrive_core::{LetterId, QueueName, Status};
use redrive_model::{ClaimHolder, FindLetters, ItemInfo, ListQueues, Settle, SettleAction};
use redrive_store::{Store, StoreError};

/// Page size of queues and of letters.
const PAGE: usize = 100;

/// Ends all claims of the server's own processor as lost, in every queue, and returns their number. Leases of API
/// callers are kept.
///
/// For the start of a process that has exclusive use of the store, before it claims anything: every such claim belongs
/// to a process that has ended. After a failure, the remaining claims expire.
///
/// # Errors
///
/// When the store fails, as on a full disk.
pub async fn end_lost_claims(store: &dyn Store) -> Result<u64, StoreError> {
    let mut ended = 0;
    let mut pivot: Option<Box<str>> = None;
    loop {
        // A page begins with the last queue of the page before.
        let queues = store.queues(ListQueues { namespace: None, pivot: pivot.clone(), limit: PAGE }).await?;
        for queue in queues.iter().map(|settings| &settings.name).filter(|name| pivot.as_deref() != Some(name.as_str()))
        {
            ended += end_lost_claims_of(store, queue).await?;
        }
        match queues.last() {
            Some(last) if queues.len() == PAGE => pivot = Some(last.name.as_str().into()),
            _ => return Ok(ended),
        }
    }
}

async fn end_lost_claims_of(store: &dyn Store, queue: &QueueName) -> Result<u64, StoreError> {
    let mut ended = 0;
    let mut after: Option<LetterId> = None;
    loop {
        let statuses = vec![Status::Retrying];
        let find = FindLetters { statuses, after, ..FindLetters::all(queue.clone(), PAGE) };
        let found = store.find_letters(find).await?;
        let ids: Vec<_> = found.letters.iter().filter(|info| is_of_server(info)).map(|info| info.id).collect();
        if !ids.is_empty() {
            let answers = store.settle(Settle::all(queue.clone(), None, ids, &SettleAction::Lost)).await?;
            ended += answers.iter().filter(|answer| answer.is_ok()).count() as u64;
        }
        after = found.next;
        if after.is_none() {
            return Ok(ended);
        }
    }
}

fn is_of_server(info: &ItemInfo) -> bool {
    let before = info.letter.as_ref().and_then(|letter| letter.before);
    before.is_some_and(|before| before.holder == ClaimHolder::Server)
}
