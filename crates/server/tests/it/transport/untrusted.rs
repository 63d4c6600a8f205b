//! Limits on the bodies of callers without permission, and on the memory of all bodies together.

use std::time::Duration;

use redrive_server::{AuthMode, Settings};
use serde_json::json;
use tokio::time;

use crate::auth::on_each_store_with_auth;
use crate::harness::{RawConnection, StoreKind, TestServer, local_settings, with_settings};
use crate::tenancy::{bind, key_of, namespace, role, user};

const IMPORT: &str = "/v1/storage/items.import";

/// Settings with which callers without a key may do nothing.
fn strict() -> Settings {
    Settings { auth: AuthMode::Internal, ..local_settings() }
}

async fn announce(raw: &mut RawConnection, path: &str, bytes: usize, key: Option<&str>) {
    let key = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\n{key}content-type: application/json\r\ncontent-length: {bytes}\r\n\r\n"
    );
    assert!(raw.write(head).await);
}

#[test]
fn a_large_body_of_a_caller_without_permission_is_not_read() {
    with_settings(strict(), async |server, _caller| {
        for (bytes, code) in [(58_000_000, 403), (16_385, 403), (64_000_001, 400)] {
            let mut raw = server.raw_connection().await;
            announce(&mut raw, IMPORT, bytes, None).await;
            // The server rejects the request by its head, without waiting for the body.
            let response = raw.response().await.unwrap();
            assert_eq!(response.status, code, "{bytes}: {}", response.text());
            assert!(raw.is_ended().await);
        }
    });
}

#[test]
fn little_of_a_chunked_body_of_a_caller_without_permission_is_read() {
    with_settings(strict(), async |server, _caller| {
        let mut raw = server.raw_connection().await;
        raw.write(format!(
            "POST {IMPORT} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        ))
        .await;
        let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
        for _ in 0..5 {
            raw.write(&chunk).await;
        }
        assert_eq!(raw.response().await.unwrap().stable_rejection(), (403, "access denied".to_owned()));
    });
}

/// A small body is read, and its faults are reported in the usual order.
#[test]
fn a_small_body_of_a_caller_without_permission_is_validated_first() {
    with_settings(strict(), async |_server, mut caller| {
        assert_eq!(caller.post(IMPORT, "text/plain", "x").await.status, 455);
        assert_eq!(caller.post(IMPORT, "application/json", "{").await.status, 455);
        let response = caller.json("/v1/users.create", json!({ "username": "" })).await;
        assert_eq!(response.status, 400, "validation comes before the permission");
        assert_eq!(caller.json("/v1/users.list", json!({})).await.rejection().0, 403);
    });
}

#[test]
fn a_caller_with_the_permission_in_one_namespace_may_send_a_large_body() {
    on_each_store_with_auth(async |server, mut anonymous| {
        namespace(&mut anonymous, "shop").await;
        role(&mut anonymous, "shop", "importer", &["queue.produce"]).await;
        let (ann, bob) = (user(&mut anonymous, "ann").await, user(&mut anonymous, "bob").await);
        bind(&mut anonymous, "shop", "importer", &ann).await;
        let ((_, ann), (_, bob)) = (key_of(&mut anonymous, &ann).await, key_of(&mut anonymous, &bob).await);
        anonymous.create("q", json!({ "namespace": "shop" })).await;
        let body = json!({ "queue_name": "q", "items": [{ "kind": "x".repeat(100_000) }] }).to_string();
        for (key, code) in [(&ann, 400), (&bob, 403)] {
            let mut raw = server.raw_connection().await;
            announce(&mut raw, IMPORT, body.len(), Some(key)).await;
            raw.write(&body).await;
            let response = raw.response().await.unwrap();
            // A body that was read is rejected with 400, because its `kind` is too long.
            assert_eq!(response.status, code, "{}", response.text());
        }
    });
}

#[test]
fn the_memory_of_all_bodies_together_is_limited() {
    let settings = Settings { bodies_bytes_max: 1_000_000, ..local_settings() };
    with_settings(settings, async |server, mut caller| {
        caller.create("q", json!({})).await;
        let mut first = server.raw_connection().await;
        announce(&mut first, IMPORT, 900_000, None).await;
        first.write(" ").await;
        // Once a request on another connection is answered, the server has accepted this one.
        caller.ok("/v1/queues.list", json!({})).await;
        let mut second = server.raw_connection().await;
        announce(&mut second, IMPORT, 200_000, None).await;
        second.write(" ".repeat(200_000)).await;
        let response = second.response().await.unwrap();
        assert_eq!(response.rejection(), (454, "queue is overloaded; try again later".to_owned()));
        drop(first);
        // The memory is released once the server sees the disconnect.
        loop {
            let mut third = server.raw_connection().await;
            announce(&mut third, IMPORT, 200_000, None).await;
            third.write(" ".repeat(200_000)).await;
            if third.response().await.unwrap().status == 455 {
                break;
            }
        }
    });
}

#[tokio::test]
async fn a_body_that_arrives_too_slowly_times_out() {
    let server = TestServer::new(StoreKind::Memory).await;
    let mut raw = server.raw_connection().await;
    announce(&mut raw, IMPORT, 58_000_000, None).await;
    raw.write(" ".repeat(8_192)).await;
    server.caller().await.ok("/v1/queues.list", json!({})).await;
    time::pause();
    let began = time::Instant::now();
    let response = loop {
        tokio::select! {
            response = raw.response() => break response.unwrap(),
            () = time::sleep(Duration::from_secs(5)) => {}
        }
        raw.write(" ").await;
    };
    assert_eq!(response.rejection(), (455, "the request body did not come in time".to_owned()));
    let took = began.elapsed();
    assert!((Duration::from_secs(10)..Duration::from_secs(30)).contains(&took), "{took:?}");
}
