//! Read the settings of one queue.

use redrive_proto::querator::{QueueInfo, QueuesInfoRequest};

use super::settings::queue_info;
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;

#[derive(Debug)]
pub(crate) struct Info;

impl Endpoint for Info {
    type Request = QueuesInfoRequest;
    type Answer = QueueInfo;

    const PATH: &'static str = "/v1/queues.info";
    const NEEDS: Permission = Permission::QueueStats;

    async fn call(ctx: &RequestContext, request: QueuesInfoRequest) -> Result<QueueInfo, Fault> {
        let settings = ctx.queue_settings(&request.queue_name, Self::NEEDS).await?;
        Ok(queue_info(&settings))
    }
}
