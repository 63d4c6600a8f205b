//! The numbers of a queue's letters. The store maintains all counts, so a request counts nothing.

use redrive_core::{Category, QueueName, RetryPolicy, Span, Time};
use redrive_model::{Event, GetStats, LifetimeCounts, QueueStats, RateEvent};
use redrive_proto::redrive::v1::{
    ErrorCategories, LetterRates, LettersStatsRequest, LettersStatsResponse, LifetimeStats, ProjectionStats,
    RejectedCaptures, RetriesByTrigger, RetryPolicies, TriggeredRetries,
};

use super::degraded::degraded;
use super::numbers::{oldest_pending, planned_stats, rounded, success_percent, unaccounted, utilization_percent};
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::letter_index::LetterIndex;
use crate::letters::fields::letter_error;
use crate::letters::process::state;
use crate::letters::view;
use crate::metrics::CaptureRejections;
use crate::request_context::RequestContext;
use crate::wire::big_count;

pub(crate) struct Stats;

impl Endpoint for Stats {
    type Request = LettersStatsRequest;
    type Answer = LettersStatsResponse;

    const PATH: &'static str = "/v1/letters.stats";
    const NEEDS: Permission = Permission::LettersRead;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: LettersStatsRequest) -> Result<LettersStatsResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let stats = ctx.store().stats(GetStats { queue: queue.clone() }).await.map_err(letter_error)?;
        let stats = planned_stats(stats, ctx.app.has_target(&queue));
        let now = ctx.app.deadlines.now();
        let rejections = ctx.app.metrics.captures.rejections(&queue);
        let (state, interval) = processor(ctx, &queue).await;
        let mut answer = response(&stats, rejections, now);
        answer.projection = Some(projection(ctx.app.index.get()));
        answer.degraded = degraded(&stats, ctx.settings(), now).into_iter().map(str::to_owned).collect();
        Ok(LettersStatsResponse {
            is_processor_running: interval.is_some(),
            retry_interval_seconds: interval.map(|interval| big_count(interval.as_micros() / 1_000_000)),
            processor_state: state.to_owned(),
            ..answer
        })
    }

    fn json(answer: &LettersStatsResponse) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&redrive_proto::letter_stats(answer))
    }
}

/// The state of the queue's processor, and its interval while it runs.
async fn processor(ctx: &RequestContext, queue: &QueueName) -> (&'static str, Option<Span>) {
    let Some(processor) = ctx.app.processor.get() else { return (state(None), None) };
    let health = processor.health(queue).await.ok().flatten();
    let state = state(health.as_ref());
    let is_running = health.is_some_and(|health| !health.is_draining);
    (state, is_running.then(|| processor.interval(queue).ok()).flatten())
}

fn response(stats: &QueueStats, rejections: CaptureRejections, now: Time) -> LettersStatsResponse {
    let letters = &stats.letters;
    let category = |category: Category| big_count(letters.by_category[category as usize]);
    let policy = |policy: RetryPolicy| big_count(letters.by_policy[policy as usize]);
    let rate = |event| rounded(stats.rates.per_minute(event, now));
    LettersStatsResponse {
        queue_size: big_count(letters.live()),
        max_size: stats.max_size.map(big_count),
        utilization_percent: utilization_percent(stats),
        status_breakdown: Some(view::breakdown(|status| letters.of(status))),
        error_categories: Some(ErrorCategories {
            transient: category(Category::Transient),
            network: category(Category::Network),
            resource: category(Category::Resource),
            permission: category(Category::Permission),
            validation: category(Category::Validation),
            permanent: category(Category::Permanent),
        }),
        retry_policies: Some(RetryPolicies {
            never: policy(RetryPolicy::Never),
            linear: policy(RetryPolicy::Linear),
            exponential: policy(RetryPolicy::Exponential),
            immediate: policy(RetryPolicy::Immediate),
            custom: policy(RetryPolicy::Custom),
        }),
        lifetime_stats: Some(lifetime(&stats.counts, rejections)),
        since_start: Some(lifetime(&stats.since_start, rejections)),
        by_trigger: Some(by_trigger(&stats.counts)),
        oldest_pending_seconds: big_count(oldest_pending(stats, now).as_micros() / 1_000_000),
        next_due_at: stats.next_due_at.map(Into::into),
        overdue: big_count(stats.overdue),
        blocked: big_count(letters.blocked),
        unaccounted: unaccounted(stats),
        retry_success_percent: success_percent(&stats.counts),
        rates: Some(LetterRates {
            enqueued_per_minute: rate(RateEvent::Made),
            retry_success_per_minute: rate(RateEvent::Succeeded),
            retry_failed_per_minute: rate(RateEvent::Failed),
        }),
        ..LettersStatsResponse::default()
    }
}

fn projection(index: Option<&LetterIndex>) -> ProjectionStats {
    let Some(index) = index else { return ProjectionStats { state: "off".to_owned(), ..ProjectionStats::default() } };
    let index = index.summary();
    ProjectionStats {
        state: index.state.to_owned(),
        outbox_depth: big_count(index.outbox_depth),
        lag_seconds: big_count(index.lag.as_micros() / 1_000_000),
    }
}

fn lifetime(counts: &LifetimeCounts, rejections: CaptureRejections) -> LifetimeStats {
    let of = |event| big_count(counts.of(event));
    LifetimeStats {
        enqueued_total: of(Event::LetterMade),
        retry_success: of(Event::LetterCompleted),
        retry_failed: of(Event::RetryCharged),
        exhausted: of(Event::Exhausted),
        manually_retried: of(Event::RetriedByHand),
        archived: of(Event::Archived),
        merged: of(Event::Merged),
        deferred: of(Event::LetterDeferred),
        lost_attempts: of(Event::AttemptLost),
        unarchived: of(Event::Restored),
        cleared: of(Event::LetterCleared),
        purged: of(Event::LetterForgotten),
        rejected: Some(RejectedCaptures {
            queue_full: of(Event::CaptureRejected),
            persist_failed: big_count(rejections.persist_failed),
            other: big_count(rejections.other),
        }),
    }
}

fn by_trigger(counts: &LifetimeCounts) -> RetriesByTrigger {
    let manual = [counts.of(Event::SucceededByHand), counts.of(Event::ChargedByHand)];
    let all = [counts.of(Event::LetterCompleted), counts.of(Event::RetryCharged)];
    let retries =
        |success: u64, failed: u64| TriggeredRetries { success: big_count(success), failed: big_count(failed) };
    RetriesByTrigger {
        automatic: Some(retries(all[0].saturating_sub(manual[0]), all[1].saturating_sub(manual[1]))),
        manual: Some(retries(manual[0], manual[1])),
    }
}
