//! Letters back from the index, a page at a time.
//!
//! The index may be the last copy of letters whose store was lost. Each letter is put back by itself, so a page that was
//! cut off is asked for again, and what it had done is found there.

use std::collections::BTreeSet;

use redrive_core::QueueName;
use redrive_model::{
    CreateQueue, GetStats, ListQueues, OnOlderRevision, QueueSettings, Reinstate, Reinstated, Rejection,
};
use redrive_proto::redrive::v1::{NotRestored, SearchRestoreRequest, SearchRestoreResponse};
use redrive_search::{RestorePage, Restored};
use redrive_store::{Store, StoreError};

use super::{index, unsearched};
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
use crate::settings::{SMALL_BODY_MAX, Settings};
use crate::wire::big_count;

/// So many queues are looked at at once.
const QUEUES: usize = 1_000;

#[derive(Debug)]
pub(crate) struct Restore;

impl Endpoint for Restore {
    type Request = SearchRestoreRequest;
    type Answer = SearchRestoreResponse;

    const PATH: &'static str = "/v1/search.restore";
    const NEEDS: Permission = Permission::LettersConfigure;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    /// The first page is the act; the others are how it goes on.
    fn targets(request: &SearchRestoreRequest) -> Option<Vec<AuditTarget>> {
        let act = if request.merge { "restore, merging" } else { "restore" };
        request.after.is_empty().then(|| vec![AuditTarget::new("act", act)])
    }

    async fn call(desk: &Desk, request: SearchRestoreRequest) -> Result<SearchRestoreResponse, Fault> {
        const LIMIT_MAX: usize = redrive_search::IndexRestore::LIMIT_MAX;
        desk.allow(Self::NEEDS, None).await?;
        let restore = index(desk)?.projection.restore();
        let is_first = request.after.is_empty();
        let after = (!is_first).then(|| crate::letters::letter_id(&request.after)).transpose()?;
        let limit =
            crate::paging::limit(request.limit, LIMIT_MAX).map_err(|fault| fault.because("invalid"))?.min(LIMIT_MAX);
        let mut answer = SearchRestoreResponse::default();
        if is_first {
            if !request.merge {
                check_empty(desk.store()).await?;
            }
            answer.total = big_count(restore.count().await.map_err(unsearched)?);
            desk.record_act().await?;
        }
        let RestorePage { letters, next } = restore.read(after, limit).await.map_err(unsearched)?;
        answer.queues_made = make_queues(desk.store(), &letters).await?;
        let older = if request.merge { OnOlderRevision::GoesAway } else { OnOlderRevision::Stays };
        // Together, so that they share a sync of the disk; and each by itself, since one may be as large as a request.
        let put_back = letters.into_iter().map(|letter| put_back(desk.store(), letter, older));
        for outcome in futures_util::future::join_all(put_back).await {
            match outcome? {
                Ok(Reinstated::New | Reinstated::Newer) => answer.restored += 1,
                Ok(Reinstated::There) => answer.there += 1,
                Err(refused) => answer.refused.push(refused),
            }
        }
        answer.next = next.map(|next| next.to_string()).unwrap_or_default();
        Ok(answer)
    }
}

/// Whether a store has no letter. What a restore brings must not be mixed with what is there by mistake.
async fn check_empty(store: &dyn Store) -> Result<(), Fault> {
    let mut list = ListQueues { limit: QUEUES, ..ListQueues::default() };
    loop {
        let queues = store.queues(list.clone()).await?;
        for settings in &queues {
            let stats = store.stats(GetStats { queue: settings.name.clone() }).await?;
            if stats.letters.by_status.iter().any(|count| *count > 0) {
                let queue = &settings.name;
                let message = format!(
                    "the store is not empty; '{queue}' has letters, ask for a merge if those of the index belong beside them"
                );
                return Err(Fault::new(Code::Conflict, message).because("not_empty"));
            }
        }
        match queues.last() {
            Some(last) if queues.len() == QUEUES => list.pivot = Some(format!("{}\0", last.name).into()),
            _ => return Ok(()),
        }
    }
}

/// Queues that are not there are made. The index does not know their settings.
async fn make_queues(store: &dyn Store, letters: &[Restored]) -> Result<Vec<String>, Fault> {
    let queues: BTreeSet<&QueueName> = letters.iter().map(|letter| &letter.queue).collect();
    let mut made = Vec::new();
    for queue in queues {
        let settings = QueueSettings::new(queue.clone());
        match store.create_queue(CreateQueue { settings }).await {
            Ok(_) => made.push(queue.to_string()),
            Err(StoreError::Rejected(Rejection::QueueExists(_))) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(made)
}

async fn put_back(
    store: &dyn Store,
    restored: Restored,
    older: OnOlderRevision,
) -> Result<Result<Reinstated, NotRestored>, Fault> {
    let Restored { queue, letter, record } = restored;
    let refused = |reason: String| NotRestored { id: letter.to_string(), queue_name: queue.to_string(), reason };
    let record = match record {
        Ok(record) => *record,
        Err(unreadable) => return Ok(Err(refused(unreadable.to_string()))),
    };
    let reinstate = Reinstate { queue: queue.clone(), letters: vec![record], older };
    match store.reinstate(reinstate).await {
        Ok(mut outcome) => match outcome.pop() {
            Some(outcome) => Ok(outcome.map_err(|refusal| refused(refusal.to_string()))),
            None => Err(StoreError::WrongAnswer.into()),
        },
        // What no store would take is this letter's own fault.
        Err(StoreError::Rejected(refusal)) => Ok(Err(refused(refusal.to_string()))),
        Err(error) => Err(error.into()),
    }
}
