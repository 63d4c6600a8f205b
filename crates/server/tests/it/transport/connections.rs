//! Connections: keep-alive, HTTP/2, limits, and clients that disconnect.

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use redrive_server::Settings;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{
    StoreKind, TestServer, contents, leased, local_settings, on_each_store, on_each_store_with_queue, on_store,
    on_store_with_queue, run, with_settings,
};

const LIST: &str = "/v1/queues.list";

#[test]
fn a_connection_carries_many_requests() {
    on_store(StoreKind::Memory, async |server| {
        let mut raw = server.raw_connection().await;
        for number in 0..100 {
            let path = if number % 2 == 0 { LIST } else { "/v1/nothing" };
            raw.post(path, "{}").await;
            assert_eq!(raw.response().await.unwrap().status, if number % 2 == 0 { 200 } else { 501 });
        }
    });
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    on_store(StoreKind::Memory, async |server| {
        server.caller().await.create("q", json!({})).await;
        let mut raw = server.raw_connection().await;
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "x" }] }).to_string();
        raw.post("/v1/queue.produce", &produce).await;
        raw.post("/v1/nothing", "{}").await;
        raw.post("/v1/queue.stats", r#"{"queue_name":"q"}"#).await;
        raw.post(LIST, "{}").await;
        assert_eq!(raw.response().await.unwrap().status, 200);
        assert_eq!(raw.response().await.unwrap().status, 501);
        let stats = raw.response().await.unwrap().value();
        assert_eq!(stats["logicalQueues"][0]["partitions"][0]["total"], 1);
        assert_eq!(raw.response().await.unwrap().value()["items"][0]["queue_name"], "q");
    });
}

#[test]
fn connection_close_and_http_1_0_close_the_connection() {
    on_store(StoreKind::Memory, async |server| {
        let mut raw = server.raw_connection().await;
        raw.write(format!("POST {LIST} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}"))
            .await;
        assert_eq!(raw.response().await.unwrap().status, 200);
        assert!(raw.is_ended().await);
        let mut old = server.raw_connection().await;
        old.write(format!("POST {LIST} HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}"))
            .await;
        assert_eq!(old.response().await.unwrap().status, 200);
        assert!(old.is_ended().await);
    });
}

type Sender = http2::SendRequest<Full<Bytes>>;

async fn connect_h2(server: &TestServer) -> Sender {
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(async move {
        // The connection ends when its sender is dropped.
        let _ended = connection.await;
    });
    sender
}

async fn call_h2(sender: &Sender, path: &str, body: Value) -> (u16, Value) {
    let request = Request::post(format!("http://localhost{path}"))
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(body.to_string())))
        .unwrap();
    let answer = sender.clone().send_request(request).await.unwrap();
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap())
}

fn lease(client: &str) -> Value {
    json!({ "queue_name": "q", "batch_size": 1, "client_id": client, "request_timeout": "1m" })
}

#[test]
fn a_waiting_lease_does_not_block_other_streams_of_its_http_2_connection() {
    on_each_store(async |server| {
        server.caller().await.create("q", json!({})).await;
        let sender = connect_h2(&server).await;
        let waiting = {
            let sender = sender.clone();
            tokio::spawn(async move { call_h2(&sender, "/v1/queue.lease", lease("c")).await })
        };
        server.until_waiting_leases("q", 1).await;
        assert_eq!(call_h2(&sender, "/v1/nothing", json!({})).await.0, 501);
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "x" }] });
        assert_eq!(call_h2(&sender, "/v1/queue.produce", produce).await, (200, json!({ "code": 200 })));
        let (status, answer) = waiting.await.unwrap();
        assert_eq!((status, contents(&leased(&answer))), (200, vec!["x"]));
    });
}

#[test]
fn a_cancelled_http_2_stream_ends_its_waiting_lease() {
    on_store_with_queue(StoreKind::Memory, "q", async |server, mut caller| {
        let sender = connect_h2(&server).await;
        let waiting = {
            let sender = sender.clone();
            tokio::spawn(async move { call_h2(&sender, "/v1/queue.lease", lease("c")).await })
        };
        server.until_waiting_leases("q", 1).await;
        waiting.abort();
        server.until_waiting_leases("q", 0).await;
        caller.produce("q", &["x"]).await;
        assert_eq!(caller.lease_one("q").await.attempts, 1);
    });
}

#[test]
fn the_next_client_gets_the_item_instead_of_a_disconnected_client() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let mut gone = server.raw_connection().await;
        gone.post("/v1/queue.lease", &lease("same").to_string()).await;
        server.until_waiting_leases("q", 1).await;
        let patient = server.spawn_lease("q", "patient", 1).await;
        drop(gone);
        server.until_waiting_leases("q", 1).await;
        caller.produce("q", &["x"]).await;
        let items = leased(&patient.await.unwrap().value());
        assert_eq!((contents(&items), items[0].attempts), (vec!["x"], 1));
        let again = server.spawn_lease("q", "same", 1).await;
        assert!(!again.is_finished(), "the client id can be used again");
        assert_eq!(caller.stats("q").await["in_flight"], 1);
    });
}

#[test]
fn a_half_closed_connection_counts_as_disconnected() {
    on_each_store_with_queue("q", async |server, mut caller| {
        let mut half = server.raw_connection().await;
        half.post("/v1/queue.lease", &lease("half").to_string()).await;
        server.until_waiting_leases("q", 1).await;
        half.stream.shutdown().await.unwrap();
        server.until_waiting_leases("q", 0).await;
        assert!(half.is_ended().await);
        caller.produce("q", &["x"]).await;
        assert_eq!(caller.lease_one("q").await.attempts, 1);
    });
}

#[test]
fn beyond_the_maximum_of_connections_only_pages_are_answered() {
    let settings = Settings { connections_max: 2, ..local_settings() };
    run(async {
        let server = TestServer::with(StoreKind::Memory, settings).await;
        let (mut first, mut second) = (server.raw_connection().await, server.raw_connection().await);
        for raw in [&mut first, &mut second] {
            raw.post(LIST, "{}").await;
            assert_eq!(raw.response().await.unwrap().status, 200);
        }
        for _ in 0..100 {
            let mut third = server.raw_connection().await;
            third.post(LIST, "{}").await;
            let (code, message) = third.response().await.unwrap().rejection();
            assert_eq!((code, message.split(';').next()), (454, Some("server is overloaded")));
            assert!(third.is_ended().await);
        }
        for path in ["/health", "/health/live", "/health/ready", "/metrics"] {
            let mut third = server.raw_connection().await;
            third.write(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")).await;
            assert_eq!(third.response().await.unwrap().status, 200, "{path}");
        }
        drop(first);
        loop {
            let mut third = server.raw_connection().await;
            third.post(LIST, "{}").await;
            if third.response().await.unwrap().status == 200 {
                break;
            }
        }
        second.post(LIST, "{}").await;
        assert_eq!(second.response().await.unwrap().status, 200);
    });
}

/// Otherwise waiting leases could take all connections and lock out all other callers.
#[test]
fn waiting_leases_take_at_most_half_of_the_connections() {
    let settings = Settings { connections_max: 8, ..local_settings() };
    with_settings(settings, async |server, mut caller| {
        caller.create("q", json!({})).await;
        let mut waiting = Vec::new();
        for number in 0..4 {
            let mut raw = server.raw_connection().await;
            raw.post("/v1/queue.lease", &lease(&number.to_string()).to_string()).await;
            waiting.push(raw);
        }
        server.until_waiting_leases("q", 4).await;
        let (code, message) = caller.json("/v1/queue.lease", lease("fifth")).await.rejection();
        assert_eq!((code, message.split(';').next()), (454, Some("server is overloaded")));
        caller.produce("q", &["x"]).await;
        server.until_waiting_leases("q", 3).await;
        let again = server.spawn_call("/v1/queue.lease", lease("fifth")).await;
        server.until_waiting_leases("q", 4).await;
        again.abort();
    });
}

#[tokio::test]
async fn an_idle_http_2_connection_is_closed_after_the_idle_timeout() {
    let server = TestServer::new(StoreKind::Memory).await;
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = || {
        let request = Request::post(format!("http://localhost{LIST}")).header("content-type", "application/json");
        request.body(Full::new(Bytes::from_static(b"{}"))).unwrap()
    };
    assert_eq!(sender.send_request(request()).await.unwrap().status(), 200);
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(100)).await;
    tokio::time::resume();
    let began = tokio::time::Instant::now();
    assert_eq!(sender.send_request(request()).await.unwrap().status(), 200);
    tokio::time::pause();
    // The server sends GOAWAY and closes the connection.
    let _ended = connection.await.unwrap();
    let took = began.elapsed().as_secs();
    assert!((180..200).contains(&took), "{took} s");
}
