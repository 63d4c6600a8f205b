//! Connections that are kept open between requests.

use std::time::Duration;

use redrive_model::Content;
use redrive_run::Handled;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{ReceivedRequest, Server, answer, read, until_idle};
use super::target;
use crate::work::{handle, with_timeout, work};

#[tokio::test]
async fn a_connection_closed_by_the_server_is_not_reused() {
    let mut server = Server::serving(|mut stream, connection, requests_tx| async move {
        let received = read(&mut stream, connection).await.unwrap();
        // Closes the connection without announcing it.
        stream.write_all(&answer(200, &[], "done")).await.unwrap();
        drop(stream);
        requests_tx.send(received).await.unwrap();
    })
    .await;
    let target = target(&server.url);
    for connection in 0..5 {
        assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
        assert_eq!(server.next_request().await.connection, connection);
        until_idle().await;
    }
}

#[tokio::test]
async fn a_server_that_closes_unannounced_after_each_answer_costs_few_attempts() {
    let server = Server::serving(|mut stream, connection, requests_tx| async move {
        let received = read(&mut stream, connection).await.unwrap();
        stream.write_all(&answer(200, &[], "done")).await.unwrap();
        requests_tx.send(received).await.unwrap();
        // Late enough for the next request to be in flight.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        stream.set_zero_linger().unwrap();
    })
    .await;
    let target = target(&server.url);
    let mut failures = 0;
    for _ in 0..200 {
        failures += u32::from(handle(&target, work(Content::default())).await != Handled::DONE);
    }
    assert!(failures <= 2, "{failures} of 200");
}

#[tokio::test]
async fn as_many_connections_are_kept_as_were_used_concurrently() {
    let mut server = Server::answering(answer(200, &[], "")).await;
    let target = target(&server.url);
    for _ in 0..3 {
        let calls = std::iter::repeat_with(|| handle(&target, work(Content::default()))).take(8);
        for handled in futures_util::future::join_all(calls).await {
            assert_eq!(handled, Handled::DONE);
        }
    }
    for _ in 0..24 {
        assert!(server.next_request().await.connection < 8);
    }
}

#[tokio::test]
async fn an_answer_with_connection_close_closes_its_connection() {
    let mut server = Server::answering(answer(200, &["connection: close"], "done")).await;
    let target = target(&server.url);
    for connection in 0..3 {
        assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
        assert_eq!(server.next_request().await.connection, connection);
    }
}

#[tokio::test]
async fn a_request_is_sent_completely_even_if_the_answer_arrives_early() {
    const BYTES: usize = 32 << 20;
    let mut server = Server::serving(|mut stream, connection, requests_tx| async move {
        let mut received = vec![0; 1024];
        let mut count = stream.read(&mut received).await.unwrap();
        stream.write_all(&answer(202, &[], "taken")).await.unwrap();
        let head = received.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
        let mut piece = vec![0; 1 << 20];
        while count < head + BYTES {
            match stream.read(&mut piece).await.unwrap() {
                0 => break,
                more => count += more,
            }
        }
        requests_tx
            .send(ReceivedRequest { connection, head: (count - head).to_string(), body: Vec::new() })
            .await
            .unwrap();
    })
    .await;
    let target = target(&server.url);
    let attempt = handle(&target, work(Content::of_payload(vec![b'x'; BYTES])));
    // The target ends when the request is sent, and not by its timeout.
    assert_eq!(tokio::time::timeout(Duration::from_secs(20), attempt).await, Ok(Handled::DONE));
    assert_eq!(server.next_request().await.head, BYTES.to_string());
}

#[tokio::test]
async fn a_server_that_answers_and_stops_reading_does_not_block_the_target() {
    let mut server = Server::serving(|mut stream, connection, requests_tx| async move {
        let mut some = [0; 1024];
        stream.read_exact(&mut some).await.unwrap();
        stream.write_all(&answer(202, &[], "taken")).await.unwrap();
        requests_tx.send(ReceivedRequest { connection, head: String::new(), body: Vec::new() }).await.unwrap();
        std::future::pending::<()>().await;
    })
    .await;
    let target = target(&server.url);
    let attempt = tokio::spawn(async move { handle(&target, work(Content::of_payload(vec![b'x'; 32 << 20]))).await });
    server.next_request().await;
    // From here on, timers fire as soon as the runtime is idle.
    tokio::time::pause();
    assert_eq!(with_timeout(attempt).await.unwrap(), Handled::DONE);
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let mut server = Server::serving(|mut stream, connection, requests_tx| async move {
        let received = read(&mut stream, connection).await.unwrap();
        stream.write_all(&answer(200, &[], "")).await.unwrap();
        requests_tx.send(received).await.unwrap();
        let mut rest = Vec::new();
        let ended = stream.read_to_end(&mut rest).await;
        requests_tx.send(ReceivedRequest { connection, head: format!("{ended:?}"), body: rest }).await.unwrap();
    })
    .await;
    let target = target(&server.url);
    assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
    server.next_request().await;
    // From here on, timers fire as soon as the runtime is idle.
    tokio::time::pause();
    assert_eq!(server.next_request().await.head, "Ok(0)");
    // The next request opens a new one.
    tokio::time::resume();
    assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
    assert_eq!(server.next_request().await.connection, 1);
}
