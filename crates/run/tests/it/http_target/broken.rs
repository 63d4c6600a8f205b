//! Requests that fail below the level of HTTP, and incomplete answers.

use std::sync::Arc;

use redrive_core::{Category, Evidence, Failure, IoKind};
use redrive_model::Content;
use redrive_run::{Call, Handled, Handler, HttpSettings, HttpTarget};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{ReceivedRequest, Server, read};
use super::target;
use crate::work::{
    all_texts, assert_an_hour_costs_no_attempt, category, closed_port, fail, handle, with_timeout, work,
};

/// Sends these bytes to every request and closes the connection.
async fn closing_after(bytes: &'static [u8]) -> Server {
    Server::serving(move |mut stream, connection, _| async move {
        read(&mut stream, connection).await;
        stream.write_all(bytes).await.unwrap();
    })
    .await
}

/// Sends these bytes to every request and resets the connection.
async fn resetting_after(bytes: &'static [u8]) -> Server {
    Server::serving(move |mut stream, connection, _| async move {
        read(&mut stream, connection).await;
        stream.write_all(bytes).await.unwrap();
        stream.set_zero_linger().unwrap();
    })
    .await
}

async fn with_result(url: &str) -> Handled {
    let settings = HttpSettings { body_is_result: true, ..HttpSettings::new(url) };
    handle(&HttpTarget::new(&settings).unwrap(), work(Content::default())).await
}

async fn failure_of(server: &Server) -> Failure {
    fail(&target(&server.url), work(Content::default())).await
}

#[tokio::test]
async fn a_refused_connection_carries_the_error_of_the_operating_system() {
    let (_held, address) = closed_port();
    let failure = fail(&target(&format!("http://{address}/in")), work(Content::default())).await;
    assert_eq!(failure.error.evidence, Some(Evidence::Io(IoKind::ConnectionRefused)));
    assert_eq!(category(&failure), Category::Network);
    assert_eq!(failure.error.message, format!("POST http://{address}/in was not reached"));
}

/// What could not be sent cannot be to blame.
#[tokio::test]
async fn an_hour_of_refused_connections_costs_paused_work_no_attempt() {
    let (_held, address) = closed_port();
    assert_an_hour_costs_no_attempt(target(&format!("http://{address}"))).await;
}

#[tokio::test]
async fn an_unknown_host_is_a_network_failure() {
    let failure = fail(&target("http://absent.invalid/in"), work(Content::default())).await;
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
}

#[tokio::test]
async fn a_connection_closed_before_the_answer_is_a_network_failure() {
    for bytes in [&b""[..], b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\ncontent-le"] {
        let failure = failure_of(&closing_after(bytes).await).await;
        assert_eq!(category(&failure), Category::Network, "{failure:?}");
        assert!(failure.error.message.ends_with(" broke off"), "{failure}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_http_is_a_network_failure() {
    for bytes in [&b"\0\x01\x02 garbage\r\n\r\n"[..], b"220 smtp.example ready\r\n", b"HTTP/9.9 200 OK\r\n\r\n"] {
        let failure = failure_of(&closing_after(bytes).await).await;
        assert_eq!(category(&failure), Category::Network, "{failure:?}");
    }
}

#[tokio::test]
async fn an_answer_with_endless_headers_is_a_network_failure() {
    let server = Server::serving(|mut stream, connection, _| async move {
        read(&mut stream, connection).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await.unwrap();
        while stream.write_all(b"x-more: and more and more and more\r\n").await.is_ok() {}
    })
    .await;
    assert_eq!(category(&failure_of(&server).await), Category::Network);
}

#[tokio::test]
async fn an_incomplete_result_is_a_network_failure() {
    let server = resetting_after(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf").await;
    let Handled::Failed(failure) = with_result(&server.url).await else { panic!("an incomplete result must fail") };
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
    let server = closing_after(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf").await;
    let Handled::Failed(failure) = with_result(&server.url).await else { panic!("an incomplete result must fail") };
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
}

#[tokio::test]
async fn a_reset_before_the_answer_carries_the_error_of_the_operating_system() {
    let failure = failure_of(&resetting_after(b"").await).await;
    assert_eq!(failure.error.evidence, Some(Evidence::Io(IoKind::ConnectionReset)), "{failure:?}");
}

#[tokio::test]
async fn a_success_status_counts_even_if_its_body_is_incomplete() {
    let server = resetting_after(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf").await;
    assert_eq!(handle(&target(&server.url), work(Content::default())).await, Handled::DONE);
}

#[tokio::test]
async fn a_success_status_counts_even_if_its_body_is_endless() {
    let server = Server::serving(|mut stream, connection, _| async move {
        read(&mut stream, connection).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await.unwrap();
        let more = b"400\r\n".iter().chain(&[b'x'; 1024]).chain(b"\r\n").copied().collect::<Vec<u8>>();
        while stream.write_all(&more).await.is_ok() {}
    })
    .await;
    assert_eq!(handle(&target(&server.url), work(Content::default())).await, Handled::DONE);
}

#[tokio::test]
async fn an_error_status_counts_even_if_its_body_is_incomplete() {
    let bytes = b"HTTP/1.1 422 No\r\ncontent-length: 1000\r\n\r\nhalf";
    let failure = failure_of(&closing_after(bytes).await).await;
    assert_eq!(category(&failure), Category::Validation);
    assert!(failure.error.message.ends_with(": half"), "{failure}");
}

#[tokio::test]
async fn a_status_counts_even_if_its_body_never_arrives() {
    for (bytes, is_done) in [
        (&b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf"[..], true),
        (b"HTTP/1.1 429 No\r\nretry-after: 7\r\ncontent-length: 1000\r\n\r\nhalf", false),
    ] {
        let mut server = Server::serving(move |mut stream, connection, requests_tx| async move {
            let received = read(&mut stream, connection).await.unwrap();
            stream.write_all(bytes).await.unwrap();
            requests_tx.send(received).await.unwrap();
            std::future::pending::<()>().await;
        })
        .await;
        let target = target(&server.url);
        let attempt = tokio::spawn(async move { target.handle(Call::new(Arc::new(work(Content::default())))).await });
        server.next_request().await;
        // From here on, timers fire as soon as the runtime is idle.
        tokio::time::pause();
        let handled = with_timeout(attempt).await.unwrap();
        tokio::time::resume();
        assert_eq!(handled == Handled::DONE, is_done, "{handled:?}");
        if let Handled::Failed(failure) = handled {
            assert_eq!(category(&failure), Category::Transient);
            assert!(failure.retry_after.is_some());
        }
    }
}

#[tokio::test]
async fn a_dropped_attempt_closes_its_connection() {
    for bytes in [&b""[..], b"HTTP/1.1 200 OK\r\n"] {
        let mut server = Server::serving(move |mut stream, connection, requests_tx| async move {
            let received = read(&mut stream, connection).await.unwrap();
            requests_tx.send(received).await.unwrap();
            // The server never completes its answer.
            stream.write_all(bytes).await.unwrap();
            let mut rest = Vec::new();
            let ended = stream.read_to_end(&mut rest).await;
            let head = format!("{:?}", ended.map_err(|error| error.kind()));
            requests_tx.send(ReceivedRequest { connection, head, body: rest }).await.unwrap();
        })
        .await;
        let target = target(&server.url);
        let attempt = tokio::spawn(async move { target.handle(Call::new(Arc::new(work(Content::default())))).await });
        assert_eq!(server.next_request().await.connection, 0);
        attempt.abort();
        assert!(with_timeout(attempt).await.unwrap_err().is_cancelled());
        let ended = server.next_request().await;
        // A write to a closed connection is answered with a reset.
        let is_closed = ended.head == "Ok(0)" || !bytes.is_empty() && ended.head == "Err(ConnectionReset)";
        assert!(is_closed && ended.body.is_empty(), "expected the end of the connection without more bytes: {ended:?}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_is_a_network_failure() {
    let server = Server::serving(|mut stream, _, _| async move {
        let mut hello = [0; 16];
        stream.read_exact(&mut hello).await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
    })
    .await;
    match HttpTarget::new(&HttpSettings::new(server.url.replace("http:", "https:"))) {
        Ok(target) => {
            let failure = fail(&target, work(Content::default())).await;
            assert_eq!(category(&failure), Category::Network, "{failure:?}");
        }
        Err(invalid) => assert!(invalid.to_string().contains("certificates to trust"), "{invalid}"),
    }
}

#[tokio::test]
async fn errors_and_debug_output_contain_no_secrets() {
    let mut settings = HttpSettings::new("http://ann:pa55word@127.0.0.1:1/path?token=t0ken#fragment");
    settings.headers.push(("x-api-key".into(), "k3y".into()));
    let target = HttpTarget::new(&settings).unwrap();
    let failure = fail(&target, work(Content::of_payload("p4yload"))).await;
    let texts = format!("{} {settings:?} {target:?}", all_texts(&failure));
    for secret in ["ann", "pa55word", "t0ken", "k3y", "p4yload", "YW5u"] {
        assert!(!texts.contains(secret), "{secret} in {texts}");
    }
    assert!(texts.contains("http://127.0.0.1:1/path") && texts.contains("x-api-key"), "{texts}");
}
