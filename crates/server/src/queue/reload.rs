//! Count the partitions again: counts are exact, so there is nothing to do.

use redrive_proto::duh::v1::Reply;
use redrive_proto::querator::QueueReloadRequest;

use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Fault, done};
use crate::settings::{SMALL_BODY_MAX, Settings};

#[derive(Debug)]
pub(crate) struct Reload;

impl Endpoint for Reload {
    type Request = QueueReloadRequest;
    type Answer = Reply;

    const PATH: &'static str = "/v1/queue.reload";
    const NEEDS: Permission = Permission::QueueUpdate;

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    async fn call(desk: &Desk, request: QueueReloadRequest) -> Result<Reply, Fault> {
        desk.queue_settings(&request.queue_name, Self::NEEDS).await?;
        Ok(done())
    }
}
