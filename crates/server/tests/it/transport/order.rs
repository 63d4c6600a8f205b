//! A request with several faults hears of the first.

use bytes::Bytes;
use http::{HeaderValue, Method, Request};
use http_body_util::Full;
use redrive_server::Settings;
use serde_json::json;

use crate::bed::{Bed, Caller, Ground, Heard, bounded, on};

/// A request in which everything can be wrong.
#[derive(Clone)]
struct Asked {
    method: Method,
    path: &'static str,
    authorization: Option<&'static str>,
    content_type: &'static str,
    accept: &'static str,
    body: String,
}

/// Everything about it is wrong.
fn all_wrong() -> Asked {
    Asked {
        method: Method::GET,
        path: "/v1/queue.nothing",
        authorization: Some("Basic dXNlcjpwYXNz"),
        content_type: "text/plain",
        accept: "text/html",
        body: "x".repeat(5_000),
    }
}

async fn ask(caller: &mut Caller, asked: &Asked) -> Heard {
    let mut request = Request::new(Full::new(Bytes::from(asked.body.clone())));
    *request.method_mut() = asked.method.clone();
    *request.uri_mut() = asked.path.parse().unwrap();
    let headers = request.headers_mut();
    headers.insert("host", HeaderValue::from_static("localhost"));
    if let Some(authorization) = asked.authorization {
        headers.insert("authorization", HeaderValue::from_static(authorization));
    }
    headers.insert("content-type", HeaderValue::from_static(asked.content_type));
    headers.insert("accept", HeaderValue::from_static(asked.accept));
    caller.send(request).await
}

#[tokio::test]
async fn faults_are_told_in_the_order_of_the_way_in() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        let mut asked = all_wrong();
        let message = "http method 'GET' not allowed; only POST".to_owned();
        assert_eq!(ask(&mut caller, &asked).await.refusal(), (400, message), "the method comes first");
        asked.method = Method::POST;
        let message = "invalid authorization header format".to_owned();
        assert_eq!(ask(&mut caller, &asked).await.refusal(), (401, message), "then who calls");
        asked.authorization = Some("Bearer whatever");
        let message = "no such method; /v1/queue.nothing".to_owned();
        assert_eq!(ask(&mut caller, &asked).await.refusal(), (501, message), "then the path");
        asked.path = "/v1/queue.stats";
        let message = "request body exceeds 4.0KiB limit".to_owned();
        assert_eq!(ask(&mut caller, &asked).await.refusal(), (400, message), "then the size of the body");
        asked.body = "{".to_owned();
        let message = "Content-Type header 'text/plain' is invalid format or unrecognized content type".to_owned();
        assert_eq!(ask(&mut caller, &asked).await.refusal(), (455, message), "then its type");
        asked.content_type = "application/json";
        let message = "Accept header 'text/html' is invalid format or unrecognized content type, only \
                       [application/json,application/protobuf] are supported by this method";
        assert_eq!(ask(&mut caller, &asked).await.refusal(), (455, message.to_owned()), "then the answer's");
        asked.accept = "application/json";
        let refusal = ask(&mut caller, &asked).await.refusal();
        assert_eq!(refusal.0, 455, "then what is in it: {refusal:?}");
        asked.body = json!({ "queue_name": "a~b" }).to_string();
        let message = "queue name is invalid; 'a~b' cannot contain '~' character".to_owned();
        assert_eq!(ask(&mut caller, &asked).await.refusal(), (400, message), "then the call");
    })
    .await;
}

#[tokio::test]
async fn every_method_but_post_is_refused_on_every_path() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        for method in ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PURGE"] {
            for path in ["/v1/queue.produce", "/v1/queue.nothing", "/"] {
                let request = Request::builder().method(method).uri(path).header("host", "localhost");
                let heard = caller.send(request.body(Full::default()).unwrap()).await;
                let message = format!("http method '{method}' not allowed; only POST");
                assert_eq!(heard.refusal(), (400, message), "{method} {path}");
            }
        }
        let pages = ["/health", "/metrics"];
        for path in pages {
            let refusal = caller.refused(path, json!({})).await;
            assert_eq!(refusal, (501, format!("no such method; {path}")), "a page is no call");
        }
    })
    .await;
}

#[tokio::test]
async fn paths_that_are_no_calls_are_not_implemented() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        for path in [
            "/v1/queues.rebalance",
            "/v1/storage/scheduled.add",
            "/v1/storage/scheduled.delete",
            "/v1/queue.produce/",
            "/v1/Queue.produce",
            "/v1//queue.produce",
            "/v1/queue%2eproduce",
            "/v2/queue.produce",
            "/",
        ] {
            let refusal = caller.refused(path, json!({})).await;
            assert_eq!(refusal, (501, format!("no such method; {path}")));
        }
    })
    .await;
}

#[tokio::test]
async fn a_key_is_carried_by_bearer_written_so() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        for (given, is_good) in [
            ("Bearer anything", true),
            ("Bearer two words", true),
            ("bearer anything", false),
            ("BEARER anything", false),
            ("Basic anything", false),
            ("Bearer", false),
            ("Bearerx", false),
        ] {
            caller.headers.insert("authorization", HeaderValue::from_static(given));
            let heard = caller.json("/v1/queues.list", json!({})).await;
            if is_good {
                assert_eq!(heard.status, 200, "{given}");
            } else {
                assert_eq!(heard.refusal(), (401, "invalid authorization header format".to_owned()), "{given}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn pages_need_no_key_and_no_good_header() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        for (path, content_type) in [
            ("/health", "application/health+json"),
            ("/health/live", "application/health+json"),
            ("/health/ready", "application/health+json"),
            ("/metrics", "text/plain; version=0.0.4; charset=utf-8"),
            ("/openapi.json", "application/json"),
        ] {
            let request = Request::get(path).header("host", "localhost").header("authorization", "Basic x");
            let heard = caller.send(request.header("accept", "nonsense").body(Full::default()).unwrap()).await;
            assert_eq!((heard.status.as_u16(), heard.header("content-type")), (200, content_type), "{path}");
            assert_eq!(heard.header("x-content-type-options"), "nosniff", "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn health_has_the_form_that_is_promised() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        let heard =
            caller.send(Request::get("/health").header("host", "localhost").body(Full::default()).unwrap()).await;
        let check = json!({ "componentType": "datastore", "status": "pass", "time": "2026-11-15T12:00:00.000Z" });
        let expected = json!({
            "status": "pass", "version": env!("CARGO_PKG_VERSION"), "checks": { "queues:storage": [check] },
        });
        assert_eq!(heard.value(), expected);
    })
    .await;
}

/// Sends a call that makes a queue, with these headers and nothing else.
async fn create_with(caller: &mut Caller, headers: &[(&'static str, &'static str)]) -> Heard {
    let body = json!({
        "queue_name": "made", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1,
    });
    let mut request = Request::post("/v1/queues.create").body(Full::new(body.to_string().into())).unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, HeaderValue::from_static(value));
    }
    caller.send(request).await
}

#[tokio::test]
async fn a_page_of_another_site_makes_no_queue() {
    bounded(async {
        let settings = Settings {
            listen: ([127, 0, 0, 1], 0).into(),
            hosts: vec!["redrive.example".to_owned()],
            origins: vec!["https://console.example".to_owned()],
            ..Settings::default()
        };
        let bed = Bed::with(Ground::Memory, settings).await;
        let mut caller = bed.caller().await;
        let json = ("content-type", "application/json");
        for (headers, code) in [
            (&[("host", "127.0.0.1")][..], 455),
            (&[("host", "evil.example"), json], 403),
            (&[("host", "127.0.0.1"), json, ("origin", "https://evil.example")], 403),
            (&[("host", "127.0.0.1"), json, ("origin", "null")], 403),
            (&[("host", "127.0.0.1:1"), json, ("origin", "http://127.0.0.1:2")], 403),
        ] {
            let heard = create_with(&mut caller, headers).await;
            assert_eq!(heard.status, code, "{headers:?}: {}", heard.text());
        }
        for headers in [
            &[("host", "localhost"), json][..],
            &[("host", "[::1]:2319"), json],
            &[("host", "REDRIVE.example"), json],
            &[("host", "10.0.0.7:80"), json, ("origin", "http://10.0.0.7:80")],
            &[("host", "redrive.example"), json, ("origin", "https://console.example")],
        ] {
            let heard = create_with(&mut caller, headers).await;
            assert_eq!(heard.status, 200, "{headers:?}: {}", heard.text());
            caller.ok("/v1/queues.delete", json!({ "queue_name": "made" })).await;
        }
        let strange = Request::get("/health").header("host", "balancer.example").body(Full::default()).unwrap();
        assert_eq!(caller.send(strange).await.status, 200, "whoever asks how it fares may be anybody");
    })
    .await;
}
