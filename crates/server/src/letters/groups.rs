//! List the faults of live letters, grouped by fingerprint.

use redrive_proto::redrive::v1::{LetterGroup, LettersGroupsRequest, LettersGroupsResponse};

use super::fields::{letter_fault, limit, one_of};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::wire::big_count;

#[derive(Debug)]
pub(crate) struct Groups;

impl Endpoint for Groups {
    type Request = LettersGroupsRequest;
    type Answer = LettersGroupsResponse;

    const PATH: &'static str = "/v1/letters.groups";
    const NEEDS: Permission = Permission::LettersRead;

    async fn call(ctx: &RequestContext, request: LettersGroupsRequest) -> Result<LettersGroupsResponse, Fault> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let (after, limit) = (one_of("after", &request.after)?, limit(request.limit)?);
        let groups = ctx.store().faults(redrive_model::Groups { queue, after, limit }).await.map_err(letter_fault)?;
        let next = groups.get(limit - 1).map(|last| last.fingerprint.to_string());
        let groups = groups.into_iter().map(|group| LetterGroup {
            fingerprint: group.fingerprint.to_string(),
            count: big_count(group.count),
            first_seen: Some(group.first_seen.into()),
            last_seen: Some(group.last_seen.into()),
        });
        Ok(LettersGroupsResponse { groups: groups.collect(), next: next.unwrap_or_default() })
    }
}
