//! A peer that answers as configured by a test, and counts requests.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use redrive_client::proto::duh::v1::Reply;
use redrive_client::proto::prost::Message;
use redrive_client::{Client, ClientBuilder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Reaction to a request.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// An answer of the API, with a message and without a reason.
    Reply(u16, &'static str),
    /// An error of the API with a reason. Its message says nothing.
    Fault(u16, &'static str),
    /// A success of the API with this message.
    Message(Vec<u8>),
    /// Any other answer.
    Answer { status: u16, content_type: &'static str, body: Vec<u8> },
    /// Sends these bytes and closes the connection.
    Raw(Vec<u8>),
    /// Never answers.
    Hang,
    /// Closes the connection.
    Close,
}

/// Applies the first action to the first request, and so on; the last action applies to all further requests.
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
    pub(crate) async fn new(actions: Vec<Action>) -> Self {
        Self::listening_at(([127, 0, 0, 1], 0).into(), actions).await
    }

    pub(crate) async fn listening_at(address: SocketAddr, actions: Vec<Action>) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        tokio::spawn(accept(listener, Arc::clone(&seen), actions.into()));
        Self { address, seen }
    }

    /// The stub and its client.
    pub(crate) async fn with_client(actions: Vec<Action>) -> (Self, Client) {
        let stub = Self::new(actions).await;
        let client = stub.client().build().unwrap();
        (stub, client)
    }

    /// The settings of its client.
    pub(crate) fn client(&self) -> ClientBuilder {
        Client::builder(&self.address.to_string())
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

async fn accept(listener: TcpListener, seen: Arc<Seen>, actions: Arc<[Action]>) {
    while let Ok((stream, _)) = listener.accept().await {
        seen.accepts.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(talk(stream, Arc::clone(&seen), Arc::clone(&actions)));
    }
}

async fn talk(mut stream: TcpStream, seen: Arc<Seen>, actions: Arc<[Action]>) {
    while let Some((head, body)) = read_request(&mut stream).await {
        let number = seen.requests.fetch_add(1, Ordering::SeqCst);
        seen.heads.lock().unwrap().push(head);
        seen.bodies.lock().unwrap().push(body);
        match actions.get(number).or(actions.last()).cloned().unwrap() {
            Action::Reply(code, message) => {
                let reply = Reply { code: i32::from(code), message: message.to_owned(), ..Reply::default() };
                answer(&mut stream, code, "application/protobuf", &reply.encode_to_vec()).await;
            }
            Action::Fault(code, reason) => {
                let details = [("reason".to_owned(), reason.to_owned())].into();
                let reply = Reply { code: i32::from(code), message: "x".to_owned(), details, ..Reply::default() };
                answer(&mut stream, code, "application/protobuf", &reply.encode_to_vec()).await;
            }
            Action::Message(body) => answer(&mut stream, 200, "application/protobuf", &body).await,
            Action::Answer { status, content_type, body } => answer(&mut stream, status, content_type, &body).await,
            Action::Raw(bytes) => {
                // The peer may have stopped reading.
                let _gone = stream.write_all(&bytes).await;
                return;
            }
            Action::Hang => std::future::pending().await,
            Action::Close => return,
        }
    }
}

async fn answer(stream: &mut TcpStream, status: u16, content_type: &str, body: &[u8]) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n");
    let _gone = stream.write_all(&[head.as_bytes(), body].concat()).await;
}

/// Returns the head of the next request, and its body.
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
