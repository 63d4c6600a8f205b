//! A server that does what a test wants, byte by byte.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::work::in_time;

/// A request as it came.
#[derive(Debug)]
pub(super) struct Seen {
    /// Which connection it came by, the first being 0.
    pub(super) connection: usize,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Seen {
    /// The values of a header, in order.
    pub(super) fn values(&self, name: &str) -> Vec<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.filter(|(known, _)| *known == name).map(|(_, value)| value).collect()
    }
}

pub(super) struct Server {
    pub(super) url: String,
    seen: mpsc::Receiver<Seen>,
}

impl Server {
    /// Gives one answer to every request, and keeps connections open.
    pub(super) async fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::by(move |_| answer.clone()).await
    }

    /// Answers each request by what it says, and keeps connections open.
    pub(super) async fn by(answer: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let answer = Arc::new(answer);
        Self::talking(move |mut stream, connection, told| {
            let answer = Arc::clone(&answer);
            async move {
                while let Some(seen) = read(&mut stream, connection).await {
                    let bytes = answer(&seen);
                    told.send(seen).await.unwrap();
                    stream.write_all(&bytes).await.unwrap();
                }
            }
        })
        .await
    }

    /// Has every connection served by a function.
    pub(super) async fn talking<F>(talk: impl Fn(TcpStream, usize, mpsc::Sender<Seen>) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (told, seen) = mpsc::channel(1024);
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(talk(stream, connection, told.clone()));
            }
        });
        Self { url, seen }
    }

    /// The next request, or whatever else was told.
    pub(super) async fn seen(&mut self) -> Seen {
        in_time(self.seen.recv()).await.unwrap()
    }
}

/// All that has come by any connection is noticed: a clock that stands moves on only when there is nothing else to do.
pub(super) async fn all_noticed() {
    tokio::time::pause();
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    tokio::time::resume();
}

/// An answer with a body of known length.
pub(super) fn answer(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut lines = vec![format!("HTTP/1.1 {status} Whatever"), format!("content-length: {}", body.len())];
    lines.extend(headers.iter().map(|line| (*line).to_owned()));
    [lines.join("\r\n").as_bytes(), b"\r\n\r\n", body].concat()
}

/// Reads a request; `None` when the other side has closed the connection.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin), connection: usize) -> Option<Seen> {
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
    let mut seen = Seen { connection, head: String::from_utf8(bytes).unwrap(), body: Vec::new() };
    let length: usize = seen.values("content-length").first().map_or(0, |length| length.parse().unwrap());
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    seen.body = body;
    Some(seen)
}
