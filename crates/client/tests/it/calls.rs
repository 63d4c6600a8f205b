//! Every call reaches the server and returns its answer.

use redrive_client::proto::querator::*;
use redrive_client::proto::redrive::v1::{
    AuditListRequest, QueueClaimRequest, StatusGetRequest, StatusQueuesRequest, WhoamiGetRequest, WhoamiNamesRequest,
    WhoamiNamespacesRequest,
};
use redrive_client::{Client, ClientError, LeaseOptions, NewItem, Span, Time};

use crate::stub::{Action, Stub};
use crate::test_server::{Storage, TestServer, queue};

async fn with_orders() -> (TestServer, Client) {
    let server = TestServer::new(Storage::Memory).await;
    let client = server.client();
    client.create_queue(&queue("orders")).await.unwrap();
    (server, client)
}

fn produce(texts: &[&str]) -> QueueProduceRequest {
    let item = |text: &&str| QueueProduceItem { utf8: (*text).to_owned(), ..QueueProduceItem::default() };
    let (queue_name, request_timeout) = ("orders".to_owned(), "1m".to_owned());
    QueueProduceRequest { queue_name, request_timeout, items: texts.iter().map(item).collect() }
}

fn lease(batch_size: i32) -> QueueLeaseRequest {
    let (queue_name, client_id, request_timeout) = ("orders".to_owned(), "me".to_owned(), "5s".to_owned());
    QueueLeaseRequest { queue_name, batch_size, client_id, request_timeout }
}

#[tokio::test]
async fn items_are_produced_leased_completed_and_retried() {
    let (_server, client) = with_orders().await;
    client.produce(&produce(&["one", "two"])).await.unwrap();
    let QueueLeaseResponse { partition, items, .. } = client.lease(&lease(10)).await.unwrap();
    assert_eq!(items.iter().map(|item| &*item.bytes).collect::<Vec<_>>(), [b"one", b"two"]);
    let (queue_name, ids) = ("orders".to_owned(), vec![items[0].id.clone()]);
    let request_timeout = "1m".to_owned();
    client.complete(&QueueCompleteRequest { queue_name, partition, request_timeout, ids }).await.unwrap();
    let back = QueueRetryItem { id: items[1].id.clone(), ..QueueRetryItem::default() };
    let retry = QueueRetryRequest { queue_name: "orders".to_owned(), partition, items: vec![back] };
    client.retry(&retry).await.unwrap();
    let again = client.lease(&lease(10)).await.unwrap();
    assert_eq!((again.items.len(), again.items[0].attempts), (1, 2));
}

#[tokio::test]
async fn a_lease_without_items_times_out() {
    let (server, client) = with_orders().await;
    let waiting = tokio::spawn({
        let client = client.clone();
        async move { client.lease(&lease(1)).await }
    });
    while client.queue("orders").stats().await.unwrap().lease_waiting == 0 {}
    // Less than a second beyond it, because the server has a deadline as well.
    server.clock.advance(Span::from_millis(5_500));
    let error = waiting.await.unwrap().unwrap_err();
    assert!(error.is_no_items() && error.is_retryable() && !error.is_outcome_unknown(), "{error:?}");
}

#[tokio::test]
async fn a_dropped_lease_leases_nothing() {
    let (_server, client) = with_orders().await;
    let orders = client.queue("orders");
    let waiting = tokio::spawn({
        let client = client.clone();
        async move { client.lease(&lease(1)).await }
    });
    while orders.stats().await.unwrap().lease_waiting == 0 {}
    waiting.abort();
    while orders.stats().await.unwrap().lease_waiting == 1 {}
    client.produce(&produce(&["one"])).await.unwrap();
    assert_eq!(client.lease(&lease(1)).await.unwrap().items[0].attempts, 1);
}

#[tokio::test]
async fn queues_are_created_shown_changed_paused_and_deleted() {
    let (_server, client) = with_orders().await;
    let orders = client.queue("orders");
    client.update_queue(&QueueInfo { max_attempts: 7, ..queue("orders") }).await.unwrap();
    assert_eq!(orders.settings().await.unwrap().max_attempts, 7);
    assert_eq!(client.list_queues(&QueuesListRequest::default()).await.unwrap().items.len(), 1);
    orders.pause().await.unwrap();
    orders.produce(&[NewItem::of_payload("one")]).await.unwrap();
    let claim = QueueClaimRequest {
        queue_name: "orders".to_owned(),
        batch_size: 1,
        request_timeout: "5s".to_owned(),
        ..QueueClaimRequest::default()
    };
    let waiting = tokio::spawn({
        let client = client.clone();
        async move { client.claim(&claim).await }
    });
    while orders.stats().await.unwrap().lease_waiting == 0 {}
    assert!(!waiting.is_finished());
    orders.resume().await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().items.len(), 1);
    client.reload(&QueueReloadRequest { queue_name: "orders".to_owned() }).await.unwrap();
    orders.delete().await.unwrap();
    assert!(orders.settings().await.unwrap_err().is_no_such_queue());
}

#[tokio::test]
async fn items_are_listed_imported_deleted_and_cleared() {
    let (_server, client) = with_orders().await;
    let orders = client.queue("orders");
    let later = NewItem { enqueue_at: Some(Time::from_secs(1_900_000_000)), ..NewItem::of_payload("later") };
    orders.produce(&[NewItem::of_payload("now"), later]).await.unwrap();
    let list = StorageItemsListRequest { queue_name: "orders".to_owned(), ..StorageItemsListRequest::default() };
    let items = client.list_items(&list).await.unwrap().items;
    let scheduled = client.list_scheduled(&list).await.unwrap().items;
    assert_eq!((&*items[0].payload, &*scheduled[0].payload), (&b"now"[..], &b"later"[..]));
    let import = StorageItemsImportRequest { queue_name: "orders".to_owned(), partition: 0, items: scheduled };
    let imported = client.import_items(&import).await.unwrap().items;
    let ids = vec![imported[0].id.clone()];
    let delete = StorageItemsDeleteRequest { queue_name: "orders".to_owned(), partition: 0, ids };
    client.delete_items(&delete).await.unwrap();
    assert_eq!(client.list_scheduled(&list).await.unwrap().items.len(), 1);
    orders.clear().await.unwrap();
    let stats = orders.stats().await.unwrap();
    assert_eq!((stats.partitions[0].total, stats.partitions[0].scheduled), (0, 1));
}

#[tokio::test]
async fn a_server_reports_its_health_and_metrics() {
    let server = TestServer::new(Storage::Memory).await;
    let client = server.client();
    let health = client.health().await.unwrap();
    assert!(health.is_well() && !health.version.is_empty() && health.checks.len() == 1, "{health:?}");
    assert!(client.ready().await.unwrap().is_well());
    assert!(client.metrics().await.unwrap().contains("http_handler_duration"));
}

#[tokio::test]
async fn a_large_answer_is_complete() {
    let (_server, client) = with_orders().await;
    let orders = client.queue("orders");
    for round in 0..4_u8 {
        orders.produce(&[NewItem::of_payload(vec![round; 1_000_000])]).await.unwrap();
    }
    let leased = orders.lease(&LeaseOptions { batch: 4, ..LeaseOptions::default() }).await.unwrap();
    let payloads = leased.items.iter().map(|item| &item.content.payload);
    let sizes: Vec<_> = payloads.map(|payload| (payload[0], payload.len())).collect();
    assert_eq!(sizes, [(0, 1_000_000), (1, 1_000_000), (2, 1_000_000), (3, 1_000_000)]);
}

/// The server's tests cover the behaviour of these calls; this one checks their paths.
#[tokio::test]
async fn tenancy_calls_use_their_paths() {
    let (stub, client) = Stub::with_client(vec![Action::Reply(403, "access denied")]).await;
    macro_rules! denied {
        ($($call:ident $Request:ident $path:literal,)*) => {$(
            let error = client.$call(&$Request::default()).await.unwrap_err();
            assert!(matches!(error, ClientError::Denied { .. }), "{error:?}");
            let head = stub.heads().pop().unwrap();
            assert!(head.starts_with(concat!("POST /v1/", $path, " ")), "{head}");
        )*};
    }
    denied! {
        create_namespace NamespaceInfo "namespaces.create",
        update_namespace NamespaceInfo "namespaces.update",
        list_namespaces NamespacesListRequest "namespaces.list",
        delete_namespace NamespacesDeleteRequest "namespaces.delete",
        create_user UsersCreateRequest "users.create",
        list_users UsersListRequest "users.list",
        delete_user UsersDeleteRequest "users.delete",
        create_api_key ApiKeysCreateRequest "apikeys.create",
        list_api_keys ApiKeysListRequest "apikeys.list",
        delete_api_key ApiKeysDeleteRequest "apikeys.delete",
        create_role RolesCreateRequest "roles.create",
        update_role RolesUpdateRequest "roles.update",
        list_roles RolesListRequest "roles.list",
        delete_role RolesDeleteRequest "roles.delete",
        create_role_binding RoleBindingsCreateRequest "rolebindings.create",
        list_role_bindings RoleBindingsListRequest "rolebindings.list",
        delete_role_binding RoleBindingsDeleteRequest "rolebindings.delete",
        list_audit AuditListRequest "audit.list",
        whoami WhoamiGetRequest "whoami.get",
        own_namespaces WhoamiNamespacesRequest "whoami.namespaces",
        known_names WhoamiNamesRequest "whoami.names",
        status StatusGetRequest "status.get",
        queue_statuses StatusQueuesRequest "status.queues",
    }
}

#[tokio::test]
async fn a_reason_is_sent_only_by_the_client_that_has_it() {
    let (stub, client) = Stub::with_client(vec![Action::Reply(200, "")]).await;
    client.because(" support case 9 ").unwrap().queue("orders").pause().await.unwrap();
    client.queue("orders").pause().await.unwrap();
    let has_reason: Vec<_> =
        stub.heads().iter().map(|head| head.contains("x-redrive-reason: support case 9\r\n")).collect();
    assert_eq!(has_reason, [true, false], "the original client sends none");
}

#[test]
fn a_reason_is_one_line_in_any_script() {
    let client = Client::new("127.0.0.1:1").unwrap();
    for reason in [&"x".repeat(Client::REASON_BYTES_MAX), "für dich", "銀行が復旧した", "עברית", "ok 👍"]
    {
        assert!(client.because(reason).is_ok(), "{reason}");
    }
    let too_long = "é".repeat(257);
    for reason in ["", "  ", "two\nlines", "two\r\nx-other: header", "\u{7f}", "\u{85}", &"x".repeat(513), &too_long] {
        let error = client.because(reason).unwrap_err();
        assert!(error.to_string().starts_with("the reason is invalid: it must be one line of 1 to 512"), "{error}");
    }
}
