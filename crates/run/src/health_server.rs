//! Health checks over HTTP, for orchestrators and load balancers.
//!
//! | path | answer |
//! |---|---|
//! | `GET /health/live` | 200 `{"status":"healthy"}` while the process runs |
//! | `GET /health/ready` | 200 or 503, with the body of the check |
//! | all else | 404 |
//!
//! Every connection has its own task and a time limit: a client that is slow, or says nothing, delays no other.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Maximum number of connections at the same time. Further ones wait in the accept queue.
const CONNECTIONS_MAX: usize = 256;

/// How long a client may take for a request, and a check for its answer.
const REQUEST_MAX: Duration = Duration::from_secs(5);
const CHECK_MAX: Duration = Duration::from_secs(10);

/// How long a connection may be open.
const CONNECTION_MAX: Duration = Duration::from_secs(60);

/// How long to wait after a failed accept, which is most likely a lack of file descriptors.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// Decides whether a process is ready for work.
#[async_trait]
pub trait ReadinessCheck: Send + Sync + 'static {
    async fn check(&self) -> Readiness;
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Readiness {
    pub is_ready: bool,
    /// The body of the answer, with a field `status`.
    pub body: Value,
}

/// A server of health checks. Dropping it ends it.
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
    pub async fn start(address: SocketAddr, check: Arc<dyn ReadinessCheck>) -> io::Result<Self> {
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

async fn serve(listener: TcpListener, check: Arc<dyn ReadinessCheck>) {
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
                    // A client that breaks its connection off, or is too slow, is none of our concern.
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

async fn serve_connection(stream: TcpStream, check: Arc<dyn ReadinessCheck>) {
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

async fn answer(
    request: Request<Incoming>,
    check: Arc<dyn ReadinessCheck>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (status, body) = match (request.method(), request.uri().path()) {
        (&Method::GET | &Method::HEAD, "/health/live") => (StatusCode::OK, json!({ "status": "healthy" })),
        (&Method::GET | &Method::HEAD, "/health/ready") => match tokio::time::timeout(CHECK_MAX, check.check()).await {
            Ok(Readiness { is_ready: true, body }) => (StatusCode::OK, body),
            Ok(Readiness { is_ready: false, body }) => (StatusCode::SERVICE_UNAVAILABLE, body),
            Err(_) => {
                let body = json!({ "status": "unhealthy", "problem": "the check did not end in time" });
                (StatusCode::SERVICE_UNAVAILABLE, body)
            }
        },
        _ => (StatusCode::NOT_FOUND, json!({ "status": "not found" })),
    };
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}
