//! Restore letters from the search index, one page per call.
//!
//! The index may be the last copy of letters whose store was lost. Each letter is restored separately, so a page that
//! was interrupted can be requested again: letters that were already restored are counted as present.

use std::collections::BTreeSet;

use redrive_core::QueueName;
use redrive_model::{
    CreateQueue, GetStats, ListQueues, OnOlderRevision, QueueSettings, Reinstate, Reinstated, Rejection,
};
use redrive_proto::redrive::v1::{NotRestored, SearchRestoreRequest, SearchRestoreResponse};
use redrive_search::{RestorePage, Restored};
use redrive_store::{Store, StoreError};

use super::{index, search_error};
use crate::api_error::{ApiError, Code};
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;
use crate::wire::big_count;

/// Number of queues that one read of the store returns.
const QUEUES: usize = 1_000;

pub(crate) struct Restore;

impl Endpoint for Restore {
    type Request = SearchRestoreRequest;
    type Answer = SearchRestoreResponse;

    const PATH: &'static str = "/v1/search.restore";
    const NEEDS: Permission = Permission::LettersConfigure;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    /// Only the first page is an administrative act; the others continue it.
    fn targets(request: &SearchRestoreRequest) -> Option<Vec<AuditTarget>> {
        let act = if request.merge { "restore, merging" } else { "restore" };
        request.after.is_empty().then(|| vec![AuditTarget::new("act", act)])
    }

    async fn call(ctx: &RequestContext, request: SearchRestoreRequest) -> Result<SearchRestoreResponse, ApiError> {
        const LIMIT_MAX: usize = redrive_search::IndexRestore::LIMIT_MAX;
        ctx.allow(Self::NEEDS, None).await?;
        let restore = index(ctx)?.projection.restore();
        let is_first = request.after.is_empty();
        let after = (!is_first).then(|| crate::letters::letter_id(&request.after)).transpose()?;
        let limit = crate::paging::limit(request.limit, LIMIT_MAX)?.min(LIMIT_MAX);
        let mut answer = SearchRestoreResponse::default();
        if is_first {
            if !request.merge {
                check_empty(ctx.store()).await?;
            }
            answer.total = big_count(restore.count().await.map_err(search_error)?);
            ctx.record_act().await?;
        }
        let RestorePage { letters, next } = restore.read(after, limit).await.map_err(search_error)?;
        answer.queues_made = create_queues(ctx.store(), &letters).await?;
        let older = if request.merge { OnOlderRevision::Replace } else { OnOlderRevision::Keep };
        // Concurrently, so that they share a sync of the disk; separately, because one may be as large as a request.
        let reinstated = letters.into_iter().map(|letter| reinstate(ctx.store(), letter, older));
        for outcome in futures_util::future::join_all(reinstated).await {
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

/// Fails if the store has letters. Restored letters must not be mixed with existing ones by mistake.
async fn check_empty(store: &dyn Store) -> Result<(), ApiError> {
    let mut list = ListQueues { limit: QUEUES, ..ListQueues::default() };
    loop {
        let queues = store.queues(list.clone()).await?;
        for settings in &queues {
            let stats = store.stats(GetStats { queue: settings.name.clone() }).await?;
            if stats.letters.by_status.iter().any(|count| *count > 0) {
                let queue = &settings.name;
                let message = format!(
                    "the store is not empty; '{queue}' has letters, set merge to restore those of the index beside them"
                );
                return Err(ApiError::new(Code::Conflict, message).because("not_empty"));
            }
        }
        match queues.last() {
            Some(last) if queues.len() == QUEUES => list.pivot = Some(format!("{}\0", last.name).into()),
            _ => return Ok(()),
        }
    }
}

/// Creates missing queues, with default settings: the index does not have their settings. Returns their names.
async fn create_queues(store: &dyn Store, letters: &[Restored]) -> Result<Vec<String>, ApiError> {
    let queues: BTreeSet<&QueueName> = letters.iter().map(|letter| &letter.queue).collect();
    let mut created = Vec::new();
    for queue in queues {
        let settings = QueueSettings::new(queue.clone());
        match store.create_queue(CreateQueue { settings }).await {
            Ok(_) => created.push(queue.to_string()),
            Err(StoreError::Rejected(Rejection::QueueExists(_))) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(created)
}

async fn reinstate(
    store: &dyn Store,
    restored: Restored,
    older: OnOlderRevision,
) -> Result<Result<Reinstated, NotRestored>, ApiError> {
    let Restored { queue, letter, record } = restored;
    let unreadable = |reason: String| NotRestored {
        id: letter.to_string(),
        queue_name: queue.to_string(),
        reason,
        ..NotRestored::default()
    };
    let refused = |rejection: &Rejection| NotRestored {
        rejection: rejection.reason().to_owned(),
        fields: rejection.fields(),
        ..unreadable(rejection.to_string())
    };
    let record = match record {
        Ok(record) => *record,
        Err(error) => return Ok(Err(unreadable(error.to_string()))),
    };
    let reinstate = Reinstate { queue: queue.clone(), letters: vec![record], older };
    match store.reinstate(reinstate).await {
        Ok(mut outcome) => match outcome.pop() {
            Some(outcome) => Ok(outcome.map_err(|rejection| refused(&rejection))),
            None => Err(StoreError::WrongAnswer.into()),
        },
        // A rejection of the whole request is about its only letter.
        Err(StoreError::Rejected(rejection)) => Ok(Err(refused(&rejection))),
        Err(error) => Err(error.into()),
    }
}
