//! A small HTTP server that accepts every request, on a separate thread until the process ends.

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

pub(crate) struct HttpServer {
    address: SocketAddr,
    accepted: Arc<AtomicU64>,
}

impl HttpServer {
    pub(crate) fn start() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let (address, accepted) = (listener.local_addr()?, Arc::new(AtomicU64::new(0)));
        let counter = Arc::clone(&accepted);
        std::thread::Builder::new()
            .name("http target".to_owned())
            .spawn(move || runtime.block_on(serve(&listener, &counter)))?;
        Ok(Self { address, accepted })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/orders", self.address)
    }

    /// The number of complete payloads that the server received.
    pub(crate) fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }
}

async fn serve(listener: &TcpListener, accepted: &Arc<AtomicU64>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(serve_connection(stream, Arc::clone(accepted)))),
            Err(error) => eprintln!("the target could not accept a connection: {error}"),
        }
    }
}

async fn serve_connection(stream: TcpStream, accepted: Arc<AtomicU64>) {
    let service = service_fn(|request: Request<Incoming>| {
        let accepted = Arc::clone(&accepted);
        async move {
            let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes);
            let is_complete = body.is_ok_and(|body| body.len() == PAYLOAD.len());
            let mut answer = Response::new(Empty::<Bytes>::new());
            if is_complete {
                accepted.fetch_add(1, Ordering::Relaxed);
            } else {
                *answer.status_mut() = StatusCode::BAD_REQUEST;
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let is_ready = stream.set_nodelay(true).is_ok();
    // An error is ignored here: the client of a broken connection gets its own error.
    let _ended = is_ready && http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.is_ok();
}
