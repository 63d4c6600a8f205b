//! Read the settings of one queue.

use redrive_proto::querator::{QueueInfo, QueuesInfoRequest};

use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;

pub(crate) struct Info;

impl Endpoint for Info {
    type Request = QueuesInfoRequest;
    type Answer = QueueInfo;

    const PATH: &'static str = "/v1/queues.info";
    const NEEDS: Permission = Permission::QueueStats;

    async fn call(ctx: &RequestContext, request: QueuesInfoRequest) -> Result<QueueInfo, ApiError> {
        let settings = ctx.queue_settings(&request.queue_name, Self::NEEDS).await?;
        Ok(QueueInfo::of(&settings))
    }
}
