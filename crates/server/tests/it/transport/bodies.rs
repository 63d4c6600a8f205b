//! Request bodies that arrive in pieces, are too large, or are incomplete.

use serde_json::json;

use crate::harness::{StoreKind, on_store, on_store_with_queue};

const STATS: &str = r#"{"queue_name":"q"}"#;

fn head(path: &str, more: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{more}\r\n\r\n")
}

#[test]
fn a_body_can_arrive_in_chunks() {
    on_store(StoreKind::Memory, async |server| {
        server.caller().await.create("q", json!({})).await;
        let mut raw = server.raw_connection().await;
        raw.write(head("/v1/queue.stats", "transfer-encoding: chunked")).await;
        for byte in STATS.chars() {
            raw.write(format!("1\r\n{byte}\r\n")).await;
        }
        raw.write("0\r\ntrailer: ignored\r\n\r\n").await;
        assert_eq!(raw.response().await.unwrap().value()["queue_name"], "q");
        raw.post("/v1/queue.stats", STATS).await;
        assert_eq!(raw.response().await.unwrap().status, 200, "the connection can be used again");
    });
}

#[test]
fn a_body_can_arrive_byte_by_byte() {
    on_store(StoreKind::Memory, async |server| {
        server.caller().await.create("q", json!({})).await;
        let mut raw = server.raw_connection().await;
        raw.stream.set_nodelay(true).unwrap();
        raw.write(head("/v1/queue.stats", &format!("content-length: {}", STATS.len()))).await;
        for byte in STATS.bytes() {
            raw.write([byte]).await;
            tokio::task::yield_now().await;
        }
        assert_eq!(raw.response().await.unwrap().status, 200);
    });
}

/// A client that sends the whole body before it reads must get the error message, not a connection reset.
#[test]
fn a_client_that_sends_a_too_large_body_can_read_the_error() {
    on_store(StoreKind::Memory, async |server| {
        for (path, announced, text) in [
            ("/v1/queue.stats", 4_097, "4.0KiB"),
            ("/v1/queue.stats", 3_000_000, "4.0KiB"),
            ("/v1/queue.produce", 16_000_000, "5.0MB"),
            ("/v1/storage/items.import", 64_000_001, "61.0MiB"),
        ] {
            let mut raw = server.raw_connection().await;
            assert!(raw.write(head(path, &format!("content-length: {announced}"))).await);
            assert!(raw.write(vec![b' '; announced]).await, "{path}: the server reads the whole body");
            let message = format!("request body exceeds {text} limit");
            assert_eq!(raw.response().await.unwrap().rejection(), (400, message), "{path}, {announced} bytes");
        }
    });
}

#[test]
fn a_client_that_sends_a_too_large_chunked_body_can_read_the_error() {
    on_store(StoreKind::Memory, async |server| {
        for (path, chunks, text) in
            [("/v1/queue.stats", 1, "4.0KiB"), ("/v1/queue.stats", 300, "4.0KiB"), ("/v1/queue.produce", 700, "5.0MB")]
        {
            let mut raw = server.raw_connection().await;
            raw.write(head(path, "transfer-encoding: chunked")).await;
            for _ in 0..chunks {
                assert!(raw.write(format!("2000\r\n{}\r\n", " ".repeat(8_192))).await, "{path}");
            }
            raw.write("0\r\n\r\n").await;
            let message = format!("request body exceeds {text} limit");
            assert_eq!(raw.response().await.unwrap().rejection(), (400, message), "{path}, {chunks} chunks");
        }
    });
}

#[test]
fn an_incomplete_body_produces_nothing() {
    on_store_with_queue(StoreKind::Memory, "q", async |server, mut caller| {
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] }).to_string();
        let mut raw = server.raw_connection().await;
        raw.write(head("/v1/queue.produce", &format!("content-length: {}", produce.len() + 1))).await;
        raw.write(&produce).await;
        drop(raw);
        let mut chunked = server.raw_connection().await;
        chunked.write(head("/v1/queue.produce", "transfer-encoding: chunked")).await;
        chunked.write(format!("{:x}\r\n{produce}\r\n", produce.len())).await;
        drop(chunked);
        caller.produce("q", &["whole"]).await;
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    });
}

#[test]
fn expect_100_continue_is_answered() {
    on_store(StoreKind::Memory, async |server| {
        server.caller().await.create("q", json!({})).await;
        let mut raw = server.raw_connection().await;
        raw.write(head("/v1/queue.stats", &format!("expect: 100-continue\r\ncontent-length: {}", STATS.len()))).await;
        assert_eq!(raw.response().await.unwrap().status, 100);
        raw.write(STATS).await;
        assert_eq!(raw.response().await.unwrap().status, 200);
    });
}

#[test]
fn invalid_http_ends_only_its_own_connection() {
    on_store(StoreKind::Memory, async |server| {
        for nonsense in [
            &b"\0\0\0\0\r\n\r\n"[..],
            b"POST\r\n\r\n",
            b"POST /v1/queue.stats HTTP/1.1\r\ncontent-length: x\r\n\r\n",
            b"POST /v1/queue.stats HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
            b"POST /v1/queue.stats HTTP/1.1\r\ncontent-length: 99999999999999999999999\r\n\r\n",
            b"POST /v1/queue.stats HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnot a frame at all",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        ] {
            let mut raw = server.raw_connection().await;
            raw.write(nonsense).await;
            raw.write(b"\r\n\r\n").await;
            while raw.more_until_end().await {}
        }
        server.caller().await.create("q", json!({})).await;
    });
}
