//! Ends the claims that a processor left behind when its process was killed.

use redrive_core::{LetterId, QueueName, Status};
use redrive_model::{ClaimHolder, FindLetters, ItemInfo, ListQueues, Settle, SettleAction};
use redrive_store::{Store, StoreError};

/// Queues, and letters, that are asked for at a time.
const PAGE: usize = 100;

/// Ends all claims of the server's own processor as lost, in every queue; gives how many. Leases of callers stay.
///
/// For the start of a process that has the store alone, before anything is claimed: every such claim is of a process that is
/// gone. Where it fails, the claims that are left run out in time.
///
/// # Errors
///
/// When the store does not do it, as on a full disk.
pub async fn end_lost_claims(store: &dyn Store) -> Result<u64, StoreError> {
    let mut ended = 0;
    let mut pivot: Option<Box<str>> = None;
    loop {
        // A page begins with the queue that the one before ended with.
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
