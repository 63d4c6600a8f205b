//! Tests of private parts.

use std::sync::Arc;

use redrive_core::{Span, Time};
use redrive_model::Content;
use tokio::io::{AsyncWriteExt, duplex};

use super::frame::{Breach, FrameReader, ReadError};
use super::stderr::Lines;
use super::{WorkerCommand, WorkerPool};
use crate::{Call, Handled, Handler, Work};

const WORKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/worker.py");

fn frame(header: &[u8], payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(4 + header.len() + payload.len()).unwrap();
    let header_length = u32::try_from(header.len()).unwrap();
    [&length.to_be_bytes()[..], &header_length.to_be_bytes()[..], header, payload].concat()
}

fn work(payload: impl Into<bytes::Bytes>) -> Work {
    let content = Arc::new(Content::of_payload(payload));
    Work::new("work-1".into(), "queue".into(), "workers".into(), content, Time::from_secs(0))
}

#[tokio::test]
async fn a_beat_of_the_worker_is_a_beat_of_the_call() {
    let pool = WorkerPool::start(WorkerCommand::new("python3", ["-B", WORKER])).await.unwrap();
    let call = Call::new(Arc::new(work("three short words")));
    assert_eq!(pool.handle(call.clone()).await, Handled::Done { result: Some("3".into()) });
    assert_eq!(call.beats(), 1);
    pool.stop(Span::from_secs(10)).await;
}

#[tokio::test]
async fn frames_are_the_same_however_they_are_cut_on_the_way() {
    let payload = vec![7; 20_000];
    let bytes = [frame(b"{}", b""), frame(b"{\"a\":1}", &payload), frame(b"", b"x")].concat();
    for piece in [1, 3, 8, 4096, 65_536] {
        let (mut to, from) = duplex(piece);
        let bytes = bytes.clone();
        let writing = tokio::spawn(async move { to.write_all(&bytes).await.unwrap() });
        let mut frames = FrameReader::new(from, 1 << 20);
        let mut read = Vec::new();
        while let Ok(frame) = frames.next().await {
            read.push((frame.header, frame.payload));
        }
        let expected: [(&[u8], &[u8]); 3] = [(b"{}", b""), (b"{\"a\":1}", &payload), (b"", b"x")];
        assert!(read.iter().map(|(header, payload)| (&header[..], &payload[..])).eq(expected), "cut at {piece}");
        writing.await.unwrap();
    }
}

#[tokio::test]
async fn a_text_where_a_length_should_be_is_refused_after_four_bytes() {
    let (mut to, from) = duplex(64);
    to.write_all(b"Hell").await.unwrap();
    let refused = FrameReader::new(from, 1 << 20).next().await.unwrap_err();
    assert!(matches!(refused, ReadError::Breach(Breach::TooLong { length: 0x4865_6c6c, .. })), "{refused:?}");
}

#[tokio::test]
async fn lengths_that_contradict_each_other_are_refused() {
    for bytes in [[0, 0, 0, 3, 0, 0, 0, 0], [0, 0, 0, 4, 0, 0, 0, 1]] {
        let (mut to, from) = duplex(64);
        to.write_all(&bytes).await.unwrap();
        let refused = FrameReader::new(from, 1 << 20).next().await.unwrap_err();
        assert!(
            matches!(refused, ReadError::Breach(Breach::TooShort { .. } | Breach::HeaderTooLongForFrame { .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn lines_are_forwarded_whole_and_long_ones_are_split() {
    let mut lines = Lines::default();
    let mut emitted = Vec::new();
    let long = vec![b'x'; Lines::LINE_BYTES_MAX + 10];
    for piece in [&b"one\r\ntw"[..], b"o\n\n", &long, b"\nlast"] {
        lines.take(piece, |line| emitted.push(line.to_vec()));
    }
    lines.end(|line| emitted.push(line.to_vec()));
    let expected: [&[u8]; 5] = [b"one", b"two", &long[..Lines::LINE_BYTES_MAX], b"xxxxxxxxxx", b"last"];
    assert_eq!(emitted, expected);
}
