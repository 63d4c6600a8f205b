//! Archive letters, restore archived ones, and purge letters.

use redrive_core::LetterId;
use redrive_proto::redrive::v1::{
    LettersArchiveRequest, LettersChangedResponse, LettersPurgeRequest, LettersRestoreRequest,
};
use redrive_store::Transactional;

use super::address::by_id;
use super::fields::{letter_error, targets};
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change, ChangeError};
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::wire::big_count;

/// Defines a call that applies one operation of the store to the letters which its request names.
macro_rules! change_call {
    ($Call:ident, $path:literal, $needs:ident, $Request:ident) => {
        pub(crate) struct $Call;

        impl Endpoint for $Call {
            type Request = $Request;
            type Answer = LettersChangedResponse;

            const PATH: &'static str = $path;
            const NEEDS: Permission = Permission::$needs;

            fn targets(request: &$Request) -> Option<Vec<AuditTarget>> {
                targets(&request.queue_name, &request.ids)
            }

            async fn call(ctx: &RequestContext, request: $Request) -> Result<LettersChangedResponse, ApiError> {
                let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
                let letters = ctx.letters(&queue, &request.ids).await?;
                let op = redrive_model::$Call { queue, letters: letters.clone() };
                let changed = change(ctx, &request.ids, &letters, op).await?;
                Ok(LettersChangedResponse { changed: big_count(changed) })
            }
        }
    };
}

change_call!(Archive, "/v1/letters.archive", LettersArchive, LettersArchiveRequest);
change_call!(Restore, "/v1/letters.restore", LettersArchive, LettersRestoreRequest);
change_call!(Purge, "/v1/letters.purge", LettersClear, LettersPurgeRequest);

/// Changes letters that the request names. The change and its audit record are one transaction.
pub(super) async fn change<O>(
    ctx: &RequestContext,
    names: &[String],
    letters: &[LetterId],
    op: O,
) -> Result<O::Reply, ApiError>
where
    O: Transactional + Clone + Sync,
{
    let change = Change::of(op).plan(&names);
    let change = names.iter().zip(letters).fold(change, |change, (name, letter)| by_id(change, name, *letter));
    ctx.act(change).await.map_err(act_error)
}

pub(super) fn act_error(error: ChangeError) -> ApiError {
    match error {
        ChangeError::ApiError(error) => error,
        ChangeError::Store(error) => letter_error(error),
    }
}
