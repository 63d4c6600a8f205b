//! Archive letters, restore archived ones, and purge letters.

use redrive_core::LetterId;
use redrive_proto::redrive::v1::{
    LettersArchiveRequest, LettersChangedResponse, LettersPurgeRequest, LettersRestoreRequest,
};
use redrive_store::Transactional;

use super::address::by_id;
use super::fields::{letter_fault, targets};
use crate::audit::{AuditTarget, Change, ChangeError};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::wire::big_count;

#[derive(Debug)]
pub(crate) struct Archive;

impl Endpoint for Archive {
    type Request = LettersArchiveRequest;
    type Answer = LettersChangedResponse;

    const PATH: &'static str = "/v1/letters.archive";
    const NEEDS: Permission = Permission::LettersArchive;

    fn targets(request: &LettersArchiveRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &request.ids)
    }

    async fn call(ctx: &RequestContext, request: LettersArchiveRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let letters = ctx.letters(&queue, &request.ids).await?;
        let op = redrive_model::Archive { queue, letters: letters.clone() };
        let changed = change(ctx, &request.ids, &letters, op).await?;
        Ok(LettersChangedResponse { changed: big_count(changed) })
    }
}

#[derive(Debug)]
pub(crate) struct Restore;

impl Endpoint for Restore {
    type Request = LettersRestoreRequest;
    type Answer = LettersChangedResponse;

    const PATH: &'static str = "/v1/letters.restore";
    const NEEDS: Permission = Permission::LettersArchive;

    fn targets(request: &LettersRestoreRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &request.ids)
    }

    async fn call(ctx: &RequestContext, request: LettersRestoreRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let letters = ctx.letters(&queue, &request.ids).await?;
        let op = redrive_model::Restore { queue, letters: letters.clone() };
        let changed = change(ctx, &request.ids, &letters, op).await?;
        Ok(LettersChangedResponse { changed: big_count(changed) })
    }
}

#[derive(Debug)]
pub(crate) struct Purge;

impl Endpoint for Purge {
    type Request = LettersPurgeRequest;
    type Answer = LettersChangedResponse;

    const PATH: &'static str = "/v1/letters.purge";
    const NEEDS: Permission = Permission::LettersClear;

    fn targets(request: &LettersPurgeRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &request.ids)
    }

    async fn call(ctx: &RequestContext, request: LettersPurgeRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let letters = ctx.letters(&queue, &request.ids).await?;
        let op = redrive_model::Purge { queue, letters: letters.clone() };
        let changed = change(ctx, &request.ids, &letters, op).await?;
        Ok(LettersChangedResponse { changed: big_count(changed) })
    }
}

/// Changes letters that the request names. The change and its audit record are one transaction.
pub(super) async fn change<O>(
    ctx: &RequestContext,
    names: &[String],
    letters: &[LetterId],
    op: O,
) -> Result<O::Reply, Fault>
where
    O: Transactional + Clone + Sync,
{
    let op = &op;
    let changed = ctx.change(|| async move {
        let change = Change::of(op.clone()).plan(&names);
        let named = names.iter().zip(letters);
        Ok((named.fold(change, |change, (name, letter)| by_id(change, name, *letter)), ()))
    });
    let (changed, ()) = changed.await.map_err(change_fault)?;
    Ok(changed)
}

pub(super) fn change_fault(error: ChangeError) -> Fault {
    match error {
        ChangeError::Fault(fault) => fault,
        ChangeError::Store(error) => letter_fault(error),
    }
}
