//! No decision of the client depends on a sentence of the server.

use std::sync::Arc;

use redrive_client::proto::duh::v1::Reply;
use redrive_client::proto::prost::Message;
use redrive_client::proto::querator::{
    NamespacesDeleteRequest, QueueClearRequest, QueueInfo, QueueLeaseRequest, QueueProduceItem, QueueProduceRequest,
    QueueStatsRequest, RolesDeleteRequest,
};
use redrive_client::proto::redrive::v1::{LettersEditRequest, LettersGetRequest, RoutesGetRequest};
use redrive_client::{
    Client, ClientError, Content, FailedWork, NewItem, Rejection, RemoteStore, SettleAction, Settlement, Span,
};
use redrive_core::{ItemId, Ksuid, LetterId, Strategy};
use redrive_model::{CreateQueue, Extend, GetQueue, LetterOverrides, OnRejected, Produce, QueueSettings, Settle};
use redrive_run::NotCaptured;
use redrive_store::{Clock, Store, StoreError};

use crate::blank_proxy::BlankProxy;
use crate::stub::{Action, Stub};
use crate::test_server::{Storage, TestServer, name, queue};

/// What a program can decide by: everything but the sentence.
fn decisions(error: &ClientError) -> String {
    let store_error = StoreError::from(error.clone());
    let of_store = match &store_error {
        StoreError::Rejected(Rejection::Elsewhere(unknown)) => format!("{:?} {:?}", unknown.reason, unknown.fields),
        StoreError::Rejected(known) => format!("{known:?}"),
        StoreError::Unavailable(_) => "unavailable".to_owned(),
        StoreError::Denied(_) => "denied".to_owned(),
        other => format!("{other:?}"),
    };
    let capture = NotCaptured::from(store_error).reason;
    format!(
        "{:?} {:?} {:?} {of_store} {capture} retryable={} unknown={} overloaded={} no_items={} no_queue={}",
        error.code(),
        error.reason(),
        error.exact_reason(),
        error.is_retryable(),
        error.is_outcome_unknown(),
        error.is_overloaded(),
        error.is_no_items(),
        error.is_no_such_queue(),
    )
}

/// Makes a call that fails, with the sentences of the server and without. Checks that both errors lead to the same
/// decisions, and returns the exact reason.
async fn reason_of<T: std::fmt::Debug>(
    clients: &[Client; 2],
    call: impl AsyncFn(&Client) -> Result<T, ClientError>,
) -> String {
    let [told, blank] = [call(&clients[0]).await.unwrap_err(), call(&clients[1]).await.unwrap_err()];
    assert_eq!(decisions(&blank), decisions(&told));
    assert_eq!(blank.message(), Some("x"));
    told.exact_reason().unwrap().to_owned()
}

async fn create(server: &TestServer, queue: &str, letters: LetterOverrides) {
    let settings = QueueSettings { letters, max_items: 2, ..QueueSettings::new(name(queue)) };
    server.store().create_queue(CreateQueue { settings }).await.unwrap();
}

#[tokio::test]
async fn rejections_of_calls_are_known_without_their_sentences() {
    let server = TestServer::new(Storage::Memory).await;
    let clients = [server.client(), Client::new(&BlankProxy::new(server.address).address.to_string()).unwrap()];
    let failure = |id: &str| FailedWork::new(id, redrive_core::Failure::new("HTTP 503"), server.clock.now());
    create(&server, "orders", LetterOverrides::default()).await;
    create(&server, "dead", LetterOverrides::default()).await;
    create(&server, "small", LetterOverrides { max_size: Some(1), ..LetterOverrides::default() }).await;
    let disabled = LetterOverrides { strategy: Some(Strategy::Disabled), ..LetterOverrides::default() };
    create(&server, "off", disabled).await;
    let letters = clients[0].letters("dead");
    let letter = letters.capture(&[failure("order-17")]).await.unwrap()[0].captured.letter;
    clients[0].letters("small").capture(&[failure("one")]).await.unwrap();
    clients[0].queue("orders").produce(&[NewItem::of_payload("one"), NewItem::of_payload("two")]).await.unwrap();

    macro_rules! rejected {
        ($($reason:literal => |$client:ident| $call:expr,)+) => {
            $(assert_eq!(reason_of(&clients, async |$client: &Client| $call).await, $reason);)+
        };
    }
    let other = FailedWork { content: Arc::new(Content::of_payload("another")), ..failure("order-17") };
    let edit = |id: LetterId, revision| LettersEditRequest {
        queue_name: "dead".to_owned(),
        id: id.to_string(),
        revision,
        max_retries: Some(1),
        ..LettersEditRequest::default()
    };
    let lease = |client_id: &str, batch_size| QueueLeaseRequest {
        queue_name: "orders".to_owned(),
        client_id: client_id.to_owned(),
        batch_size,
        request_timeout: "1s".to_owned(),
    };
    let one = QueueProduceItem { utf8: "x".to_owned(), ..QueueProduceItem::default() };
    let produce = |count| QueueProduceRequest {
        queue_name: "orders".to_owned(),
        request_timeout: "1s".to_owned(),
        items: vec![one.clone(); count],
    };
    let long = NewItem::of_payload(vec![b'x'; 6_000_000]);
    rejected! {
        "no_such_queue" => |client| client.stats(&QueueStatsRequest { queue_name: "missing".to_owned() }).await,
        "queue_exists" => |client| client.create_queue(&queue("orders")).await,
        "no_dead_queue" => |client| {
            client.create_queue(&QueueInfo { dead_queue: "missing".to_owned(), ..queue("new") }).await
        },
        "nothing_to_clear" => |client| client.clear(&QueueClearRequest { queue_name: "orders".to_owned(), ..QueueClearRequest::default() }).await,
        "no_client_id" => |client| client.lease(&lease("", 1)).await,
        "no_batch_size" => |client| client.lease(&lease("me", 0)).await,
        "batch_too_large" => |client| client.lease(&lease("me", 1_000_000)).await,
        "empty" => |client| client.produce(&produce(0)).await,
        "too_many_items" => |client| client.produce(&produce(1)).await,
        "produce_batch_too_large" => |client| client.produce(&produce(1_001)).await,
        "too_many_items" => |client| client.queue("orders").produce(&[NewItem::of_payload("three")]).await,
        "too_large" => |client| client.queue("orders").produce(std::slice::from_ref(&long)).await,
        "no_such_namespace" => |client| client.delete_namespace(&NamespacesDeleteRequest { name: "missing".to_owned() }).await,
        "no_such_role" => |client| client.delete_role(&RolesDeleteRequest { name: "missing".to_owned(), ..RolesDeleteRequest::default() }).await,
        "no_such_queue" => |client| client.letters("missing").list(&redrive_client::LetterQuery::default()).await,
        "no_such_letter" => |client| client.letters("dead").get(LetterId::new(Ksuid::MAX)).await,
        "no_such_letter" => |client| client.get_letter(&LettersGetRequest { queue_name: "dead".to_owned(), id: "no id".to_owned(), reveal: false }).await,
        "other_payload" => |client| client.letters("dead").capture(std::slice::from_ref(&other)).await,
        "queue_full" => |client| client.letters("small").capture(&[failure("two")]).await,
        "disabled" => |client| client.letters("off").capture(&[failure("three")]).await,
        "bad_source_id" => |client| client.letters("dead").capture(&[failure("")]).await,
        "reason_required" => |client| client.letters("dead").reveal(letter).await,
        "no_way_back" => |client| client.letters("dead").retry(letter).await,
        "letter_changed" => |client| client.edit_letter(&edit(letter, 900)).await,
        "no_routes" => |client| client.route(&RoutesGetRequest { name: "missing".to_owned(), ..RoutesGetRequest::default() }).await,
    }
}

#[tokio::test]
async fn a_remote_store_returns_the_rejections_of_the_servers_store_without_their_sentences() {
    let server = TestServer::new(Storage::Memory).await;
    let proxy = BlankProxy::new(server.address);
    let remote = RemoteStore::new(Client::new(&proxy.address.to_string()).unwrap());
    create(&server, "orders", LetterOverrides::default()).await;
    let orders = || name("orders");
    let items = vec![NewItem::of_payload("one"), NewItem::of_payload("two")];
    let produced = remote.produce(Produce::new(orders(), items)).await.unwrap();
    let ready = match produced.items[0] {
        redrive_client::ProducedItem::New(id) | redrive_client::ProducedItem::Duplicate(id) => id,
    };
    let unknown = ItemId::new(Ksuid::MIN);
    for store in [&remote as &dyn Store, &**server.store()] {
        let missing = store.queue(GetQueue { name: name("missing") }).await.unwrap_err();
        assert_eq!(missing, Rejection::NoSuchQueue(name("missing")).into());
        let full = store.produce(Produce::new(orders(), vec![NewItem::of_payload("three")])).await.unwrap_err();
        assert_eq!(full, Rejection::TooManyItems { max_items: 2 }.into());
        let ids = vec![ready, unknown];
        let lease = Some(Span::from_mins(1));
        let extend = Extend { queue: orders(), partition: None, ids, lease, may_shorten: false };
        let not_leased = |verb| Rejection::NotLeased { id: ready, verb };
        let extended = store.extend(extend).await.unwrap();
        assert_eq!(extended, [Err(not_leased("extended")), Err(Rejection::NoSuchItem(unknown))]);
        let action = || SettleAction::Complete { attempt: None };
        let items = [ready, unknown].map(|id| Settlement { id, action: action() }).into();
        let settle = Settle { queue: orders(), partition: None, items, on_rejected: OnRejected::Continue };
        let settled = store.settle(settle).await.unwrap();
        assert_eq!(settled, [Err(not_leased("completed")), Err(Rejection::NoSuchItem(unknown))]);
    }
}

#[tokio::test]
async fn an_unknown_reason_and_one_without_its_values_stay_errors_with_their_sentence() {
    let details = |entries: &[(&str, &str)]| {
        entries.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    for entries in [&[("reason", "of_the_future"), ("moon", "full")][..], &[("reason", "no_such_queue")], &[]] {
        let details: std::collections::BTreeMap<String, String> = details(entries);
        let message = "queue does not exist; no such queue named 'a'".to_owned();
        let reply = Reply { code: 400, message, details: details.clone(), ..Reply::default() };
        let body = reply.encode_to_vec();
        let stub = Stub::new(vec![Action::Answer { status: 400, content_type: "application/protobuf", body }]).await;
        let store = RemoteStore::new(stub.client().build().unwrap());
        let error = store.queue(GetQueue { name: name("a") }).await.unwrap_err();
        assert_eq!(error.to_string(), "queue does not exist; no such queue named 'a'");
        let StoreError::Rejected(rejection @ Rejection::Elsewhere(_)) = error else {
            unreachable!("{error:?}");
        };
        assert_eq!(rejection.reason(), details.get("reason").map_or("", String::as_str));
        assert_eq!(rejection.fields().get("moon"), details.get("moon"));
    }
}
