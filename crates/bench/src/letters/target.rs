//! A small HTTP server that takes everything: on a thread of its own, for as long as the process lives.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};

use crate::plain::PAYLOAD;

pub(super) struct HttpServer {
    address: SocketAddr,
    taken: Arc<AtomicU64>,
}

impl HttpServer {
    pub(super) fn start() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let (address, taken) = (listener.local_addr()?, Arc::new(AtomicU64::new(0)));
        let counter = Arc::clone(&taken);
        std::thread::Builder::new()
            .name("http target".to_owned())
            .spawn(move || runtime.block_on(serve(&listener, &counter)))?;
        Ok(Self { address, taken })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/orders", self.address)
    }

    /// How many whole payloads it was given.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }
}

async fn serve(listener: &TcpListener, taken: &Arc<AtomicU64>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(converse(stream, Arc::clone(taken)))),
            Err(error) => eprintln!("the target could not accept a connection: {error}"),
        }
    }
}

async fn converse(stream: TcpStream, taken: Arc<AtomicU64>) {
    let service = service_fn(|request: Request<Incoming>| {
        let taken = Arc::clone(&taken);
        async move {
            let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes);
            let is_whole = body.is_ok_and(|body| body.len() == PAYLOAD.len());
            let mut answer = Response::new(Empty::<Bytes>::new());
            if is_whole {
                taken.fetch_add(1, Ordering::Relaxed);
            } else {
                *answer.status_mut() = StatusCode::BAD_REQUEST;
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let is_served = stream.set_nodelay(true).is_ok();
    // Whoever breaks a conversation off sees that himself, as an error of his own.
    let _ended = is_served && http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.is_ok();
}
