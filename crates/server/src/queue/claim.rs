//! Lease items with all their fields, and with a lease timeout of the caller's choice: the next ones, or one by its message
//! id.

use redrive_core::{QueueName, Span};
use redrive_model::{GetQueue, Lease, LeaseByMessageId, LeaseSpec, StoredItem};
use redrive_proto::Timestamp;
use redrive_proto::redrive::v1::{ClaimedItem, Header, Parts, QueueClaimRequest, QueueClaimResponse};
use redrive_store::StoreError;

use super::lease::{batch, take};
use super::timeout::Timeout;
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::settings::Settings;
use crate::traffic::Kind;
use crate::wire::{count, lease_timeout};

pub(crate) struct Claim;

impl Endpoint for Claim {
    type Request = QueueClaimRequest;
    type Answer = QueueClaimResponse;

    const PATH: &'static str = "/v1/queue.claim";
    const NEEDS: Permission = Permission::QueueLease;
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    async fn call(ctx: &RequestContext, request: QueueClaimRequest) -> Result<QueueClaimResponse, ApiError> {
        let checked = check(&request, ctx.settings());
        let queue = ctx.queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        let (spec, timeout) = ctx.checked(&queue, None, checked).await?;
        if !request.message_id.is_empty() {
            return by_message_id(ctx, queue, request, spec, timeout).await;
        }
        let client_id = (!request.client_id.is_empty()).then_some(request.client_id);
        let wait = if request.at_once { Span::ZERO } else { timeout };
        let leased = match take(ctx, Lease { queue: queue.clone(), client_id, spec, wait }, timeout).await {
            Err(error) if error.reason == StoreError::TimedOut.reason() && is_paused(ctx, queue).await? => {
                let queue_name = request.queue_name;
                return Ok(QueueClaimResponse { queue_name, is_paused: true, ..QueueClaimResponse::default() });
            }
            // There is nothing to wait for, so that an empty queue is no error.
            Err(error) if error.reason == StoreError::TimedOut.reason() && request.at_once => {
                let queue_name = request.queue_name;
                return Ok(QueueClaimResponse { queue_name, ..QueueClaimResponse::default() });
            }
            leased => leased?,
        };
        Ok(QueueClaimResponse {
            queue_name: request.queue_name,
            partition: count(leased.partition),
            items: leased.items.into_iter().map(claimed_item).collect(),
            damaged: leased.damaged.iter().map(ToString::to_string).collect(),
            is_paused: false,
        })
    }
}

async fn by_message_id(
    ctx: &RequestContext,
    queue: QueueName,
    request: QueueClaimRequest,
    spec: LeaseSpec,
    timeout: Span,
) -> Result<QueueClaimResponse, ApiError> {
    let message_id = request.message_id.into_boxed_str();
    let LeaseSpec { lease, notes_receipt, .. } = spec;
    let take = LeaseByMessageId { queue: queue.clone(), message_id, lease, notes_receipt };
    let _in_flight = ctx.app.traffic.enter(&queue, Kind::Lease);
    let leased = ctx.within(&queue, timeout, ctx.store().lease_by_message_id(take)).await?;
    Ok(QueueClaimResponse {
        queue_name: request.queue_name,
        partition: leased.as_ref().map_or(0, |item| count(item.info.partition)),
        items: leased.into_iter().map(|item| claimed_item(*item)).collect(),
        ..QueueClaimResponse::default()
    })
}

async fn is_paused(ctx: &RequestContext, name: QueueName) -> Result<bool, ApiError> {
    Ok(ctx.store().queue(GetQueue { name }).await?.is_paused)
}

fn check(request: &QueueClaimRequest, settings: &Settings) -> Result<(LeaseSpec, Span), ApiError> {
    let mut problems = Problems::default();
    let timeout = problems.field("request_timeout", Timeout::parse(&request.request_timeout).map(Some));
    let batch = problems.field("batch_size", batch(request.batch_size, settings));
    let lease = problems.field("lease_timeout", lease_timeout(&request.lease_timeout));
    let timeout = problems.field("request_timeout", timeout.map(Timeout::of_wait).transpose());
    if !request.message_id.is_empty() && batch != 1 {
        let error = ApiError::bad("invalid batch size; must be 1 with a message_id, which names one item");
        problems.field("batch_size", Err::<(), _>(error));
    }
    let spec = LeaseSpec { batch, lease, notes_receipt: request.notes_receipt };
    problems.finish((spec, timeout.unwrap_or_default()))
}

fn claimed_item(stored: StoredItem) -> ClaimedItem {
    let StoredItem { info, content, context } = stored;
    let deadline = info.state.lease_deadline();
    let context = context.map(|context| *context).unwrap_or_default();
    ClaimedItem {
        id: info.id.to_string(),
        first_id: info.first_id.to_string(),
        source_id: info.source_id.map(String::from).unwrap_or_default(),
        attempts: count(info.attempts),
        deliveries: count(info.deliveries),
        max_attempts: count(info.max_attempts),
        lease_deadline: deadline.map(Timestamp::from),
        created_at: Some(info.created_at.into()),
        expire_deadline: info.expires_at.map(Timestamp::from),
        priority: info.priority.to_string(),
        is_condemned: info.is_hand_over_only,
        encoding: content.encoding.clone(),
        kind: content.kind.clone(),
        reference: content.reference.clone(),
        key: content.key.clone(),
        headers: content.headers.iter().map(Header::from).collect(),
        payload: content.payload.clone(),
        parts: context.parts.map(|names| Parts { names }),
        letter_id: info.letter.map(|letter| letter.id.to_string()).unwrap_or_default(),
        first_received_at: info.first_received_at.map(Timestamp::from),
        error: context.error,
        verdict: context.verdict,
    }
}
