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
    StatusGetRequest, StatusQueuesRequest, WhoamiGetRequest, WhoamiNamesRequest, WhoamiNamespacesRequest,
};
use redrive_client::{Client, ClientError};

use crate::stub::{Action, Stub};

/// Returns how often a call is sent to a peer that first performs `action` and then succeeds.
async fn requests_after<T>(action: Action, call: impl AsyncFn(&Client) -> Result<T, ClientError>) -> (usize, bool) {
    let done = Action::Message(Vec::new());
    let (stub, client) = Stub::with_client(vec![action, done]).await;
    let is_ok = call(&client).await.is_ok();
    (stub.requests(), is_ok)
}

const OVERLOADED: Action = Action::Fault(454, "overloaded");

const OUTCOME_UNKNOWN: Action = Action::Fault(454, "outcome_unknown");

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

/// Checks how often each call is sent, and whether it succeeds.
macro_rules! check_calls {
    ($action:expr, $expected:pat => $($call:ident($request:expr)),*) => {
        $(
            let found = requests_after($action, async |client| client.$call(&$request).await).await;
            assert!(matches!(found, $expected), "{}: {found:?}", stringify!($call));
        )*
    };
}

/// Checks calls that must not be executed twice.
macro_rules! unsafe_calls {
    ($action:expr, $expected:pat) => {
        let shorten = QueueExtendRequest { may_shorten: true, ..QueueExtendRequest::default() };
        let start = LettersProcessRequest { action: "start".to_owned(), ..LettersProcessRequest::default() };
        check_calls! { $action, $expected =>
            produce(QueueProduceRequest::default()), lease(QueueLeaseRequest::default()),
            complete(QueueCompleteRequest::default()), retry(QueueRetryRequest::default()),
            settle(QueueSettleRequest::default()), extend(shorten), clear(QueueClearRequest::default()),
            create_queue(QueueInfo::default()), capture_letters(captures("")), process_letters(start),
            archive_letters(LettersArchiveRequest::default()), restore_letters(LettersRestoreRequest::default()),
            resume_letters(LettersResumeRequest::default()), purge_letters(LettersPurgeRequest::default()),
            edit_letter(LettersEditRequest::default()), annotate_letter(LettersAnnotateRequest::default()),
            retry_letter(LettersRetryRequest::default()), create_route(RoutesCreateRequest::default()),
            update_route(RoutesUpdateRequest::default()), delete_route(RoutesDeleteRequest::default()),
            control_route(RoutesControlRequest::default())
        }
    };
}

/// Checks calls that change nothing, or are idempotent. They need not understand the answer.
macro_rules! safe_calls {
    ($action:expr, $expected:literal) => {
        check_calls! { $action, ($expected, _) =>
            stats(QueueStatsRequest::default()), queue_info(QueuesInfoRequest::default()),
            list_queues(QueuesListRequest::default()), list_items(StorageItemsListRequest::default()),
            put(put("")), put(put("r-1")), capture_letters(captures("m-2")), extend(QueueExtendRequest::default()),
            list_letters(LettersListRequest::default()), get_letter(LettersGetRequest::default()),
            letter_groups(LettersGroupsRequest::default()), explain(LettersExplainRequest::default()),
            process_letters(LettersProcessRequest::default()), list_audit(AuditListRequest::default()),
            whoami(WhoamiGetRequest::default()), status(StatusGetRequest::default()),
            queue_statuses(StatusQueuesRequest::default()), list_routes(RoutesListRequest::default()),
            route(RoutesGetRequest::default()), own_namespaces(WhoamiNamespacesRequest::default()),
            known_names(WhoamiNamesRequest::default())
        }
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
        let done = Action::Message(Vec::new());
        let stub = Stub::new(vec![Action::Close, OUTCOME_UNKNOWN, done]).await;
        stub.client().build().unwrap().put(request).await.unwrap();
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
        Action::Fault(400, "no_such_queue"),
        Action::Fault(403, "denied"),
        Action::Fault(404, "not_found"),
        Action::Fault(409, "conflict"),
        Action::Fault(429, "queue_full"),
        Action::Fault(453, "queue_gone"),
        Action::Fault(454, "timed_out"),
        Action::Fault(454, "server_overloaded"),
        Action::Fault(454, "of_the_future"),
        Action::Reply(454, "queue is overloaded; an older server has no reasons"),
        Action::Fault(500, "internal"),
        Action::Reply(502, ""),
    ] {
        unsafe_calls!(action.clone(), (1, false));
        safe_calls!(action.clone(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn the_number_of_tries_is_limited() {
    let stub = Stub::new(vec![OVERLOADED]).await;
    let client = stub.client().tries(3).build().unwrap();
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
