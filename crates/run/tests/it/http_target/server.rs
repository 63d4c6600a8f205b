//! An HTTP server whose bytes the test controls.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::work::with_timeout;

/// A request as the server received it.
#[derive(Debug)]
pub(super) struct ReceivedRequest {
    /// The number of its connection, from 0.
    pub(super) connection: usize,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl ReceivedRequest {
    /// The values of a header, in order.
    pub(super) fn values(&self, name: &str) -> Vec<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.filter(|(known, _)| *known == name).map(|(_, value)| value).collect()
    }
}

pub(super) struct Server {
    pub(super) url: String,
    requests_rx: mpsc::Receiver<ReceivedRequest>,
}

impl Server {
    /// Sends the same answer to every request, and keeps connections open.
    pub(super) async fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::answering_by(move |_| answer.clone()).await
    }

    /// Sends the answer that the function returns for each request, and keeps connections open.
    pub(super) async fn answering_by(answer: impl Fn(&ReceivedRequest) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let answer = Arc::new(answer);
        Self::serving(move |mut stream, connection, requests_tx| {
            let answer = Arc::clone(&answer);
            async move {
                while let Some(received) = read(&mut stream, connection).await {
                    let bytes = answer(&received);
                    requests_tx.send(received).await.unwrap();
                    stream.write_all(&bytes).await.unwrap();
                }
            }
        })
        .await
    }

    /// Serves every connection with a function.
    pub(super) async fn serving<F>(
        serve: impl Fn(TcpStream, usize, mpsc::Sender<ReceivedRequest>) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (requests_tx, requests_rx) = mpsc::channel(1024);
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, connection, requests_tx.clone()));
            }
        });
        Self { url, requests_rx }
    }

    /// The next request, or whatever else the serving function sent.
    pub(super) async fn next_request(&mut self) -> ReceivedRequest {
        with_timeout(self.requests_rx.recv()).await.unwrap()
    }
}

/// Waits until every task has processed its input: a paused clock advances only while the runtime is idle.
pub(super) async fn until_idle() {
    tokio::time::pause();
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    tokio::time::resume();
}

/// An answer with a `content-length`.
pub(super) fn answer(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut lines = vec![format!("HTTP/1.1 {status} Whatever"), format!("content-length: {}", body.len())];
    lines.extend(headers.iter().map(|line| (*line).to_owned()));
    [lines.join("\r\n").as_bytes(), b"\r\n\r\n", body].concat()
}

/// Reads a request; `None` if the client closed the connection.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin), connection: usize) -> Option<ReceivedRequest> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let mut body = bytes.split_off(end);
    let mut received = ReceivedRequest { connection, head: String::from_utf8(bytes).unwrap(), body: Vec::new() };
    let length: usize = received.values("content-length").first().map_or(0, |length| length.parse().unwrap());
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    received.body = body;
    Some(received)
}
