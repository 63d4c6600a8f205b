//! What is spent on callers who may do nothing, and on bodies as a whole.

use std::time::Duration;

use redrive_server::{AuthMode, Settings};
use serde_json::json;
use tokio::time;

use crate::auth::each_closed;
use crate::bed::{Bed, Ground, Raw, bounded};
use crate::tenancy::{bind, key_of, namespace, role, user};

const IMPORT: &str = "/v1/storage/items.import";

/// A server on which whoever shows no key may do nothing.
async fn strict() -> Bed {
    let listen = ([127, 0, 0, 1], 0).into();
    Bed::with(Ground::Memory, Settings { listen, auth: AuthMode::Internal, ..Settings::default() }).await
}

async fn announce(raw: &mut Raw, path: &str, bytes: usize, key: Option<&str>) {
    let key = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\n{key}content-type: application/json\r\ncontent-length: {bytes}\r\n\r\n"
    );
    assert!(raw.write(head).await);
}

#[tokio::test]
async fn of_a_stranger_a_large_body_is_not_read() {
    bounded(async {
        let bed = strict().await;
        for (bytes, code) in [(58_000_000, 403), (16_385, 403), (64_000_001, 400)] {
            let mut raw = bed.raw().await;
            announce(&mut raw, IMPORT, bytes, None).await;
            // Nothing of it has come, and nothing is waited for.
            let heard = raw.hear().await.unwrap();
            assert_eq!(heard.status, code, "{bytes}: {}", heard.text());
            assert!(raw.is_ended().await);
        }
    })
    .await;
}

#[tokio::test]
async fn of_a_stranger_who_does_not_say_how_large_a_body_is_little_is_read() {
    bounded(async {
        let bed = strict().await;
        let mut raw = bed.raw().await;
        raw.write(format!(
            "POST {IMPORT} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        ))
        .await;
        let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
        for _ in 0..5 {
            raw.write(&chunk).await;
        }
        assert_eq!(raw.hear().await.unwrap().refusal(), (403, "access denied".to_owned()));
    })
    .await;
}

/// What is small is read as ever, and its faults are told in their order.
#[tokio::test]
async fn a_strangers_small_body_is_refused_as_ever() {
    bounded(async {
        let bed = strict().await;
        let mut caller = bed.caller().await;
        assert_eq!(caller.post(IMPORT, "text/plain", "x").await.status, 455);
        assert_eq!(caller.post(IMPORT, "application/json", "{").await.status, 455);
        let heard = caller.json("/v1/users.create", json!({ "username": "" })).await;
        assert_eq!(heard.status, 400, "what is wrong with it goes before who sends it");
        assert_eq!(caller.json("/v1/users.list", json!({})).await.refusal().0, 403);
    })
    .await;
}

#[tokio::test]
async fn whoever_may_do_it_in_one_namespace_may_send_a_large_body() {
    each_closed(async |bed| {
        let mut anybody = bed.caller().await;
        namespace(&mut anybody, "shop").await;
        role(&mut anybody, "shop", "importer", &["queue.produce"]).await;
        let (ann, bob) = (user(&mut anybody, "ann").await, user(&mut anybody, "bob").await);
        bind(&mut anybody, "shop", "importer", &ann).await;
        let ((_, ann), (_, bob)) = (key_of(&mut anybody, &ann).await, key_of(&mut anybody, &bob).await);
        let queue = json!({ "queue_name": "q", "lease_timeout": "1m", "expire_timeout": "1h",
            "requested_partitions": 1, "namespace": "shop" });
        anybody.ok("/v1/queues.create", queue).await;
        let body = json!({ "queue_name": "q", "items": [{ "kind": "x".repeat(100_000) }] }).to_string();
        for (key, code) in [(&ann, 400), (&bob, 403)] {
            let mut raw = bed.raw().await;
            announce(&mut raw, IMPORT, body.len(), Some(key)).await;
            raw.write(&body).await;
            let heard = raw.hear().await.unwrap();
            // A kind as long as this is refused by whoever has read it.
            assert_eq!(heard.status, code, "{}", heard.text());
        }
    })
    .await;
}

#[tokio::test]
async fn all_bodies_together_take_so_much_and_no_more() {
    let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), bodies_bytes_max: 1_000_000, ..Settings::default() };
    bounded(async {
        let bed = Bed::with(Ground::Memory, settings).await;
        bed.caller().await.create("q", json!({})).await;
        let mut first = bed.raw().await;
        announce(&mut first, IMPORT, 900_000, None).await;
        first.write(" ").await;
        // A whole request on another connection: by then the server has seen this one.
        bed.caller().await.ok("/v1/queues.list", json!({})).await;
        let mut second = bed.raw().await;
        announce(&mut second, IMPORT, 200_000, None).await;
        second.write(" ".repeat(200_000)).await;
        let heard = second.hear().await.unwrap();
        assert_eq!(heard.refusal(), (454, "queue is overloaded; try again later".to_owned()));
        drop(first);
        // What it took is given back once the server sees that it has gone.
        loop {
            let mut third = bed.raw().await;
            announce(&mut third, IMPORT, 200_000, None).await;
            third.write(" ".repeat(200_000)).await;
            if third.hear().await.unwrap().status == 455 {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_body_that_drips_is_not_waited_for() {
    let bed = Bed::new(Ground::Memory).await;
    let mut raw = bed.raw().await;
    announce(&mut raw, IMPORT, 58_000_000, None).await;
    raw.write(" ".repeat(8_192)).await;
    bed.caller().await.ok("/v1/queues.list", json!({})).await;
    time::pause();
    let began = time::Instant::now();
    let heard = loop {
        tokio::select! {
            heard = raw.hear() => break heard.unwrap(),
            () = time::sleep(Duration::from_secs(5)) => {}
        }
        raw.write(" ").await;
    };
    assert_eq!(heard.refusal(), (455, "the request body did not come in time".to_owned()));
    let took = began.elapsed();
    assert!((Duration::from_secs(10)..Duration::from_secs(30)).contains(&took), "{took:?}");
}
