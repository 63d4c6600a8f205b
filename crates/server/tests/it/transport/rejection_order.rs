//! A request with several faults is rejected for the first one in a fixed order.

use bytes::Bytes;
use http::{HeaderValue, Method, Request};
use http_body_util::Full;
use redrive_server::Settings;
use serde_json::json;

use crate::harness::{
    Caller, Response, StoreKind, local_settings, on_store_with_caller, queue_settings, with_settings,
};

/// The parts of a request that can be wrong.
#[derive(Clone)]
struct RequestParts {
    method: Method,
    path: &'static str,
    authorization: Option<&'static str>,
    content_type: &'static str,
    accept: &'static str,
    body: String,
}

/// A request in which every part is wrong.
fn all_wrong() -> RequestParts {
    RequestParts {
        method: Method::GET,
        path: "/v1/queue.nothing",
        authorization: Some("Basic dXNlcjpwYXNz"),
        content_type: "text/plain",
        accept: "text/html",
        body: "x".repeat(5_000),
    }
}

async fn send(caller: &mut Caller, parts: &RequestParts) -> Response {
    let mut request = Request::new(Full::new(Bytes::from(parts.body.clone())));
    *request.method_mut() = parts.method.clone();
    *request.uri_mut() = parts.path.parse().unwrap();
    let headers = request.headers_mut();
    headers.insert("host", HeaderValue::from_static("localhost"));
    if let Some(authorization) = parts.authorization {
        headers.insert("authorization", HeaderValue::from_static(authorization));
    }
    headers.insert("content-type", HeaderValue::from_static(parts.content_type));
    headers.insert("accept", HeaderValue::from_static(parts.accept));
    caller.send(request).await
}

#[test]
fn faults_are_reported_in_a_fixed_order() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        let mut parts = all_wrong();
        let message = "http method 'GET' not allowed; only POST".to_owned();
        assert_eq!(send(&mut caller, &parts).await.rejection(), (400, message), "first the method");
        parts.method = Method::POST;
        let message = "invalid authorization header format".to_owned();
        assert_eq!(send(&mut caller, &parts).await.rejection(), (401, message), "then the authorization");
        parts.authorization = Some("Bearer whatever");
        let message = "no such method; /v1/queue.nothing".to_owned();
        assert_eq!(send(&mut caller, &parts).await.rejection(), (501, message), "then the path");
        parts.path = "/v1/queue.stats";
        let message = "request body exceeds 4.0KiB limit".to_owned();
        assert_eq!(send(&mut caller, &parts).await.rejection(), (400, message), "then the size of the body");
        parts.body = "{".to_owned();
        let message = "Content-Type header 'text/plain' is invalid format or unrecognized content type".to_owned();
        assert_eq!(send(&mut caller, &parts).await.rejection(), (455, message), "then the content type");
        parts.content_type = "application/json";
        let message = "Accept header 'text/html' is invalid format or unrecognized content type, only \
                       [application/json,application/protobuf] are supported by this method";
        assert_eq!(send(&mut caller, &parts).await.rejection(), (455, message.to_owned()), "then the accepted type");
        parts.accept = "application/json";
        let rejection = send(&mut caller, &parts).await.rejection();
        assert_eq!(rejection.0, 455, "then the syntax of the body: {rejection:?}");
        parts.body = json!({ "queue_name": "a~b" }).to_string();
        let message = "queue name is invalid; 'a~b' cannot contain '~' character".to_owned();
        assert_eq!(send(&mut caller, &parts).await.rejection(), (400, message), "then the fields of the call");
    });
}

#[test]
fn every_method_but_post_is_rejected_on_every_path() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for method in ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PURGE"] {
            for path in ["/v1/queue.produce", "/v1/queue.nothing", "/"] {
                let request = Request::builder().method(method).uri(path).header("host", "localhost");
                let response = caller.send(request.body(Full::default()).unwrap()).await;
                let message = format!("http method '{method}' not allowed; only POST");
                assert_eq!(response.rejection(), (400, message), "{method} {path}");
            }
        }
        let pages = ["/health", "/metrics"];
        for path in pages {
            let rejection = caller.rejection(path, json!({})).await;
            assert_eq!(rejection, (501, format!("no such method; {path}")), "a page is not a call");
        }
    });
}

#[test]
fn unknown_paths_are_not_implemented() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
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
            let rejection = caller.rejection(path, json!({})).await;
            assert_eq!(rejection, (501, format!("no such method; {path}")));
        }
    });
}

#[test]
fn the_bearer_scheme_is_case_sensitive() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
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
            let response = caller.json("/v1/queues.list", json!({})).await;
            if is_good {
                assert_eq!(response.status, 200, "{given}");
            } else {
                assert_eq!(response.rejection(), (401, "invalid authorization header format".to_owned()), "{given}");
            }
        }
    });
}

#[test]
fn pages_need_neither_a_key_nor_valid_headers() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for (path, content_type) in [
            ("/health", "application/health+json"),
            ("/health/live", "application/health+json"),
            ("/health/ready", "application/health+json"),
            ("/metrics", "text/plain; version=0.0.4; charset=utf-8"),
            ("/openapi.json", "application/json"),
        ] {
            let request = Request::get(path).header("host", "localhost").header("authorization", "Basic x");
            let response = caller.send(request.header("accept", "nonsense").body(Full::default()).unwrap()).await;
            assert_eq!((response.status.as_u16(), response.header("content-type")), (200, content_type), "{path}");
            assert_eq!(response.header("x-content-type-options"), "nosniff", "{path}");
        }
    });
}

#[test]
fn health_has_the_documented_format() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        let check = json!({ "componentType": "datastore", "status": "pass", "time": "2026-11-15T12:00:00.000Z" });
        let expected = json!({
            "status": "pass", "version": env!("CARGO_PKG_VERSION"), "checks": { "queues:storage": [check] },
        });
        assert_eq!(caller.page("/health").await.value(), expected);
    });
}

/// Sends a request that creates a queue, with only these headers.
async fn create_with(caller: &mut Caller, headers: &[(&'static str, &'static str)]) -> Response {
    let body = queue_settings("made", json!({}));
    let mut request = Request::post("/v1/queues.create").body(Full::new(body.to_string().into())).unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, HeaderValue::from_static(value));
    }
    caller.send(request).await
}

#[test]
fn a_web_page_of_another_site_cannot_create_a_queue() {
    let settings = Settings {
        hosts: vec!["redrive.example".to_owned()],
        origins: vec!["https://console.example".to_owned()],
        ..local_settings()
    };
    with_settings(settings, async |_server, mut caller| {
        let json = ("content-type", "application/json");
        for (headers, code) in [
            (&[("host", "127.0.0.1")][..], 455),
            (&[("host", "evil.example"), json], 403),
            (&[("host", "127.0.0.1"), json, ("origin", "https://evil.example")], 403),
            (&[("host", "127.0.0.1"), json, ("origin", "null")], 403),
            (&[("host", "127.0.0.1:1"), json, ("origin", "http://127.0.0.1:2")], 403),
        ] {
            let response = create_with(&mut caller, headers).await;
            assert_eq!(response.status, code, "{headers:?}: {}", response.text());
        }
        for headers in [
            &[("host", "localhost"), json][..],
            &[("host", "[::1]:2319"), json],
            &[("host", "REDRIVE.example"), json],
            &[("host", "10.0.0.7:80"), json, ("origin", "http://10.0.0.7:80")],
            &[("host", "redrive.example"), json, ("origin", "https://console.example")],
        ] {
            let response = create_with(&mut caller, headers).await;
            assert_eq!(response.status, 200, "{headers:?}: {}", response.text());
            caller.ok("/v1/queues.delete", json!({ "queue_name": "made" })).await;
        }
        let other_host = Request::get("/health").header("host", "balancer.example").body(Full::default()).unwrap();
        assert_eq!(caller.send(other_host).await.status, 200, "health accepts any host");
    });
}
