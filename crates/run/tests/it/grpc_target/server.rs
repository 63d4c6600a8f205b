//! A gRPC server built on HTTP/2 frames, so that it can also misbehave.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use h2::server::SendResponse;
use h2::{Reason, RecvStream};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::work::with_timeout;

/// A call as the server received it.
#[derive(Debug)]
pub(super) struct ReceivedCall {
    pub(super) connection: usize,
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    /// The frame of the message: a flag, its length, the message.
    pub(super) body: Vec<u8>,
}

impl ReceivedCall {
    pub(super) fn values(&self, name: &str) -> Vec<&str> {
        self.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
    }

    pub(super) fn message(&self) -> &[u8] {
        &self.body[5..]
    }
}

/// How the server answers a call.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// Headers, the message if there is one, and trailers.
    Trailers {
        message: Option<Bytes>,
        trailers: Vec<(&'static str, String)>,
    },
    /// An HTTP status and headers that are not gRPC.
    Http {
        status: u16,
        headers: Vec<(&'static str, String)>,
    },
    /// The header of a message with this many bytes, and no message.
    Announced(u32),
    Reset(Reason),
    /// No answer until the client resets the call; the reason of the reset is then received as the path of another
    /// call.
    Silence,
}

impl Reply {
    pub(super) fn ok(message: impl Into<Bytes>) -> Self {
        Self::Trailers { message: Some(message.into()), trailers: vec![("grpc-status", "0".to_owned())] }
    }

    pub(super) fn status(code: u32, message: &str) -> Self {
        Self::status_with(code, message, &[])
    }

    pub(super) fn status_with(code: u32, message: &str, more: &[(&'static str, &str)]) -> Self {
        let mut trailers = vec![("grpc-status", code.to_string()), ("grpc-message", message.to_owned())];
        trailers.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        Self::Trailers { message: None, trailers }
    }
}

pub(super) struct Server {
    pub(super) url: String,
    calls_rx: mpsc::Receiver<ReceivedCall>,
}

impl Server {
    pub(super) async fn answering(reply: Reply) -> Self {
        Self::replying(move |_| reply.clone()).await
    }

    /// Answers each call with the reply that the function returns.
    pub(super) async fn replying(reply: impl Fn(&ReceivedCall) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (calls_tx, calls_rx) = mpsc::channel(1024);
        let reply = Arc::new(reply);
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                let (calls_tx, reply) = (calls_tx.clone(), Arc::clone(&reply));
                tokio::spawn(async move {
                    let mut calls = h2::server::handshake(stream).await.unwrap();
                    while let Some(Ok((call, respond))) = calls.accept().await {
                        let (calls_tx, reply) = (calls_tx.clone(), Arc::clone(&reply));
                        tokio::spawn(async move {
                            let received = read(call, connection).await;
                            let reply = reply(&received);
                            calls_tx.send(received).await.unwrap();
                            answer(respond, reply, calls_tx, connection).await;
                        });
                    }
                });
            }
        });
        Self { url, calls_rx }
    }

    pub(super) async fn next_call(&mut self) -> ReceivedCall {
        with_timeout(self.calls_rx.recv()).await.unwrap()
    }
}

async fn read(call: Request<RecvStream>, connection: usize) -> ReceivedCall {
    let (head, mut stream) = call.into_parts();
    let mut body = Vec::new();
    while let Some(piece) = stream.data().await {
        let piece = piece.unwrap();
        body.extend_from_slice(&piece);
        stream.flow_control().release_capacity(piece.len()).unwrap();
    }
    ReceivedCall { connection, path: head.uri.path().to_owned(), headers: head.headers, body }
}

async fn answer(
    mut respond: SendResponse<Bytes>,
    reply: Reply,
    calls_tx: mpsc::Sender<ReceivedCall>,
    connection: usize,
) {
    let grpc = || Response::builder().header("content-type", "application/grpc").body(()).unwrap();
    match reply {
        Reply::Trailers { message, trailers } => {
            let mut stream = respond.send_response(grpc(), false).unwrap();
            if let Some(message) = message {
                stream.send_data(frame(u32::try_from(message.len()).unwrap(), &message), false).unwrap();
            }
            stream.send_trailers(headers(trailers)).unwrap();
        }
        Reply::Http { status, headers: more } => {
            let mut response = Response::builder().status(status).body(()).unwrap();
            *response.headers_mut() = headers(more);
            respond.send_response(response, true).unwrap();
        }
        Reply::Announced(length) => {
            let mut stream = respond.send_response(grpc(), false).unwrap();
            stream.send_data(frame(length, b""), false).unwrap();
            // Waits until the client resets the call.
            std::future::poll_fn(|cx| stream.poll_reset(cx)).await.unwrap();
        }
        Reply::Reset(reason) => respond.send_reset(reason),
        Reply::Silence => {
            let reason = std::future::poll_fn(|cx| respond.poll_reset(cx)).await.unwrap();
            let path = format!("{reason:?}");
            let reset = ReceivedCall { connection, path, headers: HeaderMap::new(), body: Vec::new() };
            calls_tx.send(reset).await.unwrap();
        }
    }
}

fn frame(length: u32, message: &[u8]) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(length);
    frame.put_slice(message);
    frame.freeze()
}

fn headers(list: Vec<(&'static str, String)>) -> HeaderMap {
    list.into_iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::try_from(value).unwrap()))
        .collect()
}
