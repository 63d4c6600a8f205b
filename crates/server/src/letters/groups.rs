//! List the groups of letters with the same fingerprint.

use futures_util::{StreamExt, TryStreamExt};
use redrive_core::{LetterId, QueueName};
use redrive_model::FailureGroupInfo;
use redrive_proto::redrive::v1::{GroupSample, LetterGroup, LettersGroupsRequest, LettersGroupsResponse};

use super::fields::{letter_error, limit, one_of, statuses, targets};
use super::filter::Filter;
use super::group_search::{CountedGroup, GroupCounts, GroupSearch, TrendWindow};
use super::letter_search::LetterSearch;
use crate::api_error::ApiError;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::problems::Problems;
use crate::queues::namespace;
use crate::request_context::RequestContext;
use crate::status::QueuePass;
use crate::wire::{big_count, time_or_age};

/// Maximum number of concurrent reads of samples.
const CONCURRENT_MAX: usize = 16;

pub(crate) struct Groups;

impl Endpoint for Groups {
    type Request = LettersGroupsRequest;
    type Answer = LettersGroupsResponse;

    const PATH: &'static str = "/v1/letters.groups";
    const NEEDS: Permission = Permission::LettersRead;

    fn targets(request: &LettersGroupsRequest) -> Option<Vec<AuditTarget>> {
        // A filter over confidential fields is an administrative act.
        let filter = Filter::parse(&request.filter).ok().flatten();
        filter.filter(Filter::reveals).and_then(|_| targets(&request.queue_name, &[]))
    }

    async fn call(ctx: &RequestContext, request: LettersGroupsRequest) -> Result<LettersGroupsResponse, ApiError> {
        if is_counted(&request) {
            return counted(ctx, request).await;
        }
        let mut problems = Problems::default();
        let after = problems.field("after", one_of("after", &request.after));
        let limit = problems.field("limit", limit(request.limit));
        let checked = problems.finish((after, limit));
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        let (after, limit) = checked?;
        let find = redrive_model::Groups { queue: queue.clone(), after, limit };
        let groups = ctx.store().failure_groups(find).await.map_err(letter_error)?;
        let next = groups.get(limit - 1).map(|last| last.fingerprint.to_string());
        let samples = request.samples;
        let groups = futures_util::stream::iter(groups).map(|group| stored_group(ctx, &queue, group, samples));
        let groups = groups.buffered(CONCURRENT_MAX).try_collect().await?;
        let now = Some(ctx.app.deadlines.now().into());
        Ok(LettersGroupsResponse { groups, next: next.unwrap_or_default(), now, ..LettersGroupsResponse::default() })
    }
}

/// Whether the request is about other letters than those that the store has counted for one queue.
fn is_counted(request: &LettersGroupsRequest) -> bool {
    let LettersGroupsRequest { since, statuses, filter, all_queues, .. } = request;
    *all_queues || !since.is_empty() || !statuses.is_empty() || !filter.trim().is_empty()
}

/// Counts letters by group.
async fn counted(ctx: &RequestContext, request: LettersGroupsRequest) -> Result<LettersGroupsResponse, ApiError> {
    let queues = queues(ctx, &request).await?;
    let now = ctx.app.deadlines.now();
    let mut problems = Problems::default();
    let limit = problems.field("limit", limit(request.limit));
    if !request.after.is_empty() {
        let message = "after is invalid; with since, statuses, filter or all_queues there is one page: raise limit";
        problems.field("after", Err::<(), _>(ApiError::bad(message)));
    }
    let statuses = problems.field("statuses", statuses(&request.statuses));
    let since = problems.field("since", time_or_age("since", &request.since, now));
    let in_past = |since| {
        TrendWindow::new(since, now).ok_or_else(|| ApiError::bad("since is invalid; it must be a time in the past"))
    };
    let window = problems.field("since", since.map(in_past).transpose());
    let filter = problems.field("filter", Filter::parse(&request.filter));
    problems.finish(())?;
    let is_revealing = filter.as_ref().is_some_and(Filter::reveals);
    if request.all_queues && is_revealing {
        return Err(ApiError::bad("filter is invalid; key and headers can be used for one queue, not with all_queues"));
    }
    let answer = LettersGroupsResponse {
        now: Some(now.into()),
        since: window.map(|window| window.since.into()),
        before_since: window.map(|window| window.before_since.into()),
        groups_total: Some(0),
        letters_total: Some(0),
        ..LettersGroupsResponse::default()
    };
    let Some(first) = queues.first() else { return Ok(answer) };
    let search = LetterSearch::new(ctx, first.clone(), Vec::new(), filter);
    search.reveals().await?;
    let mut search = GroupSearch::new(search, statuses, window);
    ctx.until_shutdown(search.count(queues)).await?;
    if is_revealing {
        ctx.record_act().await?;
    }
    let is_cut = search.is_cut;
    let mut groups = search.into_groups();
    let letters: u64 = groups.iter().map(|group| group.counts.letters()).sum();
    let total = groups.len();
    groups.truncate(limit);
    let groups = futures_util::stream::iter(groups).map(|group| counted_group(ctx, group, window, request.samples));
    Ok(LettersGroupsResponse {
        groups: groups.buffered(CONCURRENT_MAX).try_collect().await?,
        groups_total: Some(big_count(total)),
        letters_total: Some(big_count(letters)),
        is_cut,
        ..answer
    })
}

/// The queues of a request, those with the fewest letters first.
async fn queues(ctx: &RequestContext, request: &LettersGroupsRequest) -> Result<Vec<QueueName>, ApiError> {
    let needs = Groups::NEEDS;
    if !request.all_queues {
        return Ok(vec![ctx.dead_queue(&request.queue_name, needs).await?]);
    }
    if !request.queue_name.is_empty() {
        return Err(ApiError::bad("queue_name is invalid; it cannot be combined with all_queues"));
    }
    let of_one = !request.namespace.is_empty();
    if of_one {
        ctx.allow_in(needs, &request.namespace).await?;
    } else {
        ctx.allow_somewhere(needs).await?;
    }
    // A namespace with an invalid name has no queues.
    let Ok(namespace) = namespace(&request.namespace) else { return Ok(Vec::new()) };
    let mut queues = Vec::new();
    QueuePass::new(ctx, of_one.then_some(namespace))
        .needing(needs)
        .run(|queue| {
            let letters = queue.stats.letters.all();
            if letters > 0 {
                queues.push((letters, queue.settings.name.clone()));
            }
            std::ops::ControlFlow::Continue(())
        })
        .await?;
    queues.sort_unstable();
    Ok(queues.into_iter().map(|(_, queue)| queue).collect())
}

async fn counted_group(
    ctx: &RequestContext,
    group: CountedGroup,
    window: Option<TrendWindow>,
    with_sample: bool,
) -> Result<LetterGroup, ApiError> {
    let is_new = match window {
        Some(window) if group.counts.arrived_before == 0 => {
            let earlier = ctx.store().find_letters(group.earlier(window.since)).await.map_err(letter_error)?;
            earlier.letters.is_empty() && !earlier.has_more()
        }
        _ => false,
    };
    let counts = group.counts;
    let arrived = |number| window.map(|_| big_count(number));
    Ok(LetterGroup {
        fingerprint: group.fingerprint.to_string(),
        count: big_count(counts.letters()),
        first_seen: Some(counts.first_seen.into()),
        last_seen: Some(counts.last_seen.into()),
        status_breakdown: Some(counts.breakdown()),
        sample: sample_or_id(ctx, &group.queue, counts.sample, with_sample).await?,
        queue_name: group.queue.to_string(),
        arrived: arrived(counts.arrived),
        arrived_before: arrived(counts.arrived_before),
        is_new,
    })
}

async fn stored_group(
    ctx: &RequestContext,
    queue: &QueueName,
    group: FailureGroupInfo,
    with_sample: bool,
) -> Result<LetterGroup, ApiError> {
    Ok(LetterGroup {
        fingerprint: group.fingerprint.to_string(),
        count: big_count(group.counts.sum()),
        first_seen: Some(group.first_seen.into()),
        last_seen: Some(group.last_seen.into()),
        status_breakdown: Some(GroupCounts::of_stored(&group).breakdown()),
        sample: sample_or_id(ctx, queue, group.sample, with_sample).await?,
        queue_name: queue.to_string(),
        ..LetterGroup::default()
    })
}

async fn sample_or_id(
    ctx: &RequestContext,
    queue: &QueueName,
    id: Option<LetterId>,
    with_sample: bool,
) -> Result<Option<GroupSample>, ApiError> {
    match id {
        Some(id) if with_sample => sample(ctx, queue, id).await,
        id => Ok(id.map(|id| GroupSample { id: id.to_string(), ..GroupSample::default() })),
    }
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
