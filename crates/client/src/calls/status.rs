//! `status.*`: the overview of a server.

use redrive_proto::redrive::v1::{StatusGetRequest, StatusGetResponse, StatusQueuesRequest, StatusQueuesResponse};

use super::table::calls;

calls! {
    /// Returns what needs attention, a page of queues, the retries of letters and the state of the server.
    status(StatusGetRequest) -> StatusGetResponse = call read "/v1/status.get";
    /// Returns queues with their numbers: those of a namespace by name, or one.
    queue_statuses(StatusQueuesRequest) -> StatusQueuesResponse = call read "/v1/status.queues";
}
