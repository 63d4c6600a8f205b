//! Settings of a client, and what it shows of them.

use redrive_client::proto::querator::QueueProduceRequest;
use redrive_client::{BuildError, Client};

use crate::stub::{Action, Stub};

#[tokio::test]
async fn the_key_is_sent_and_never_shown() {
    const KEY: &str = "rdr-live-SuperSecret";
    let stub = Stub::new(vec![Action::Reply(401, "api key is invalid"), Action::Close]).await;
    let builder = stub.client().key(KEY);
    let shown = format!("{builder:?}");
    let client = builder.build().unwrap();
    let rejected = client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    let broken = client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    let all = format!("{shown} {client:?} {:?} {rejected} {rejected:?} {broken} {broken:?}", client.queue("orders"));
    assert!(!all.contains("SuperSecret"), "{all}");
    assert!(stub.heads()[0].contains("authorization: Bearer rdr-live-SuperSecret\r\n"), "{:?}", stub.heads());
}

#[tokio::test]
async fn requests_send_and_accept_protobuf() {
    let (stub, client) = Stub::with_client(vec![Action::Reply(200, "")]).await;
    client.produce(&QueueProduceRequest::default()).await.unwrap();
    let head = stub.heads().remove(0);
    assert!(head.starts_with("POST /v1/queue.produce HTTP/1.1\r\n"), "{head}");
    for header in ["content-type: application/protobuf\r\n", "accept: application/protobuf\r\n"] {
        assert!(head.contains(header), "{head}");
    }
    assert!(head.contains(&format!("host: {}\r\n", stub.address)), "{head}");
    assert!(!head.contains("authorization"), "{head}");
}

#[test]
fn addresses_are_accepted_in_the_usual_forms() {
    for (given, expected) in [
        ("127.0.0.1:2319", "http://127.0.0.1:2319"),
        ("localhost", "http://localhost:2319"),
        ("[::1]:99", "http://[::1]:99"),
        ("http://redrive:80/", "http://redrive:80"),
    ] {
        assert_eq!(Client::new(given).unwrap().address(), expected);
    }
}

#[test]
fn an_invalid_address_is_rejected_without_showing_a_password() {
    for given in ["", "/v1", "ftp://a:1", "http://a:1/path", "http://me:hunter2@a:1", "a b"] {
        let error = Client::new(given).unwrap_err();
        assert!(matches!(error, BuildError::Address { .. }), "{given}: {error:?}");
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}

#[test]
fn a_key_that_a_header_cannot_carry_is_rejected() {
    for key in ["", "two words", "a\nb", "ключ"] {
        let error = Client::builder("a:1").key(key).build().unwrap_err();
        assert!(matches!(error, BuildError::Key), "{error:?}");
    }
    assert!(matches!(Client::builder("a:1").tries(0).build().unwrap_err(), BuildError::Tries));
    assert!(matches!(Client::builder("https://a").trust_pem(b"no").unwrap_err(), BuildError::Certificate));
}
