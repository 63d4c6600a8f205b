//! Export complete letters, one line of JSON each.

use redrive_core::Status;
use redrive_model::KeptLetter;
use redrive_proto::redrive::v1::{LettersExportRequest, LettersExportResponse};

use super::fields::{limit, needs_reason, one_of, targets};
use super::filter::Filter;
use super::letter_search::LetterSearch;
use super::list_position::ListPosition;
use crate::api_error::ApiError;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;

/// A page ends with the letter that reaches this size.
const BYTES: usize = 4_000_000;

pub(crate) struct Export;

impl Endpoint for Export {
    type Request = LettersExportRequest;
    type Answer = LettersExportResponse;

    const PATH: &'static str = "/v1/letters.export";
    const NEEDS: Permission = Permission::LettersExport;

    fn targets(request: &LettersExportRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &[])
    }

    async fn call(ctx: &RequestContext, request: LettersExportRequest) -> Result<LettersExportResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        needs_reason(ctx)?;
        let statuses = request.statuses.iter().map(|status| one_of::<Status>("status", status));
        let statuses: Vec<Status> = statuses.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let after = ListPosition::read(&request.after, false)?;
        let search = LetterSearch::new(ctx, queue.clone(), statuses, Filter::parse(&request.filter)?);
        let page = search.page(after, limit(request.limit)?).await?;
        let mut next = page.next;
        let (mut lines, mut bytes) = (Vec::new(), 0);
        for letter in page.letters.iter().filter_map(|listed| listed.info.letter.as_deref()) {
            if bytes >= BYTES {
                break;
            }
            // A letter that was removed meanwhile is skipped.
            if let Some(record) = ctx.record_of(&queue, letter.id).await? {
                let line = serde_json::to_string(&KeptLetter::of(&record)).map_err(|_| ApiError::internal())?;
                bytes += line.len();
                lines.push(line);
            }
            if bytes >= BYTES {
                next = Some(ListPosition::Letter(letter.id));
            }
        }
        ctx.record_act().await?;
        Ok(LettersExportResponse { lines, next: next.map(|next| next.to_string()).unwrap_or_default() })
    }
}
