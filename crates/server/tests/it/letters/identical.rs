//! The content of a letter stays the same, byte for byte, when it is stored, shown, retried, exported and imported.

use base64::Engine;
use bytes::Bytes;
use redrive_model::{Content, Header};
use redrive_testkit::seeds;
use serde_json::{Value, json};

use super::{captured, revealed};
use crate::harness::{Random, on_each_store_with_target};

/// Up to `most` random bytes: not UTF-8, and many of them zero.
fn any_bytes(random: &mut Random, most: usize) -> Bytes {
    let len = random.below(most + 1);
    let byte = |random: &mut Random| u8::try_from(random.below(256)).unwrap();
    (0..len).map(|_| if random.below(4) == 0 { 0 } else { byte(random) }).collect()
}

fn any_content(random: &mut Random) -> Content {
    let names = ["a", "a", "X-Trace", "x-trace", ""];
    let count = random.below(5);
    let header = |random: &mut Random, name: &str| Header { name: name.to_owned(), value: any_bytes(random, 40) };
    Content {
        kind: "order.v1".to_owned(),
        encoding: ["", "gzip"][random.below(2)].to_owned(),
        reference: String::new(),
        // A missing key, an empty key and a binary key are different cases.
        key: [None, Some(Bytes::new()), Some(any_bytes(random, 20))][random.below(3)].clone(),
        headers: names[..count].iter().map(|name| header(random, name)).collect(),
        payload: any_bytes(random, 2_000),
    }
}

fn encoded(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn as_sent(content: &Content) -> Value {
    let headers = content.headers.iter().map(|header| json!({ "name": header.name, "value": encoded(&header.value) }));
    let origin = json!({ "transport": "kafka", "name": "orders", "partition": "0", "offset": "9007199254740993",
        "timestamp": "2026-11-14T23:59:59.123456Z", "message_id": "m\u{0}\u{fffd}" });
    json!({
        "source_id": "work", "bytes": encoded(&content.payload), "kind": content.kind, "encoding": content.encoding,
        "key": content.key.as_ref().map(|key| encoded(key)), "headers": headers.collect::<Vec<_>>(), "origin": origin,
        "fault": { "error": "HTTP 503" }, "metadata": metadata(),
    })
}

fn metadata() -> Value {
    json!({ "tenant": "acme\u{0}", "empty": "", "part": 0.1, "huge": u64::MAX, "order": { "lines": [2, 2.0, null, [{}]] } })
}

/// Parses a content as the server shows it.
fn shown(content: &Value) -> Content {
    let bytes = |value: &Value| {
        let decoded = base64::engine::general_purpose::STANDARD.decode(value.as_str().unwrap_or_default());
        Bytes::from(decoded.unwrap())
    };
    let text = |field: &str| content[field].as_str().unwrap_or_default().to_owned();
    let headers = content["headers"].as_array().cloned().unwrap_or_default();
    Content {
        kind: text("kind"),
        encoding: text("encoding"),
        reference: text("reference"),
        key: content.get("key").map(bytes),
        headers: headers
            .iter()
            .map(|header| Header {
                name: header["name"].as_str().unwrap_or_default().to_owned(),
                value: bytes(&header["value"]),
            })
            .collect(),
        payload: bytes(&content["payload"]),
    }
}

#[test]
fn a_letter_is_byte_for_byte_the_same_through_capture_edit_export_and_import() {
    for seed in seeds(2) {
        on_each_store_with_target(async |server, mut caller, mut target| {
            let mut random = Random::new(seed.number());
            caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
            let content = any_content(&mut random);
            let id = captured(&mut caller, as_sent(&content)).await;
            let first = revealed(&mut caller, &id).await;
            assert_eq!(shown(&first["content"]), content, "captured, seed {seed}");
            assert_eq!(first["origin"]["timestamp"], "2026-11-14T23:59:59.123456Z");
            assert_eq!(
                (&first["origin"]["offset"], &first["origin"]["partition"]),
                (&json!("9007199254740993"), &json!("0"))
            );
            for (name, value) in metadata().as_object().unwrap() {
                assert_eq!(first["metadata"][name].to_string(), value.to_string(), "{name}");
            }

            let other = any_bytes(&mut random, 500);
            let edit = json!({ "queue_name": "dead", "id": id, "payload": encoded(&other) });
            caller.ok("/v1/letters.edit", edit).await;
            let edited = revealed(&mut caller, &id).await;
            assert_eq!(shown(&edited["original"]), content, "original, seed {seed}");
            let expected = Content { payload: other, ..content };
            assert_eq!(shown(&edited["content"]), expected, "edited, seed {seed}");

            let export = caller.ok("/v1/letters.export", json!({ "queue_name": "dead" })).await;
            caller.ok("/v1/letters.purge", json!({ "queue_name": "dead", "ids": [id] })).await;
            caller.ok("/v1/letters.import", json!({ "queue_name": "dead", "lines": export["lines"] })).await;
            assert_eq!(revealed(&mut caller, &id).await, edited, "imported, seed {seed}");

            let call = server.spawn_call("/v1/letters.retry", json!({ "queue_name": "dead", "id": id })).await;
            let attempt = target.next().await;
            assert_eq!(*attempt.call.content, expected, "retried, seed {seed}");
            attempt.done();
            assert_eq!(call.await.unwrap().value()["success"], true);
        });
    }
}
