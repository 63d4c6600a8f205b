//! A peer that answers as a test wants it to, and counts.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use redrive_client::proto::duh::v1::Reply;
use redrive_client::proto::prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What is done to a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// An answer of the API.
    Reply(u16, &'static str),
    /// An answer of any kind.
    Answer { status: u16, content_type: &'static str, body: Vec<u8> },
    /// These bytes, and the end of the connection.
    Raw(Vec<u8>),
    /// Nothing, ever.
    Hang,
    /// The end of the connection.
    Close,
}

/// Answers the first request by the first act, and so on; the last act is for all that follow.
#[derive(Debug)]
pub(crate) struct Stub {
    pub(crate) address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    accepts: AtomicUsize,
    requests: AtomicUsize,
    heads: Mutex<Vec<String>>,
    bodies: Mutex<Vec<Vec<u8>>>,
}

impl Stub {
    pub(crate) async fn new(acts: Vec<Act>) -> Self {
        Self::listening_at(([127, 0, 0, 1], 0).into(), acts).await
    }

    pub(crate) async fn listening_at(address: SocketAddr, acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        tokio::spawn(accept(listener, Arc::clone(&seen), acts.into()));
        Self { address, seen }
    }

    pub(crate) fn accepts(&self) -> usize {
        self.seen.accepts.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> usize {
        self.seen.requests.load(Ordering::SeqCst)
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.seen.heads.lock().unwrap().clone()
    }

    pub(crate) fn bodies(&self) -> Vec<Vec<u8>> {
        self.seen.bodies.lock().unwrap().clone()
    }
}

async fn accept(listener: TcpListener, seen: Arc<Seen>, acts: Arc<[Act]>) {
    while let Ok((stream, _)) = listener.accept().await {
        seen.accepts.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(talk(stream, Arc::clone(&seen), Arc::clone(&acts)));
    }
}

async fn talk(mut stream: TcpStream, seen: Arc<Seen>, acts: Arc<[Act]>) {
    while let Some((head, body)) = read_request(&mut stream).await {
        let number = seen.requests.fetch_add(1, Ordering::SeqCst);
        seen.heads.lock().unwrap().push(head);
        seen.bodies.lock().unwrap().push(body);
        match acts.get(number).or(acts.last()).cloned().unwrap() {
            Act::Reply(code, message) => {
                let reply = Reply { code: i32::from(code), message: message.to_owned(), ..Reply::default() };
                answer(&mut stream, code, "application/protobuf", &reply.encode_to_vec()).await;
            }
            Act::Answer { status, content_type, body } => answer(&mut stream, status, content_type, &body).await,
            Act::Raw(bytes) => {
                // Whether the peer still reads is not ours to know.
                let _gone = stream.write_all(&bytes).await;
                return;
            }
            Act::Hang => std::future::pending().await,
            Act::Close => return,
        }
    }
}

async fn answer(stream: &mut TcpStream, status: u16, content_type: &str, body: &[u8]) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n");
    let _gone = stream.write_all(&[head.as_bytes(), body].concat()).await;
}

/// The head of the next request, and its body.
async fn read_request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        let mut more = [0; 4096];
        let count = stream.read(&mut more).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&more[..count]);
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    let mut rest = vec![0; (end + length).saturating_sub(bytes.len())];
    stream.read_exact(&mut rest).await.ok()?;
    bytes.extend(rest);
    Some((head, bytes.split_off(end)))
}
