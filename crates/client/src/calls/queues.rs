//! `queues.*`: making, changing and removing queues.

use redrive_proto::querator::{
    QueueInfo, QueuesDeleteRequest, QueuesInfoRequest, QueuesListRequest, QueuesListResponse,
};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    /// Makes a queue.
    pub async fn create_queue(&self, queue: &QueueInfo) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queues.create"), queue).await
    }

    /// Changes a queue. Reference, dead queue and attempts are overwritten, also by nothing.
    pub async fn update_queue(&self, queue: &QueueInfo) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queues.update"), queue).await
    }

    /// Queues by name, of one namespace.
    pub async fn list_queues(&self, request: &QueuesListRequest) -> Result<QueuesListResponse, ClientError> {
        self.ask(Call::read("/v1/queues.list"), request).await
    }

    /// One queue.
    pub async fn queue_info(&self, request: &QueuesInfoRequest) -> Result<QueueInfo, ClientError> {
        self.ask(Call::read("/v1/queues.info"), request).await
    }

    /// Removes a queue with all that is in it.
    pub async fn delete_queue(&self, request: &QueuesDeleteRequest) -> Result<(), ClientError> {
        self.tell(Call::act("/v1/queues.delete"), request).await
    }
}
