//! A call is tried again only where that cannot do harm.

use redrive_client::proto::prost::Message;
use redrive_client::proto::querator::{
    QueueCompleteRequest, QueueInfo, QueueLeaseRequest, QueueProduceRequest, QueueRetryRequest, QueueStatsRequest,
    QueuesInfoRequest, QueuesListRequest, StorageItemsListRequest,
};
use redrive_client::proto::redrive::v1::{
    CaptureLetter, LettersAnnotateRequest, LettersArchiveRequest, LettersCaptureRequest, LettersEditRequest,
    LettersExplainRequest, LettersGetRequest, LettersGroupsRequest, LettersListRequest, LettersProcessRequest,
    LettersPurgeRequest, LettersRestoreRequest, LettersRetryRequest, Origin, PutItem, QueuePutRequest,
    QueueSettleRequest,
};
use redrive_client::{Client, ClientError};

use crate::stub::{Act, Stub};

/// How often a call is sent to a peer that does this first and then says that it is done.
async fn requests_after<T>(act: Act, call: impl AsyncFn(&Client) -> Result<T, ClientError>) -> (usize, bool) {
    let done = Act::Answer { status: 200, content_type: "application/protobuf", body: Vec::new() };
    let stub = Stub::new(vec![act, done]).await;
    let client = Client::new(&stub.address.to_string()).unwrap();
    let is_done = call(&client).await.is_ok();
    (stub.requests(), is_done)
}

const OVERLOADED: Act = Act::Reply(454, "queue is overloaded; try again later");

const OUTCOME_UNKNOWN: Act = Act::Reply(454, "request timeout; outcome unknown, send it again");

fn put(request_id: &str) -> QueuePutRequest {
    let items = vec![PutItem::default(), PutItem { utf8: "a".to_owned(), ..PutItem::default() }];
    QueuePutRequest { items, request_id: request_id.to_owned(), ..QueuePutRequest::default() }
}

/// Failures, of which the second is of a message with this id.
fn captures(message_id: &str) -> LettersCaptureRequest {
    let origin = |message_id: &str| Origin { message_id: message_id.to_owned(), ..Origin::default() };
    let letter = |id: &str| CaptureLetter { origin: Some(origin(id)), ..CaptureLetter::default() };
    LettersCaptureRequest { letters: vec![letter("m-1"), letter(message_id)], ..LettersCaptureRequest::default() }
}

macro_rules! unsafe_calls {
    ($act:expr, $expected:expr) => {
        assert_eq!(requests_after($act, async |c| c.produce(&QueueProduceRequest::default()).await).await, $expected);
        assert_eq!(requests_after($act, async |c| c.lease(&QueueLeaseRequest::default()).await).await, $expected);
        assert_eq!(requests_after($act, async |c| c.complete(&QueueCompleteRequest::default()).await).await, $expected);
        assert_eq!(requests_after($act, async |c| c.retry(&QueueRetryRequest::default()).await).await, $expected);
        assert_eq!(requests_after($act, async |c| c.settle(&QueueSettleRequest::default()).await).await, $expected);
        assert_eq!(requests_after($act, async |c| c.create_queue(&QueueInfo::default()).await).await, $expected);
        assert_eq!(requests_after($act, async |c| c.capture_letters(&captures("")).await).await, $expected);
        unsafe_calls!($act, $expected; archive_letters LettersArchiveRequest, restore_letters LettersRestoreRequest,
            purge_letters LettersPurgeRequest, edit_letter LettersEditRequest, annotate_letter LettersAnnotateRequest, retry_letter LettersRetryRequest);
        let start = || LettersProcessRequest { action: "start".to_owned(), ..LettersProcessRequest::default() };
        assert_eq!(requests_after($act, async |c| c.process_letters(&start()).await).await, $expected);
    };
    ($act:expr, $expected:expr; $($call:ident $Request:ident),*) => {
        $(assert_eq!(requests_after($act, async |c| c.$call(&$Request::default()).await).await, $expected);)*
    };
}

macro_rules! safe_calls {
    ($act:expr, $expected:expr) => {
        assert_eq!(requests_after($act, async |c| c.stats(&QueueStatsRequest::default()).await).await.0, $expected);
        assert_eq!(
            requests_after($act, async |c| c.queue_info(&QueuesInfoRequest::default()).await).await.0,
            $expected
        );
        assert_eq!(
            requests_after($act, async |c| c.list_queues(&QueuesListRequest::default()).await).await.0,
            $expected
        );
        assert_eq!(
            requests_after($act, async |c| c.list_items(&StorageItemsListRequest::default()).await).await.0,
            $expected
        );
        assert_eq!(requests_after($act, async |c| c.put(&put("")).await).await.0, $expected);
        assert_eq!(requests_after($act, async |c| c.put(&put("r-1")).await).await.0, $expected);
        assert_eq!(requests_after($act, async |c| c.capture_letters(&captures("m-2")).await).await.0, $expected);
        safe_calls!($act, $expected; list_letters LettersListRequest, get_letter LettersGetRequest,
            letter_groups LettersGroupsRequest, explain LettersExplainRequest,
            process_letters LettersProcessRequest);
    };
    ($act:expr, $expected:expr; $($call:ident $Request:ident),*) => {
        $(assert_eq!(requests_after($act, async |c| c.$call(&$Request::default()).await).await.0, $expected);)*
    };
}

#[tokio::test(start_paused = true)]
async fn what_may_have_been_done_is_not_done_twice() {
    unsafe_calls!(Act::Close, (1, false));
    unsafe_calls!(Act::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf".to_vec()), (1, false));
}

#[tokio::test(start_paused = true)]
async fn what_a_queue_did_not_take_is_asked_again() {
    unsafe_calls!(OVERLOADED, (2, true));
    safe_calls!(OVERLOADED, 2);
}

#[tokio::test(start_paused = true)]
async fn what_changes_nothing_is_asked_again_when_its_answer_was_lost() {
    safe_calls!(Act::Close, 2);
}

#[tokio::test(start_paused = true)]
async fn what_timed_out_at_the_server_is_asked_again_where_twice_is_as_good_as_once() {
    unsafe_calls!(OUTCOME_UNKNOWN, (1, false));
    safe_calls!(OUTCOME_UNKNOWN, 2);
}

#[tokio::test(start_paused = true)]
async fn a_put_is_sent_again_under_the_same_request_id() {
    let sent = async |request: &QueuePutRequest| {
        let done = Act::Answer { status: 200, content_type: "application/protobuf", body: Vec::new() };
        let stub = Stub::new(vec![Act::Close, OUTCOME_UNKNOWN, done]).await;
        Client::new(&stub.address.to_string()).unwrap().put(request).await.unwrap();
        let sent: Vec<QueuePutRequest> =
            stub.bodies().iter().map(|body| QueuePutRequest::decode(body.as_slice()).unwrap()).collect();
        assert_eq!(sent.len(), 3);
        assert!(sent.iter().all(|sent| *sent == sent_as(request, &sent.request_id)), "{sent:?}");
        assert!(sent.windows(2).all(|two| two[0].request_id == two[1].request_id), "{sent:?}");
        sent[0].request_id.clone()
    };
    assert_eq!(sent(&put("r-1")).await, "r-1", "a caller's own id stays");
    let (first, second) = (sent(&put("")).await, sent(&put("")).await);
    assert!(!first.is_empty() && first.len() <= 64 && first.bytes().all(|byte| byte.is_ascii_graphic()), "{first}");
    assert_ne!(first, second, "each put has an id of its own");
}

fn sent_as(request: &QueuePutRequest, request_id: &str) -> QueuePutRequest {
    QueuePutRequest { request_id: request_id.to_owned(), ..request.clone() }
}

#[tokio::test(start_paused = true)]
async fn no_other_answer_is_a_reason_to_ask_again() {
    for act in [
        Act::Reply(400, "queue does not exist; no such queue named 'a'"),
        Act::Reply(403, "access denied"),
        Act::Reply(404, "letter 'a' does not exist; it was purged, or never was in this queue"),
        Act::Reply(409, "letter 'a' is archived; it cannot be edited"),
        Act::Reply(429, "Dead letter queue is full (max_size=1)"),
        Act::Reply(453, "queue is shutting down"),
        Act::Reply(454, "request timeout; no items are in the queue, try again"),
        Act::Reply(454, "internal error, try your request again"),
        Act::Reply(500, "Internal Error"),
        Act::Reply(502, ""),
    ] {
        unsafe_calls!(act.clone(), (1, false));
        safe_calls!(act.clone(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn tries_are_counted() {
    let stub = Stub::new(vec![OVERLOADED]).await;
    let client = Client::builder(&stub.address.to_string()).tries(3).build().unwrap();
    let error = client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    assert!(error.is_overloaded(), "{error:?}");
    assert_eq!(stub.requests(), 3);
}

#[tokio::test(start_paused = true)]
async fn what_was_not_sent_is_sent_when_somebody_listens() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let client = Client::builder(&address.to_string()).tries(u32::MAX).build().unwrap();
    let producing = tokio::spawn(async move { client.produce(&QueueProduceRequest::default()).await });
    // The first tries find nobody.
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    let stub = Stub::listening_at(address, vec![Act::Reply(200, "")]).await;
    producing.await.unwrap().unwrap();
    assert_eq!(stub.requests(), 1);
}
