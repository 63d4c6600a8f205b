//! Stop giving leases, and give them again. All else goes on.

use redrive_model::{GetQueue, UpdateQueue};
use redrive_proto::duh::v1::Reply;
use redrive_proto::redrive::v1::{QueuePauseRequest, QueueResumeRequest};

use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Fault, done};
use crate::settings::{SMALL_BODY_MAX, Settings};

#[derive(Debug)]
pub(crate) struct Pause;

impl Endpoint for Pause {
    type Request = QueuePauseRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.pause";
    const NEEDS: Permission = Permission::QueueUpdate;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(request: &QueuePauseRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &request.queue_name)])
    }

    async fn call(desk: &Desk, request: QueuePauseRequest) -> Result<Reply, Fault> {
        set(desk, &request.queue_name, true).await
    }
}

#[derive(Debug)]
pub(crate) struct Resume;

impl Endpoint for Resume {
    type Request = QueueResumeRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.resume";
    const NEEDS: Permission = Permission::QueueUpdate;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(request: &QueueResumeRequest) -> Option<Vec<AuditTarget>> {
        Some(vec![AuditTarget::new("queue", &request.queue_name)])
    }

    async fn call(desk: &Desk, request: QueueResumeRequest) -> Result<Reply, Fault> {
        set(desk, &request.queue_name, false).await
    }
}

async fn set(desk: &Desk, queue: &str, is_paused: bool) -> Result<Reply, Fault> {
    let name = desk.queue(queue, Pause::NEEDS).await?;
    let update = UpdateQueue { is_paused: Some(is_paused), ..UpdateQueue::of(name) };
    let update = &update;
    desk.change(|| async move {
        let before = desk.store().queue(GetQueue { name: update.name.clone() }).await?;
        let after = update.clone().merged(&before, before.updated_at);
        let change = Change::of(update.clone());
        Ok((change.queue_before(&before).queue_after(&after), ()))
    })
    .await?;
    Ok(done())
}
