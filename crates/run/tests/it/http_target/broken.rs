//! Conversations that break.

use std::sync::Arc;

use redrive_core::{Category, Evidence, Failure, IoKind};
use redrive_model::Content;
use redrive_run::{Call, Handled, Handler, HttpSettings, HttpTarget};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Seen, Server, read};
use super::target;
use crate::work::{all_texts, category, closed_port, fail, handle, in_time, work};

/// Says something to every request and closes the connection.
async fn saying(words: &'static [u8]) -> Server {
    Server::talking(move |mut stream, connection, _| async move {
        read(&mut stream, connection).await;
        stream.write_all(words).await.unwrap();
    })
    .await
}

/// Says something to every request and resets the connection.
async fn resetting_after(words: &'static [u8]) -> Server {
    Server::talking(move |mut stream, connection, _| async move {
        read(&mut stream, connection).await;
        stream.write_all(words).await.unwrap();
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
async fn a_refused_connection_is_the_word_of_the_operating_system() {
    let (_held, address) = closed_port();
    let failure = fail(&target(&format!("http://{address}/in")), work(Content::default())).await;
    assert_eq!(failure.error.evidence, Some(Evidence::Io(IoKind::ConnectionRefused)));
    assert_eq!(category(&failure), Category::Network);
    assert_eq!(failure.error.message, format!("POST http://{address}/in was not reached"));
}

#[tokio::test]
async fn a_host_that_nobody_knows_is_a_fault_of_the_network() {
    let failure = fail(&target("http://nobody.invalid/in"), work(Content::default())).await;
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
}

#[tokio::test]
async fn a_connection_that_ends_without_an_answer_is_a_fault_of_the_network() {
    for words in [&b""[..], b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\ncontent-le"] {
        let failure = failure_of(&saying(words).await).await;
        assert_eq!(category(&failure), Category::Network, "{failure:?}");
        assert!(failure.error.message.ends_with(" broke off"), "{failure}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_http_is_a_fault_of_the_network() {
    for words in [&b"\0\x01\x02 garbage\r\n\r\n"[..], b"220 smtp.example ready\r\n", b"HTTP/9.9 200 OK\r\n\r\n"] {
        let failure = failure_of(&saying(words).await).await;
        assert_eq!(category(&failure), Category::Network, "{failure:?}");
    }
}

#[tokio::test]
async fn an_answer_with_endless_headers_is_given_up() {
    let server = Server::talking(|mut stream, connection, _| async move {
        read(&mut stream, connection).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await.unwrap();
        while stream.write_all(b"x-more: and more and more and more\r\n").await.is_ok() {}
    })
    .await;
    assert_eq!(category(&failure_of(&server).await), Category::Network);
}

#[tokio::test]
async fn a_reset_in_the_middle_of_a_result_is_a_fault_of_the_network() {
    let server = resetting_after(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf").await;
    let Handled::Failed(failure) = with_result(&server.url).await else { panic!("half a result is none") };
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
    let server = saying(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf").await;
    let Handled::Failed(failure) = with_result(&server.url).await else { panic!("half a result is none") };
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
}

#[tokio::test]
async fn a_reset_before_the_answer_is_the_word_of_the_operating_system() {
    let failure = failure_of(&resetting_after(b"").await).await;
    assert_eq!(failure.error.evidence, Some(Evidence::Io(IoKind::ConnectionReset)), "{failure:?}");
}

#[tokio::test]
async fn a_success_stays_one_when_the_rest_of_its_answer_is_lost() {
    let server = resetting_after(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf").await;
    assert_eq!(handle(&target(&server.url), work(Content::default())).await, Handled::DONE);
}

#[tokio::test]
async fn a_success_stays_one_when_its_answer_has_no_end() {
    let server = Server::talking(|mut stream, connection, _| async move {
        read(&mut stream, connection).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await.unwrap();
        let more = b"400\r\n".iter().chain(&[b'x'; 1024]).chain(b"\r\n").copied().collect::<Vec<u8>>();
        while stream.write_all(&more).await.is_ok() {}
    })
    .await;
    assert_eq!(handle(&target(&server.url), work(Content::default())).await, Handled::DONE);
}

#[tokio::test]
async fn a_status_counts_when_the_rest_of_its_answer_is_lost() {
    let words = b"HTTP/1.1 422 No\r\ncontent-length: 1000\r\n\r\nhalf";
    let failure = failure_of(&saying(words).await).await;
    assert_eq!(category(&failure), Category::Validation);
    assert!(failure.error.message.ends_with(": half"), "{failure}");
}

#[tokio::test]
async fn a_status_counts_when_the_rest_of_its_answer_never_comes() {
    for (words, is_done) in [
        (&b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf"[..], true),
        (b"HTTP/1.1 429 No\r\nretry-after: 7\r\ncontent-length: 1000\r\n\r\nhalf", false),
    ] {
        let mut server = Server::talking(move |mut stream, connection, told| async move {
            let seen = read(&mut stream, connection).await.unwrap();
            stream.write_all(words).await.unwrap();
            told.send(seen).await.unwrap();
            std::future::pending::<()>().await;
        })
        .await;
        let target = target(&server.url);
        let attempt = tokio::spawn(async move { target.handle(Call::new(Arc::new(work(Content::default())))).await });
        server.seen().await;
        // All that will ever come has come: from here on, waiting takes no time.
        tokio::time::pause();
        let handled = in_time(attempt).await.unwrap();
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
    for words in [&b""[..], b"HTTP/1.1 200 OK\r\n"] {
        let mut server = Server::talking(move |mut stream, connection, told| async move {
            let seen = read(&mut stream, connection).await.unwrap();
            told.send(seen).await.unwrap();
            // It never answers: slow headers, then nothing.
            stream.write_all(words).await.unwrap();
            let mut rest = Vec::new();
            let ended = stream.read_to_end(&mut rest).await;
            let head = format!("{:?}", ended.map_err(|error| error.kind()));
            told.send(Seen { connection, head, body: rest }).await.unwrap();
        })
        .await;
        let target = target(&server.url);
        let attempt = tokio::spawn(async move { target.handle(Call::new(Arc::new(work(Content::default())))).await });
        assert_eq!(server.seen().await.connection, 0);
        attempt.abort();
        assert!(in_time(attempt).await.unwrap_err().is_cancelled());
        let ended = server.seen().await;
        // Whoever says something to one who has gone is told so by a reset.
        let is_closed = ended.head == "Ok(0)" || !words.is_empty() && ended.head == "Err(ConnectionReset)";
        assert!(is_closed && ended.body.is_empty(), "the end of the connection, and nothing before it: {ended:?}");
    }
}

#[tokio::test]
async fn tls_with_somebody_who_does_not_speak_it_is_a_fault_of_the_network() {
    let server = Server::talking(|mut stream, _, _| async move {
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
async fn errors_do_not_tell_what_is_secret() {
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
