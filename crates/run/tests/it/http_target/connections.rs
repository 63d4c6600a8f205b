//! Connections that are kept between requests.

use std::time::Duration;

use redrive_queue::Content;
use redrive_run::Handled;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Seen, Server, answer, read};
use super::target;
use crate::work::{handle, work};

#[tokio::test]
async fn a_connection_that_was_closed_meanwhile_is_not_used_again() {
    let mut server = Server::talking(|mut stream, connection, told| async move {
        let seen = read(&mut stream, connection).await.unwrap();
        // It says nothing of closing, and closes.
        stream.write_all(&answer(200, &[], "done")).await.unwrap();
        drop(stream);
        told.send(seen).await.unwrap();
    })
    .await;
    let target = target(&server.url);
    for connection in 0..5 {
        assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
        assert_eq!(server.seen().await.connection, connection);
        // Until the end of the connection has come.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn as_many_connections_are_kept_as_were_needed_at_once() {
    let mut server = Server::answering(answer(200, &[], "")).await;
    let target = target(&server.url);
    for _ in 0..3 {
        let calls = std::iter::repeat_with(|| handle(&target, work(Content::default()))).take(8);
        for handled in futures_util::future::join_all(calls).await {
            assert_eq!(handled, Handled::DONE);
        }
    }
    for _ in 0..24 {
        assert!(server.seen().await.connection < 8);
    }
}

#[tokio::test]
async fn an_answer_that_says_so_closes_its_connection() {
    let mut server = Server::answering(answer(200, &["connection: close"], "done")).await;
    let target = target(&server.url);
    for connection in 0..3 {
        assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
        assert_eq!(server.seen().await.connection, connection);
    }
}

#[tokio::test]
async fn a_connection_that_nobody_uses_is_closed() {
    let mut server = Server::talking(|mut stream, connection, told| async move {
        let seen = read(&mut stream, connection).await.unwrap();
        stream.write_all(&answer(200, &[], "")).await.unwrap();
        told.send(seen).await.unwrap();
        let mut rest = Vec::new();
        let ended = stream.read_to_end(&mut rest).await;
        told.send(Seen { connection, head: format!("{ended:?}"), body: rest }).await.unwrap();
    })
    .await;
    let target = target(&server.url);
    assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
    server.seen().await;
    // From here on, waiting takes no time.
    tokio::time::pause();
    assert_eq!(server.seen().await.head, "Ok(0)");
    // And whoever comes later finds a new one.
    tokio::time::resume();
    assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
    assert_eq!(server.seen().await.connection, 1);
}
