//! Put letters away, bring them back, remove them for good.

use redrive_proto::redrive::v1::{
    LettersArchiveRequest, LettersChangedResponse, LettersPurgeRequest, LettersRestoreRequest,
};
use redrive_store::{Operation, Reply};

use super::fields::{letter_ids, refused, targets};
use crate::audit::{AuditTarget, Change, Undone};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::wire::big_count;

#[derive(Debug)]
pub(crate) struct Archive;

impl Endpoint for Archive {
    type Request = LettersArchiveRequest;
    type Answer = LettersChangedResponse;

    const PATH: &'static str = "/v1/letters.archive";

    fn targets(request: &LettersArchiveRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &request.ids)
    }

    async fn call(desk: &Desk, request: LettersArchiveRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Permission::LettersArchive).await?;
        let letters = letter_ids(&request.ids)?;
        change(desk, &request.ids, Operation::Archive(redrive_queue::Archive { queue, letters })).await
    }
}

#[derive(Debug)]
pub(crate) struct Restore;

impl Endpoint for Restore {
    type Request = LettersRestoreRequest;
    type Answer = LettersChangedResponse;

    const PATH: &'static str = "/v1/letters.restore";

    fn targets(request: &LettersRestoreRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &request.ids)
    }

    async fn call(desk: &Desk, request: LettersRestoreRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Permission::LettersArchive).await?;
        let letters = letter_ids(&request.ids)?;
        change(desk, &request.ids, Operation::Restore(redrive_queue::Restore { queue, letters })).await
    }
}

#[derive(Debug)]
pub(crate) struct Purge;

impl Endpoint for Purge {
    type Request = LettersPurgeRequest;
    type Answer = LettersChangedResponse;

    const PATH: &'static str = "/v1/letters.purge";

    fn targets(request: &LettersPurgeRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &request.ids)
    }

    async fn call(desk: &Desk, request: LettersPurgeRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Permission::LettersClear).await?;
        let letters = letter_ids(&request.ids)?;
        change(desk, &request.ids, Operation::Purge(redrive_queue::Purge { queue, letters })).await
    }
}

async fn change(desk: &Desk, ids: &[String], operation: Operation) -> Result<LettersChangedResponse, Fault> {
    let operation = &operation;
    let changed = desk.change(|| async move { Ok((Change::of(operation.clone()).plan(&ids), ())) }).await;
    let (reply, ()) = changed.map_err(undone)?;
    let changed = match reply {
        Reply::Count(changed) => big_count(changed),
        // All of them, or it would have been refused.
        _ => big_count(ids.len()),
    };
    Ok(LettersChangedResponse { changed })
}

pub(super) fn undone(undone: Undone) -> Fault {
    match undone {
        Undone::Decided(fault) => fault,
        Undone::Store(error) => refused(error),
    }
}
