//! Put letters away, bring them back, remove them for good.

use redrive_core::LetterId;
use redrive_proto::redrive::v1::{
    LettersArchiveRequest, LettersChangedResponse, LettersPurgeRequest, LettersRestoreRequest,
};
use redrive_store::Transactional;

use super::address::by_id;
use super::fields::{refused, targets};
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
    const NEEDS: Permission = Permission::LettersArchive;

    fn targets(request: &LettersArchiveRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &request.ids)
    }

    async fn call(desk: &Desk, request: LettersArchiveRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let letters = desk.letters(&queue, &request.ids).await?;
        let op = redrive_model::Archive { queue, letters: letters.clone() };
        change(desk, &request.ids, &letters, op).await
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

    async fn call(desk: &Desk, request: LettersRestoreRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let letters = desk.letters(&queue, &request.ids).await?;
        let op = redrive_model::Restore { queue, letters: letters.clone() };
        change(desk, &request.ids, &letters, op).await
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

    async fn call(desk: &Desk, request: LettersPurgeRequest) -> Result<LettersChangedResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let letters = desk.letters(&queue, &request.ids).await?;
        let op = redrive_model::Purge { queue, letters: letters.clone() };
        change(desk, &request.ids, &letters, op).await
    }
}

async fn change<O>(desk: &Desk, names: &[String], letters: &[LetterId], op: O) -> Result<LettersChangedResponse, Fault>
where
    O: Transactional<Reply = u64> + Clone + Sync,
{
    let op = &op;
    let changed = desk.change(|| async move {
        let change = Change::of(op.clone()).plan(&names);
        let named = names.iter().zip(letters);
        Ok((named.fold(change, |change, (name, letter)| by_id(change, name, *letter)), ()))
    });
    let changed = changed.await;
    let (changed, ()) = changed.map_err(undone)?;
    Ok(LettersChangedResponse { changed: big_count(changed) })
}

pub(super) fn undone(undone: Undone) -> Fault {
    match undone {
        Undone::Decided(fault) => fault,
        Undone::Store(error) => refused(error),
    }
}
