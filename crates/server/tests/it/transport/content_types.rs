//! Content types of requests and responses, empty bodies, and strict JSON.

use bytes::Bytes;
use http::{HeaderValue, Request};
use http_body_util::Full;
use redrive_proto::prost::Message;
use redrive_proto::querator::{QueueInfo, QueueStatsRequest};
use serde_json::json;

use crate::harness::{Caller, Response, StoreKind, on_store_with_caller, on_store_with_queue};

/// Sends a `queues.info` request; a header that is `None` is not sent.
async fn info(caller: &mut Caller, content_type: Option<&str>, accept: Option<&str>, body: &[u8]) -> Response {
    let mut request = Request::post("/v1/queues.info").header("host", "localhost");
    for (name, value) in [("content-type", content_type), ("accept", accept)] {
        if let Some(value) = value {
            request = request.header(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
    }
    caller.send(request.body(Full::new(Bytes::copy_from_slice(body))).unwrap()).await
}

const JSON: &[u8] = br#"{"queue_name":"q"}"#;
const PROTOBUF: &[u8] = b"\x0a\x01q";

const JSON_NAMES: [&str; 10] = [
    "",
    "*/*",
    "application/*",
    "application/json",
    "APPLICATION/JSON",
    "Application/Json; charset=utf-8",
    "application/json;charset=utf-8,text/plain",
    "application/json, application/protobuf",
    "application/json ;q=1",
    "*/*;q=0.8",
];
/// Valid for `Accept`, where they mean JSON, but not for `Content-Type`.
const ANYTHING: [&str; 4] = ["", "*/*", "application/*", "*/*;q=0.8"];
const PROTOBUF_NAMES: [&str; 5] = [
    "application/protobuf",
    "APPLICATION/PROTOBUF",
    "application/protobuf; messageType=querator.QueuesInfoRequest",
    "application/protobuf,application/json",
    "application/protobuf ; x",
];
const OTHER_NAMES: [&str; 9] = [
    "text/plain",
    "text/*",
    "application/xml",
    "application/x-protobuf",
    "application/protobufs",
    "application",
    "json",
    "text/html, application/json",
    "application/json/x",
];

#[test]
fn every_spelling_of_a_content_type_is_recognized() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        let json = JSON_NAMES.iter().filter(|name| !ANYTHING.contains(name)).map(|name| (Some(*name), JSON));
        let all = json.chain(PROTOBUF_NAMES.iter().map(|name| (Some(*name), PROTOBUF)));
        for (content_type, body) in all {
            let response = info(&mut caller, content_type, None, body).await;
            assert_eq!(response.status, 200, "{content_type:?}: {}", response.text());
            assert_eq!(response.header("content-type"), "application/json", "{content_type:?}");
            assert_eq!(response.value()["queue_name"], "q", "{content_type:?}");
        }
        for name in OTHER_NAMES.iter().chain(&ANYTHING).copied() {
            let message = format!("Content-Type header '{name}' is invalid format or unrecognized content type");
            assert_eq!(info(&mut caller, Some(name), None, JSON).await.rejection(), (455, message));
        }
    });
}

#[test]
fn every_spelling_of_an_accepted_type_is_recognized() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        for name in JSON_NAMES {
            let response = info(&mut caller, Some("application/protobuf"), Some(name), PROTOBUF).await;
            assert_eq!(
                (response.status.as_u16(), response.header("content-type")),
                (200, "application/json"),
                "{name}"
            );
            assert_eq!(response.value()["queue_name"], "q", "{name}");
        }
        for name in PROTOBUF_NAMES {
            let response = info(&mut caller, Some("application/json"), Some(name), JSON).await;
            assert_eq!(
                (response.status.as_u16(), response.header("content-type")),
                (200, "application/protobuf"),
                "{name}"
            );
            assert_eq!(QueueInfo::decode(response.body).unwrap().queue_name, "q", "{name}");
        }
        for name in OTHER_NAMES {
            let message = format!(
                "Accept header '{name}' is invalid format or unrecognized content type, only \
                 [application/json,application/protobuf] are supported by this method"
            );
            assert_eq!(info(&mut caller, Some("application/json"), Some(name), JSON).await.rejection(), (455, message));
        }
    });
}

#[test]
fn an_error_has_the_accepted_content_type() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        let response =
            info(&mut caller, Some("application/json"), Some("application/protobuf"), br#"{"queue_name":""}"#).await;
        assert_eq!((response.status.as_u16(), response.header("content-type")), (400, "application/protobuf"));
        let reply = redrive_proto::duh::v1::Reply::decode(response.body).unwrap();
        assert_eq!((reply.code, reply.code_text.as_str()), (400, "Bad Request"));
        assert_eq!(reply.message, "queue name is invalid; queue name cannot be empty");
        assert!(reply.details.is_empty());
    });
}

#[test]
fn an_empty_body_is_valid_in_protobuf_and_invalid_in_json() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        let message = "queue name is invalid; queue name cannot be empty".to_owned();
        assert_eq!(info(&mut caller, Some("application/protobuf"), None, b"").await.rejection(), (400, message));
        for content_type in [None, Some("application/json")] {
            assert_eq!(info(&mut caller, content_type, None, b"").await.rejection().0, 455, "{content_type:?}");
        }
        assert_eq!(caller.ok("/v1/queues.list", json!({})).await, json!({}));
        let response = caller.post("/v1/queues.list", "application/protobuf", "").await;
        assert_eq!((response.status.as_u16(), response.text().as_str()), (200, "{}"));
    });
}

#[test]
fn unknown_protobuf_fields_are_ignored() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        // Field 99 as a varint, a text, eight bytes and four bytes; then the queue name.
        let unknown_fields = b"\x98\x06\x01\x9a\x06\x02hi\x99\x06\0\0\0\0\0\0\0\0\x9d\x06\0\0\0\0\x0a\x01q";
        assert_eq!(info(&mut caller, Some("application/protobuf"), None, unknown_fields).await.status, 200);
    });
}

#[test]
fn malformed_protobuf_is_rejected() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for (what, body) in [
            ("a length beyond the end", &b"\x0a\x05q"[..]),
            ("a tag of field 0", b"\x02\x00"),
            ("an unknown wire type", b"\x0f"),
            ("the wrong wire type", b"\x08\x01"),
            ("a varint without an end", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
            ("a text that is not UTF-8", b"\x0a\x01\xff"),
            ("JSON", JSON),
        ] {
            let rejection = info(&mut caller, Some("application/protobuf"), None, body).await.rejection();
            assert_eq!(rejection.0, 455, "{what}: {rejection:?}");
        }
    });
}

#[test]
fn json_is_strict() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for body in [
            r#"{"queue_name":"q","colour":"red"}"#,
            r#"{"queue_name":"q","queue_name":"q"}"#,
            r#"{"queue_name":"q","queueName":"q"}"#,
            r#"{"QUEUE_NAME":"q"}"#,
            r#"{"queue_name":1}"#,
            r#"{"queue_name":["q"]}"#,
            r#"{"queue_name":"q"}{}"#,
            r#"{"queue_name":"q",}"#,
            r#"{'queue_name':'q'}"#,
            r#"{"queue_name":"q""#,
            "[]",
            "null",
            "1",
            "\"q\"",
            " ",
            "\u{feff}{}",
        ] {
            let rejection = info(&mut caller, Some("application/json"), None, body.as_bytes()).await.rejection();
            assert_eq!(rejection.0, 455, "{body}: {rejection:?}");
        }
        assert_eq!(
            info(&mut caller, Some("application/json"), None, b"{\"queue_name\":\"\xff\"}").await.rejection().0,
            455
        );
    });
}

#[test]
fn json_accepts_both_field_names_and_null_as_unset() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        for body in [r#"{"queueName":"q"}"#, r#"{"queue_name":"q"}"#, " {\n\t\"queue_name\" : \"q\" }\r\n"] {
            assert_eq!(info(&mut caller, Some("application/json"), None, body.as_bytes()).await.status, 200, "{body}");
        }
        let rejection = info(&mut caller, Some("application/json"), None, br#"{"queue_name":null}"#).await.rejection();
        assert_eq!(rejection, (400, "queue name is invalid; queue name cannot be empty".to_owned()));
    });
}

#[test]
fn a_response_without_content_is_code_200_only() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        let response = caller.post_protobuf("/v1/queue.reload", &QueueStatsRequest { queue_name: "q".into() }).await;
        assert_eq!((response.status.as_u16(), response.text().as_str()), (200, r#"{"code":200}"#));
        caller.headers.insert("accept", HeaderValue::from_static("application/protobuf"));
        let response = caller.json("/v1/queue.reload", json!({ "queue_name": "q" })).await;
        // Field 1, a varint: 200.
        assert_eq!((response.status.as_u16(), &response.body[..]), (200, &b"\x08\xc8\x01"[..]));
    });
}
