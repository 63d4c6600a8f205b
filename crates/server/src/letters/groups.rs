//! List the groups of live letters with the same fingerprint.

use futures_util::{StreamExt, TryStreamExt};
use redrive_core::{LetterId, QueueName};
use redrive_model::FailureGroupInfo;
use redrive_proto::redrive::v1::{
    GroupSample, LetterGroup, LettersGroupsRequest, LettersGroupsResponse, StatusBreakdown,
};

use super::fields::{letter_error, limit, one_of};
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::wire::big_count;

/// Maximum number of concurrent reads of samples.
const CONCURRENT_MAX: usize = 16;

pub(crate) struct Groups;

impl Endpoint for Groups {
    type Request = LettersGroupsRequest;
    type Answer = LettersGroupsResponse;

    const PATH: &'static str = "/v1/letters.groups";
    const NEEDS: Permission = Permission::LettersRead;

    async fn call(ctx: &RequestContext, request: LettersGroupsRequest) -> Result<LettersGroupsResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let (after, limit) = (one_of("after", &request.after)?, limit(request.limit)?);
        let find = redrive_model::Groups { queue: queue.clone(), after, limit };
        let groups = ctx.store().failure_groups(find).await.map_err(letter_error)?;
        let next = groups.get(limit - 1).map(|last| last.fingerprint.to_string());
        let samples = request.samples;
        let groups = futures_util::stream::iter(groups).map(|group| shown(ctx, &queue, group, samples));
        let groups = groups.buffered(CONCURRENT_MAX).try_collect().await?;
        let now = Some(ctx.app.deadlines.now().into());
        Ok(LettersGroupsResponse { groups, next: next.unwrap_or_default(), now })
    }
}

async fn shown(
    ctx: &RequestContext,
    queue: &QueueName,
    group: FailureGroupInfo,
    with_sample: bool,
) -> Result<LetterGroup, ApiError> {
    let sample = match group.sample {
        Some(id) if with_sample => sample(ctx, queue, id).await?,
        id => id.map(|id| GroupSample { id: id.to_string(), ..GroupSample::default() }),
    };
    Ok(LetterGroup {
        fingerprint: group.fingerprint.to_string(),
        count: big_count(group.counts.sum()),
        first_seen: Some(group.first_seen.into()),
        last_seen: Some(group.last_seen.into()),
        status_breakdown: Some(StatusBreakdown {
            pending: group.counts.pending.into(),
            retrying: group.counts.retrying.into(),
            exhausted: group.counts.exhausted.into(),
            ..StatusBreakdown::default()
        }),
        sample,
    })
}

/// A letter as a sample of its group; `None` if it was removed meanwhile.
async fn sample(ctx: &RequestContext, queue: &QueueName, id: LetterId) -> Result<Option<GroupSample>, ApiError> {
    let Some(record) = ctx.record_of(queue, id).await? else { return Ok(None) };
    let letter = record.info.letter.as_deref();
    Ok(letter.map(|letter| GroupSample {
        id: id.to_string(),
        error: record.last_error().to_owned(),
        category: letter.category.to_string(),
        destination: letter.destination.to_string(),
    }))
}
