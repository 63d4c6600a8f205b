//! Connections: kept, shared, limited, and lost.

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use redrive_server::Settings;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::bed::{Bed, Ground, bounded, contents, each, leased, on};

const LIST: &str = "/v1/queues.list";

#[tokio::test]
async fn a_connection_carries_many_requests() {
    on(Ground::Memory, async |bed| {
        let mut raw = bed.raw().await;
        for number in 0..100 {
            let path = if number % 2 == 0 { LIST } else { "/v1/nothing" };
            raw.post(path, "{}").await;
            assert_eq!(raw.hear().await.unwrap().status, if number % 2 == 0 { 200 } else { 501 });
        }
    })
    .await;
}

#[tokio::test]
async fn requests_that_are_sent_ahead_are_answered_in_their_order() {
    on(Ground::Memory, async |bed| {
        bed.caller().await.create("q", json!({})).await;
        let mut raw = bed.raw().await;
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "x" }] }).to_string();
        raw.post("/v1/queue.produce", &produce).await;
        raw.post("/v1/nothing", "{}").await;
        raw.post("/v1/queue.stats", r#"{"queue_name":"q"}"#).await;
        raw.post(LIST, "{}").await;
        assert_eq!(raw.hear().await.unwrap().status, 200);
        assert_eq!(raw.hear().await.unwrap().status, 501);
        let stats = raw.hear().await.unwrap().value();
        assert_eq!(stats["logicalQueues"][0]["partitions"][0]["total"], 1);
        assert_eq!(raw.hear().await.unwrap().value()["items"][0]["queue_name"], "q");
    })
    .await;
}

#[tokio::test]
async fn a_caller_may_have_the_connection_closed() {
    on(Ground::Memory, async |bed| {
        let mut raw = bed.raw().await;
        raw.write(format!("POST {LIST} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}"))
            .await;
        assert_eq!(raw.hear().await.unwrap().status, 200);
        assert!(raw.is_ended().await);
        let mut old = bed.raw().await;
        old.write(format!("POST {LIST} HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}")).await;
        assert_eq!(old.hear().await.unwrap().status, 200);
        assert!(old.is_ended().await);
    })
    .await;
}

type Sender = http2::SendRequest<Full<Bytes>>;

async fn connect_h2(bed: &Bed) -> Sender {
    let stream = TcpStream::connect(bed.address()).await.unwrap();
    let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(async move {
        // Ends with its sender.
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

#[tokio::test]
async fn http2_carries_a_waiting_lease_and_what_it_waits_for() {
    each(async |bed| {
        bed.caller().await.create("q", json!({})).await;
        let sender = connect_h2(&bed).await;
        let waiting = {
            let sender = sender.clone();
            tokio::spawn(async move { call_h2(&sender, "/v1/queue.lease", lease("c")).await })
        };
        bed.until_waiting("q", 1).await;
        assert_eq!(call_h2(&sender, "/v1/nothing", json!({})).await.0, 501);
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{ "utf8": "x" }] });
        assert_eq!(call_h2(&sender, "/v1/queue.produce", produce).await, (200, json!({ "code": 200 })));
        let (status, answer) = waiting.await.unwrap();
        assert_eq!((status, contents(&leased(&answer))), (200, vec!["x"]));
    })
    .await;
}

#[tokio::test]
async fn a_stream_that_is_given_up_waits_no_more() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let sender = connect_h2(&bed).await;
        let waiting = {
            let sender = sender.clone();
            tokio::spawn(async move { call_h2(&sender, "/v1/queue.lease", lease("c")).await })
        };
        bed.until_waiting("q", 1).await;
        waiting.abort();
        bed.until_waiting("q", 0).await;
        caller.produce("q", &["x"]).await;
        assert_eq!(caller.lease_one("q").await.attempts, 1);
    })
    .await;
}

#[tokio::test]
async fn the_item_of_a_client_that_vanished_goes_to_the_next_one() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let mut gone = bed.raw().await;
        gone.post("/v1/queue.lease", &lease("same").to_string()).await;
        bed.until_waiting("q", 1).await;
        let patient = bed.leasing("q", "patient", 1).await;
        drop(gone);
        bed.until_waiting("q", 1).await;
        caller.produce("q", &["x"]).await;
        let items = leased(&patient.await.unwrap().value());
        assert_eq!((contents(&items), items[0].attempts), (vec!["x"], 1));
        let again = bed.leasing("q", "same", 1).await;
        assert!(!again.is_finished(), "its name is free again");
        assert_eq!(caller.stats("q").await["in_flight"], 1);
    })
    .await;
}

#[tokio::test]
async fn a_client_that_will_send_no_more_has_gone() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let mut half = bed.raw().await;
        half.post("/v1/queue.lease", &lease("half").to_string()).await;
        bed.until_waiting("q", 1).await;
        half.stream.shutdown().await.unwrap();
        bed.until_waiting("q", 0).await;
        assert!(half.is_ended().await);
        caller.produce("q", &["x"]).await;
        assert_eq!(caller.lease_one("q").await.attempts, 1);
    })
    .await;
}

#[tokio::test]
async fn beyond_so_many_connections_only_health_is_answered() {
    let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), connections_max: 2, ..Settings::default() };
    bounded(async {
        let bed = Bed::with(Ground::Memory, settings).await;
        let (mut first, mut second) = (bed.raw().await, bed.raw().await);
        for raw in [&mut first, &mut second] {
            raw.post(LIST, "{}").await;
            assert_eq!(raw.hear().await.unwrap().status, 200);
        }
        for _ in 0..100 {
            let mut third = bed.raw().await;
            third.post(LIST, "{}").await;
            let (code, message) = third.hear().await.unwrap().refusal();
            assert_eq!((code, message.split(';').next()), (454, Some("server is overloaded")));
            assert!(third.is_ended().await);
        }
        for path in ["/health", "/health/live", "/health/ready", "/metrics"] {
            let mut third = bed.raw().await;
            third.write(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")).await;
            assert_eq!(third.hear().await.unwrap().status, 200, "{path}");
        }
        drop(first);
        loop {
            let mut third = bed.raw().await;
            third.post(LIST, "{}").await;
            if third.hear().await.unwrap().status == 200 {
                break;
            }
        }
        second.post(LIST, "{}").await;
        assert_eq!(second.hear().await.unwrap().status, 200);
    })
    .await;
}

/// A thousand of them held everybody else out.
#[tokio::test]
async fn leases_wait_on_half_of_the_connections() {
    let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), connections_max: 8, ..Settings::default() };
    bounded(async {
        let bed = Bed::with(Ground::Memory, settings).await;
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let mut waiting = Vec::new();
        for number in 0..4 {
            let mut raw = bed.raw().await;
            raw.post("/v1/queue.lease", &lease(&number.to_string()).to_string()).await;
            waiting.push(raw);
        }
        bed.until_waiting("q", 4).await;
        let (code, message) = caller.json("/v1/queue.lease", lease("fifth")).await.refusal();
        assert_eq!((code, message.split(';').next()), (454, Some("server is overloaded")));
        caller.produce("q", &["x"]).await;
        bed.until_waiting("q", 3).await;
        let again = bed.calling("/v1/queue.lease", lease("fifth")).await;
        bed.until_waiting("q", 4).await;
        again.abort();
    })
    .await;
}

#[tokio::test]
async fn an_idle_connection_of_http_2_ends_as_one_of_http_1_does() {
    let bed = Bed::new(Ground::Memory).await;
    let stream = TcpStream::connect(bed.address()).await.unwrap();
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
    assert_eq!(sender.send_request(request()).await.unwrap().status(), 200);
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    // The server says goodbye, and ends it.
    let _ended = connection.await.unwrap();
    let took = began.elapsed().as_secs();
    assert!((180..200).contains(&took), "{took} s");
}
