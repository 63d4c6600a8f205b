//! A gRPC server made of frames, so that it can do what a proper one never would.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use h2::server::SendResponse;
use h2::{Reason, RecvStream};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::work::in_time;

/// A call as it came.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) connection: usize,
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    /// The frame of the message: a flag, its length, the message.
    pub(super) body: Vec<u8>,
}

impl Seen {
    pub(super) fn values(&self, name: &str) -> Vec<&str> {
        self.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
    }

    pub(super) fn message(&self) -> &[u8] {
        &self.body[5..]
    }
}

/// What a server does with a call.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// Headers, a message if there is one, and these at the end.
    Trailers {
        message: Option<Bytes>,
        trailers: Vec<(&'static str, String)>,
    },
    /// A status and headers that are no gRPC.
    Http {
        status: u16,
        headers: Vec<(&'static str, String)>,
    },
    /// A header that announces so many bytes, and nothing more.
    Announced(u32),
    Reset(Reason),
    /// Nothing, until the client has enough; what it says then is told as the path of another call.
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
    seen: mpsc::Receiver<Seen>,
}

impl Server {
    pub(super) async fn answering(reply: Reply) -> Self {
        Self::by(move |_| reply.clone()).await
    }

    /// Answers each call by what it says.
    pub(super) async fn by(reply: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (told, seen) = mpsc::channel(1024);
        let reply = Arc::new(reply);
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                let (told, reply) = (told.clone(), Arc::clone(&reply));
                tokio::spawn(async move {
                    let mut calls = h2::server::handshake(stream).await.unwrap();
                    while let Some(Ok((call, respond))) = calls.accept().await {
                        let (told, reply) = (told.clone(), Arc::clone(&reply));
                        tokio::spawn(async move {
                            let seen = read(call, connection).await;
                            let reply = reply(&seen);
                            told.send(seen).await.unwrap();
                            answer(respond, reply, told, connection).await;
                        });
                    }
                });
            }
        });
        Self { url, seen }
    }

    pub(super) async fn seen(&mut self) -> Seen {
        in_time(self.seen.recv()).await.unwrap()
    }
}

async fn read(call: Request<RecvStream>, connection: usize) -> Seen {
    let (head, mut stream) = call.into_parts();
    let mut body = Vec::new();
    while let Some(piece) = stream.data().await {
        let piece = piece.unwrap();
        body.extend_from_slice(&piece);
        stream.flow_control().release_capacity(piece.len()).unwrap();
    }
    Seen { connection, path: head.uri.path().to_owned(), headers: head.headers, body }
}

async fn answer(mut respond: SendResponse<Bytes>, reply: Reply, told: mpsc::Sender<Seen>, connection: usize) {
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
            // The client has heard enough.
            std::future::poll_fn(|cx| stream.poll_reset(cx)).await.unwrap();
        }
        Reply::Reset(reason) => respond.send_reset(reason),
        Reply::Silence => {
            let reason = std::future::poll_fn(|cx| respond.poll_reset(cx)).await.unwrap();
            let path = format!("{reason:?}");
            told.send(Seen { connection, path, headers: HeaderMap::new(), body: Vec::new() }).await.unwrap();
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
