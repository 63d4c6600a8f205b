//! Connections that are kept between requests.

use std::time::Duration;

use redrive_model::Content;
use redrive_run::Handled;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Seen, Server, all_noticed, answer, read};
use super::target;
use crate::work::{handle, in_time, work};

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
        all_noticed().await;
    }
}

#[tokio::test]
async fn a_target_that_closes_after_each_answer_and_does_not_say_so_costs_few_attempts() {
    let server = Server::talking(|mut stream, connection, told| async move {
        let seen = read(&mut stream, connection).await.unwrap();
        stream.write_all(&answer(200, &[], "done")).await.unwrap();
        told.send(seen).await.unwrap();
        // Late enough for the next request to be on its way.
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
async fn a_request_is_sent_to_its_end_when_the_answer_comes_before_that() {
    const BYTES: usize = 32 << 20;
    let mut server = Server::talking(|mut stream, connection, told| async move {
        let mut seen = vec![0; 1024];
        let mut count = stream.read(&mut seen).await.unwrap();
        stream.write_all(&answer(202, &[], "taken")).await.unwrap();
        let head = seen.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
        let mut piece = vec![0; 1 << 20];
        while count < head + BYTES {
            match stream.read(&mut piece).await.unwrap() {
                0 => break,
                more => count += more,
            }
        }
        told.send(Seen { connection, head: (count - head).to_string(), body: Vec::new() }).await.unwrap();
        read(&mut stream, connection).await.unwrap();
        stream.write_all(&answer(200, &[], "")).await.unwrap();
        told.send(Seen { connection, head: "next".to_owned(), body: Vec::new() }).await.unwrap();
    })
    .await;
    let target = target(&server.url);
    let attempt = handle(&target, work(Content::of_payload(vec![b'x'; BYTES])));
    // It is noticed that all is sent, and not only when patience is at its end.
    assert_eq!(tokio::time::timeout(Duration::from_secs(20), attempt).await, Ok(Handled::DONE));
    assert_eq!(server.seen().await.head, BYTES.to_string());
    assert_eq!(handle(&target, work(Content::default())).await, Handled::DONE);
    let next = server.seen().await;
    assert_eq!((next.connection, next.head.as_str()), (0, "next"));
}

#[tokio::test]
async fn one_who_has_answered_and_reads_no_more_is_not_waited_for_for_ever() {
    let mut server = Server::talking(|mut stream, connection, told| async move {
        let mut some = [0; 1024];
        stream.read_exact(&mut some).await.unwrap();
        stream.write_all(&answer(202, &[], "taken")).await.unwrap();
        told.send(Seen { connection, head: String::new(), body: Vec::new() }).await.unwrap();
        std::future::pending::<()>().await;
    })
    .await;
    let target = target(&server.url);
    let attempt = tokio::spawn(async move { handle(&target, work(Content::of_payload(vec![b'x'; 32 << 20]))).await });
    server.seen().await;
    // From here on, waiting takes no time.
    tokio::time::pause();
    assert_eq!(in_time(attempt).await.unwrap(), Handled::DONE);
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
