//! A server of health checks, for processes that serve nothing else.
//!
//! Every connection has its own task and a time limit: a client that is slow, or says nothing, delays no other.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::{HealthCheck, HealthFormat, HealthPage};

/// Maximum number of connections at the same time. Further ones wait in the accept queue.
const CONNECTIONS_MAX: usize = 256;

/// How long a client may take for a request.
const REQUEST_MAX: Duration = Duration::from_secs(5);

/// How long a connection may be open.
const CONNECTION_MAX: Duration = Duration::from_secs(60);

/// How long to wait after a failed accept, which is most likely a lack of file descriptors.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// A server of the pages [`Live`](HealthPage::Live) and [`Ready`](HealthPage::Ready). Dropping it ends it.
#[derive(Debug)]
pub struct HealthServer {
    address: SocketAddr,
    _task: JoinSet<()>,
}

impl HealthServer {
    /// Listens on an address; with port 0, on any free port.
    ///
    /// # Errors
    ///
    /// If the address cannot be listened on.
    pub async fn start(address: SocketAddr, check: Arc<dyn HealthCheck>) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let mut task = JoinSet::new();
        task.spawn(serve(listener, check));
        Ok(Self { address, _task: task })
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

async fn serve(listener: TcpListener, check: Arc<dyn HealthCheck>) {
    let slots = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut connections = JoinSet::new();
    loop {
        // The semaphore is never closed.
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let check = Arc::clone(&check);
                connections.spawn(async move {
                    let _slot = slot;
                    // An error here is one of the client: it closed the connection, or was too slow.
                    let _ended = tokio::time::timeout(CONNECTION_MAX, serve_connection(stream, check)).await;
                });
            }
            Err(error) => {
                tracing::warn!(%error, "accept failed");
                tokio::time::sleep(ACCEPT_AGAIN_AFTER).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn serve_connection(stream: TcpStream, check: Arc<dyn HealthCheck>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&check)));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_MAX)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = served.await {
        tracing::debug!(%error, "health check ended early");
    }
}

async fn answer(request: Request<Incoming>, check: Arc<dyn HealthCheck>) -> Result<Response<Full<Bytes>>, Infallible> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let page = HealthPage::at(request.uri().path()).filter(|page| is_read && *page != HealthPage::Overall);
    Ok(match page {
        Some(page) => page.answer(&*check, HealthFormat::Json).await,
        None => {
            let mut response = Response::new(Full::from(r#"{"status":"not found"}"#));
            *response.status_mut() = StatusCode::NOT_FOUND;
            response
        }
    })
}
