//! Bodies that come in pieces, are too large, or do not come at all.

use serde_json::json;

use crate::bed::{Ground, on};

const STATS: &str = r#"{"queue_name":"q"}"#;

fn head(path: &str, more: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{more}\r\n\r\n")
}

#[tokio::test]
async fn a_body_may_come_in_chunks() {
    on(Ground::Memory, async |bed| {
        bed.caller().await.create("q", json!({})).await;
        let mut raw = bed.raw().await;
        raw.write(head("/v1/queue.stats", "transfer-encoding: chunked")).await;
        for byte in STATS.chars() {
            raw.write(format!("1\r\n{byte}\r\n")).await;
        }
        raw.write("0\r\ntrailer: ignored\r\n\r\n").await;
        assert_eq!(raw.hear().await.unwrap().value()["queue_name"], "q");
        raw.post("/v1/queue.stats", STATS).await;
        assert_eq!(raw.hear().await.unwrap().status, 200, "the connection is still good");
    })
    .await;
}

#[tokio::test]
async fn a_body_may_come_byte_by_byte() {
    on(Ground::Memory, async |bed| {
        bed.caller().await.create("q", json!({})).await;
        let mut raw = bed.raw().await;
        raw.stream.set_nodelay(true).unwrap();
        raw.write(head("/v1/queue.stats", &format!("content-length: {}", STATS.len()))).await;
        for byte in STATS.bytes() {
            raw.write([byte]).await;
            tokio::task::yield_now().await;
        }
        assert_eq!(raw.hear().await.unwrap().status, 200);
    })
    .await;
}

/// Whoever sends everything first and reads then still reads why, and not that somebody hung up.
#[tokio::test]
async fn a_sender_of_too_much_reads_why() {
    on(Ground::Memory, async |bed| {
        for (path, announced, text) in [
            ("/v1/queue.stats", 4_097, "4.0KiB"),
            ("/v1/queue.stats", 3_000_000, "4.0KiB"),
            ("/v1/queue.produce", 16_000_000, "5.0MB"),
            ("/v1/storage/items.import", 64_000_001, "61.0MiB"),
        ] {
            let mut raw = bed.raw().await;
            assert!(raw.write(head(path, &format!("content-length: {announced}"))).await);
            assert!(raw.write(vec![b' '; announced]).await, "{path}: all of it is taken");
            let message = format!("request body exceeds {text} limit");
            assert_eq!(raw.hear().await.unwrap().refusal(), (400, message), "{path}, {announced} bytes");
        }
    })
    .await;
}

#[tokio::test]
async fn a_sender_of_too_much_that_was_not_announced_reads_why() {
    on(Ground::Memory, async |bed| {
        for (path, chunks, text) in
            [("/v1/queue.stats", 1, "4.0KiB"), ("/v1/queue.stats", 300, "4.0KiB"), ("/v1/queue.produce", 700, "5.0MB")]
        {
            let mut raw = bed.raw().await;
            raw.write(head(path, "transfer-encoding: chunked")).await;
            for _ in 0..chunks {
                assert!(raw.write(format!("2000\r\n{}\r\n", " ".repeat(8_192))).await, "{path}");
            }
            raw.write("0\r\n\r\n").await;
            let message = format!("request body exceeds {text} limit");
            assert_eq!(raw.hear().await.unwrap().refusal(), (400, message), "{path}, {chunks} chunks");
        }
    })
    .await;
}

#[tokio::test]
async fn half_a_body_produces_nothing() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": [{}] }).to_string();
        let mut raw = bed.raw().await;
        raw.write(head("/v1/queue.produce", &format!("content-length: {}", produce.len() + 1))).await;
        raw.write(&produce).await;
        drop(raw);
        let mut chunked = bed.raw().await;
        chunked.write(head("/v1/queue.produce", "transfer-encoding: chunked")).await;
        chunked.write(format!("{:x}\r\n{produce}\r\n", produce.len())).await;
        drop(chunked);
        caller.produce("q", &["whole"]).await;
        assert_eq!(caller.counts("q").await, [(1, 0, 0)]);
    })
    .await;
}

#[tokio::test]
async fn a_caller_may_wait_to_be_told_to_go_on() {
    on(Ground::Memory, async |bed| {
        bed.caller().await.create("q", json!({})).await;
        let mut raw = bed.raw().await;
        raw.write(head("/v1/queue.stats", &format!("expect: 100-continue\r\ncontent-length: {}", STATS.len()))).await;
        assert_eq!(raw.hear().await.unwrap().status, 100);
        raw.write(STATS).await;
        assert_eq!(raw.hear().await.unwrap().status, 200);
    })
    .await;
}

#[tokio::test]
async fn what_is_no_http_ends_its_connection_and_nothing_else() {
    on(Ground::Memory, async |bed| {
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
            let mut raw = bed.raw().await;
            raw.write(nonsense).await;
            raw.write(b"\r\n\r\n").await;
            while raw.more_until_end().await {}
        }
        bed.caller().await.create("q", json!({})).await;
    })
    .await;
}
