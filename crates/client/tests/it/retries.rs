//! A call is repeated only if that is safe.

use redrive_client::proto::prost::Message;
use redrive_client::proto::querator::{
    QueueClearRequest, QueueCompleteRequest, QueueInfo, QueueLeaseRequest, QueueProduceRequest, QueueRetryRequest,
    QueueStatsRequest, QueuesInfoRequest, QueuesListRequest, StorageItemsListRequest,
};
use redrive_client::proto::redrive::v1::{
    AuditListRequest, CaptureLetter, LettersAnnotateRequest, LettersArchiveRequest, LettersCaptureRequest,
    LettersEditRequest, LettersExplainRequest, LettersGetRequest, LettersGroupsRequest, LettersListRequest,
    LettersProcessRequest, LettersPurgeRequest, LettersRestoreRequest, LettersResumeRequest, LettersRetryRequest,
    Origin, PutItem, QueueExtendRequest, QueuePutRequest, QueueSettleRequest, RoutesControlRequest,
    RoutesCreateRequest, RoutesDeleteRequest, RoutesGetRequest, RoutesListRequest, RoutesUpdateRequest,
    StatusGetRequest, StatusQueuesRequest, WhoamiGetRequest,
};
use redrive_client::{Client, ClientError};

use crate::stub::{Action, Stub};

/// Returns how often a call is sent to a peer that first performs `action` and then succeeds.
async fn requests_after<T>(action: Action, call: impl AsyncFn(&Client) -> Result<T, ClientError>) -> (usize, bool) {
    let done = Action::Answer { status: 200, content_type: "application/protobuf", body: Vec::new() };
    let stub = Stub::new(vec![action, done]).await;
    let client = Client::new(&stub.address.to_string()).unwrap();
    let is_ok = call(&client).await.is_ok();
    (stub.requests(), is_ok)
}

const OVERLOADED: Action = Action::Reply(454, "queue is overloaded; try again later");

const OUTCOME_UNKNOWN: Action = Action::Reply(454, "request timeout; outcome unknown, send it again");

fn put(request_id: &str) -> QueuePutRequest {
    let items = vec![PutItem::default(), PutItem { utf8: "a".to_owned(), ..PutItem::default() }];
    QueuePutRequest { items, request_id: request_id.to_owned(), ..QueuePutRequest::default() }
}

/// Two failures, the second one of a message with this id.
fn captures(message_id: &str) -> LettersCaptureRequest {
    let origin = |message_id: &str| Origin { message_id: message_id.to_owned(), ..Origin::default() };
    let letter = |id: &str| CaptureLetter { origin: Some(origin(id)), ..CaptureLetter::default() };
    LettersCaptureRequest { letters: vec![letter("m-1"), letter(message_id)], ..LettersCaptureRequest::default() }
}

macro_rules! unsafe_calls {
    ($action:expr, $expected:expr) => {
        assert_eq!(requests_after($action, async |c| c.produce(&QueueProduceRequest::default()).await).await, $expected);
        assert_eq!(requests_after($action, async |c| c.lease(&QueueLeaseRequest::default()).await).await, $expected);
        assert_eq!(requests_after($action, async |c| c.complete(&QueueCompleteRequest::default()).await).await, $expected);
        assert_eq!(requests_after($action, async |c| c.retry(&QueueRetryRequest::default()).await).await, $expected);
        assert_eq!(requests_after($action, async |c| c.settle(&QueueSettleRequest::default()).await).await, $expected);
        let shorten = || QueueExtendRequest { may_shorten: true, ..QueueExtendRequest::default() };
        assert_eq!(requests_after($action, async |c| c.extend(&shorten()).await).await, $expected);
        assert_eq!(requests_after($action, async |c| c.clear(&QueueClearRequest::default()).await).await, $expected);
        assert_eq!(requests_after($action, async |c| c.create_queue(&QueueInfo::default()).await).await, $expected);
        assert_eq!(requests_after($action, async |c| c.capture_letters(&captures("")).await).await, $expected);
        unsafe_calls!($action, $expected; archive_letters LettersArchiveRequest, restore_letters LettersRestoreRequest, resume_letters LettersResumeRequest,
            purge_letters LettersPurgeRequest, edit_letter LettersEditRequest, annotate_letter LettersAnnotateRequest, retry_letter LettersRetryRequest,
            create_route RoutesCreateRequest, update_route RoutesUpdateRequest, delete_route RoutesDeleteRequest,
            control_route RoutesControlRequest);
        let start = || LettersProcessRequest { action: "start".to_owned(), ..LettersProcessRequest::default() };
        assert_eq!(requests_after($action, async |c| c.process_letters(&start()).await).await, $expected);
    };
    ($action:expr, $expected:expr; $($call:ident $Request:ident),*) => {
        $(assert_eq!(requests_after($action, async |c| c.$call(&$Request::default()).await).await, $expected);)*
    };
}

macro_rules! safe_calls {
    ($action:expr, $expected:expr) => {
        assert_eq!(requests_after($action, async |c| c.stats(&QueueStatsRequest::default()).await).await.0, $expected);
        assert_eq!(
            requests_after($action, async |c| c.queue_info(&QueuesInfoRequest::default()).await).await.0,
            $expected
        );
        assert_eq!(
            requests_after($action, async |c| c.list_queues(&QueuesListRequest::default()).await).await.0,
            $expected
        );
        assert_eq!(
            requests_after($action, async |c| c.list_items(&StorageItemsListRequest::default()).await).await.0,
            $expected
        );
        assert_eq!(requests_after($action, async |c| c.put(&put("")).await).await.0, $expected);
        assert_eq!(requests_after($action, async |c| c.put(&put("r-1")).await).await.0, $expected);
        assert_eq!(requests_after($action, async |c| c.capture_letters(&captures("m-2")).await).await.0, $expected);
        safe_calls!($action, $expected; extend QueueExtendRequest, list_letters LettersListRequest, get_letter LettersGetRequest,
            letter_groups LettersGroupsRequest, explain LettersExplainRequest,
            process_letters LettersProcessRequest, list_audit AuditListRequest, whoami WhoamiGetRequest,
            status StatusGetRequest, queue_statuses StatusQueuesRequest, list_routes RoutesListRequest,
            route RoutesGetRequest);
    };
    ($action:expr, $expected:expr; $($call:ident $Request:ident),*) => {
        $(assert_eq!(requests_after($action, async |c| c.$call(&$Request::default()).await).await.0, $expected);)*
    };
}

#[tokio::test(start_paused = true)]
async fn a_call_that_may_have_been_executed_is_not_repeated() {
    unsafe_calls!(Action::Close, (1, false));
    unsafe_calls!(Action::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf".to_vec()), (1, false));
}

#[tokio::test(start_paused = true)]
async fn a_call_rejected_by_overload_is_repeated() {
    unsafe_calls!(OVERLOADED, (2, true));
    safe_calls!(OVERLOADED, 2);
}

#[tokio::test(start_paused = true)]
async fn an_idempotent_call_without_an_answer_is_repeated() {
    safe_calls!(Action::Close, 2);
}

#[tokio::test(start_paused = true)]
async fn only_an_idempotent_call_is_repeated_after_a_timeout_at_the_server() {
    unsafe_calls!(OUTCOME_UNKNOWN, (1, false));
    safe_calls!(OUTCOME_UNKNOWN, 2);
}

#[tokio::test(start_paused = true)]
async fn a_put_is_repeated_under_the_same_request_id() {
    let sent = async |request: &QueuePutRequest| {
        let done = Action::Answer { status: 200, content_type: "application/protobuf", body: Vec::new() };
        let stub = Stub::new(vec![Action::Close, OUTCOME_UNKNOWN, done]).await;
        Client::new(&stub.address.to_string()).unwrap().put(request).await.unwrap();
        let sent: Vec<QueuePutRequest> =
            stub.bodies().iter().map(|body| QueuePutRequest::decode(body.as_slice()).unwrap()).collect();
        assert_eq!(sent.len(), 3);
        assert!(sent.iter().all(|sent| *sent == sent_as(request, &sent.request_id)), "{sent:?}");
        assert!(sent.windows(2).all(|two| two[0].request_id == two[1].request_id), "{sent:?}");
        sent[0].request_id.clone()
    };
    assert_eq!(sent(&put("r-1")).await, "r-1", "the caller's id is kept");
    let (first, second) = (sent(&put("")).await, sent(&put("")).await);
    assert!(!first.is_empty() && first.len() <= 64 && first.bytes().all(|byte| byte.is_ascii_graphic()), "{first}");
    assert_ne!(first, second, "each put has a different id");
}

fn sent_as(request: &QueuePutRequest, request_id: &str) -> QueuePutRequest {
    QueuePutRequest { request_id: request_id.to_owned(), ..request.clone() }
}

#[tokio::test(start_paused = true)]
async fn no_other_answer_is_repeated() {
    for action in [
        Action::Reply(400, "queue does not exist; no such queue named 'a'"),
        Action::Reply(403, "access denied"),
        Action::Reply(404, "letter 'a' does not exist; it was purged, or never was in this queue"),
        Action::Reply(409, "letter 'a' is archived; it cannot be edited"),
        Action::Reply(429, "Dead letter queue is full (max_size=1)"),
        Action::Reply(453, "queue is shutting down"),
        Action::Reply(454, "request timeout; no items are in the queue, try again"),
        Action::Reply(454, "internal error, try your request again"),
        Action::Reply(500, "Internal Error"),
        Action::Reply(502, ""),
    ] {
        unsafe_calls!(action.clone(), (1, false));
        safe_calls!(action.clone(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn the_number_of_tries_is_limited() {
    let stub = Stub::new(vec![OVERLOADED]).await;
    let client = Client::builder(&stub.address.to_string()).tries(3).build().unwrap();
    let error = client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    assert!(error.is_overloaded(), "{error:?}");
    assert_eq!(stub.requests(), 3);
}

#[tokio::test(start_paused = true)]
async fn an_unsent_call_is_sent_once_a_server_listens() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let client = Client::builder(&address.to_string()).tries(u32::MAX).build().unwrap();
    let producing = tokio::spawn(async move { client.produce(&QueueProduceRequest::default()).await });
    // The first tries find no server.
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    let stub = Stub::listening_at(address, vec![Action::Reply(200, "")]).await;
    producing.await.unwrap().unwrap();
    assert_eq!(stub.requests(), 1);
}
