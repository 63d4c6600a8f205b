//! `queues.*`: creating, changing and deleting queues.

use redrive_proto::querator::{
    QueueInfo, QueuesDeleteRequest, QueuesInfoRequest, QueuesListRequest, QueuesListResponse,
};

use super::table::calls;

calls! {
    /// Creates a queue.
    create_queue(QueueInfo) -> () = execute act "/v1/queues.create";
    /// Changes a queue. Reference, dead queue and attempts are overwritten even if they are empty.
    update_queue(QueueInfo) -> () = execute act "/v1/queues.update";
    /// Lists the queues of a namespace by name.
    list_queues(QueuesListRequest) -> QueuesListResponse = call read "/v1/queues.list";
    /// Returns the settings of a queue.
    queue_info(QueuesInfoRequest) -> QueueInfo = call read "/v1/queues.info";
    /// Deletes a queue with all its items.
    delete_queue(QueuesDeleteRequest) -> () = execute act "/v1/queues.delete";
}
