//! The connections of a server: their limit, their timeouts and their shutdown.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::http::{ConnectionKind, Router};

/// Time for the TLS handshake of a connection, and after it for the first request.
const FIRST_TIMEOUT: Duration = Duration::from_secs(30);
/// Time between two requests, and for the head of each. Clients keep idle connections for up to 90 seconds.
const IDLE_TIMEOUT: Duration = Duration::from_secs(180);
/// Time that a connection without a running request gets to close after a graceful shutdown of it began.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Connections accepted beyond `connections_max`, for health checks and metrics only: one request each.
const RESERVE: usize = 16;
/// Lifetime of a connection of the reserve.
const RESERVE_TIMEOUT: Duration = Duration::from_secs(5);
/// Delay after a failed accept, for instance for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Minimum time between two log events about the connection limit.
const FULL_LOG_INTERVAL: Duration = Duration::from_secs(60);
/// Bytes that are read, and ignored, of a request without TLS on a port that requires it.
const REJECTED_BYTES_MAX: usize = 64 << 10;
const STREAMS_MAX: u32 = 256;
/// Bytes that a connection may buffer of a head, and of bodies before they are read. The caller of these bytes is not
/// authorized yet.
const HEAD_BYTES_MAX: usize = 64 << 10;
const STREAM_WINDOW: u32 = 128 << 10;
const CONNECTION_WINDOW: u32 = 256 << 10;

/// Accepts connections, serves them and closes them.
pub(crate) struct Connections {
    router: Arc<Router>,
    tls: Option<TlsAcceptor>,
    connections_max: usize,
    /// Permits for ordinary connections, and for all connections including the reserve.
    ordinary: Arc<Semaphore>,
    all: Arc<Semaphore>,
    protocol: auto::Builder<TokioExecutor>,
    /// Cancelled at shutdown: connections finish their running requests and accept no more.
    ending: CancellationToken,
    /// Cancelled at the end of the grace period: running requests are aborted.
    cut: CancellationToken,
    open: TaskTracker,
}

impl Connections {
    pub(crate) fn new(
        router: Arc<Router>,
        tls: Option<TlsAcceptor>,
        connections_max: usize,
        ending: CancellationToken,
    ) -> Self {
        let mut protocol = auto::Builder::new(TokioExecutor::new());
        protocol.http1().timer(TokioTimer::new()).header_read_timeout(IDLE_TIMEOUT).max_buf_size(HEAD_BYTES_MAX);
        protocol
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(STREAMS_MAX)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW);
        Self {
            router,
            tls,
            connections_max,
            ordinary: Arc::new(Semaphore::new(connections_max)),
            all: Arc::new(Semaphore::new(connections_max.saturating_add(RESERVE).min(Semaphore::MAX_PERMITS))),
            protocol,
            ending,
            cut: CancellationToken::new(),
            open: TaskTracker::new(),
        }
    }

    /// Accepts connections until `stop` is cancelled.
    pub(crate) async fn accept(&self, listener: &TcpListener, stop: &CancellationToken) {
        let mut last_logged: Option<Instant> = None;
        loop {
            let any_permit = tokio::select! {
                permit = Arc::clone(&self.all).acquire_owned() => permit,
                () = stop.cancelled() => return,
            };
            // The semaphore is never closed.
            let Ok(any_permit) = any_permit else { return };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.cancelled() => return,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "accept failed");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let ordinary_permit = Arc::clone(&self.ordinary).try_acquire_owned().ok();
            if ordinary_permit.is_none() && last_logged.is_none_or(|logged| logged.elapsed() >= FULL_LOG_INTERVAL) {
                last_logged = Some(Instant::now());
                tracing::warn!(
                    connections = self.connections_max,
                    "server.connections_max reached; further connections get health and metrics only"
                );
            }
            self.begin(stream, peer, ordinary_permit, any_permit);
        }
    }

    fn begin(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        ordinary_permit: Option<OwnedSemaphorePermit>,
        any_permit: OwnedSemaphorePermit,
    ) {
        set_nodelay(&stream);
        let is_reserve = ordinary_permit.is_none();
        let mut protocol = self.protocol.clone();
        if is_reserve {
            protocol.http1().keep_alive(false);
        }
        let connection = Connection {
            router: Arc::clone(&self.router),
            protocol,
            ending: self.ending.clone(),
            peer,
            kind: if is_reserve { ConnectionKind::Reserve } else { ConnectionKind::Ordinary },
        };
        let (tls, cut) = (self.tls.clone(), self.cut.clone());
        self.open.spawn(async move {
            tokio::select! {
                () = connection.accept(stream, tls) => {}
                () = cut.cancelled() => {}
                () = tokio::time::sleep(RESERVE_TIMEOUT), if is_reserve => {}
            }
            drop((ordinary_permit, any_permit));
        });
    }

    /// Waits until every connection has closed, and aborts those that are still busy after the grace period.
    pub(crate) async fn end(&self, grace: Duration) {
        self.open.close();
        if tokio::time::timeout(grace, self.open.wait()).await.is_err() {
            tracing::warn!("aborted connections that were busy at the end of the grace period");
            self.cut.cancel();
        }
    }
}

/// One connection, with or without TLS.
struct Connection {
    router: Arc<Router>,
    protocol: auto::Builder<TokioExecutor>,
    ending: CancellationToken,
    peer: SocketAddr,
    kind: ConnectionKind,
}

impl Connection {
    async fn accept(self, stream: TcpStream, tls: Option<TlsAcceptor>) {
        let Some(tls) = tls else { return self.serve(stream).await };
        let handshake = async {
            if is_without_tls(&stream).await? {
                return require_tls(stream).await.map(|()| None);
            }
            tls.accept(stream).await.map(Some)
        };
        match tokio::time::timeout(FIRST_TIMEOUT, handshake).await {
            Ok(Ok(Some(stream))) => self.serve(stream).await,
            Ok(Ok(None)) => tracing::debug!("rejected a request without TLS"),
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => tracing::debug!("TLS handshake timed out"),
        }
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let Self { router, protocol, ending, peer, kind } = self;
        let activity = Arc::new(Activity::new());
        let requests = Arc::clone(&activity);
        let service = service_fn(move |request| {
            let running = requests.begin();
            let answer = Arc::clone(&router).answer(request, peer, kind);
            async move {
                let answer = answer.await;
                drop(running);
                answer
            }
        });
        let connection = protocol.serve_connection(TokioIo::new(stream), service);
        tokio::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = ending.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
            () = activity.idle() => {
                // A graceful shutdown, so that a client which is about to send a request sees it and reconnects.
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection => ended,
                    () = activity.unused() => return,
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "connection failed");
        }
    }
}

/// Whether a connection begins with the method of an HTTP request. A TLS handshake begins with the byte 22.
async fn is_without_tls(stream: &TcpStream) -> io::Result<bool> {
    let mut first = [0];
    let count = stream.peek(&mut first).await?;
    Ok(count > 0 && first[0].is_ascii_uppercase())
}

/// Answers a request without TLS on a port that requires it.
async fn require_tls(mut stream: TcpStream) -> io::Result<()> {
    let body = r#"{"code":426,"code_text":"Upgrade Required","message":"this port uses TLS; use https:// instead of http://"}"#;
    let head = "HTTP/1.1 426 Upgrade Required\r\nupgrade: TLS/1.2\r\nconnection: upgrade, close\r\n";
    let answer = format!("{head}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}\n", body.len() + 1);
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Closing a connection with unread bytes resets it, and the client may lose the answer.
    let mut ignored = [0; 4096];
    let mut left = REJECTED_BYTES_MAX;
    while left > 0 {
        match stream.read(&mut ignored).await? {
            0 => break,
            count => left = left.saturating_sub(count),
        }
    }
    Ok(())
}

/// How many requests run on a connection, and since when it is idle.
#[derive(Debug)]
struct Activity {
    opened: Instant,
    running: AtomicU32,
    /// In milliseconds after the opening; 0 until the first request has ended.
    idle_since: AtomicU64,
}

impl Activity {
    fn new() -> Self {
        Self { opened: Instant::now(), running: AtomicU32::new(0), idle_since: AtomicU64::new(0) }
    }

    fn begin(self: &Arc<Self>) -> Running {
        self.running.fetch_add(1, Ordering::Relaxed);
        Running(Arc::clone(self))
    }

    /// Waits until the connection has been idle for longer than its timeout.
    async fn idle(&self) {
        loop {
            let left = match (self.running.load(Ordering::Acquire), self.idle_since.load(Ordering::Relaxed)) {
                (0, 0) => FIRST_TIMEOUT.saturating_sub(self.opened.elapsed()),
                (0, since) => (Duration::from_millis(since) + IDLE_TIMEOUT).saturating_sub(self.opened.elapsed()),
                _ => IDLE_TIMEOUT,
            };
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left).await;
        }
    }

    /// Waits until no request runs on the connection.
    async fn unused(&self) {
        loop {
            tokio::time::sleep(END_TIMEOUT).await;
            if self.running.load(Ordering::Acquire) == 0 {
                return;
            }
        }
    }
}

/// Counts a request as running until it is dropped.
struct Running(Arc<Activity>);

impl Drop for Running {
    fn drop(&mut self) {
        let Activity { opened, running, idle_since } = &*self.0;
        let now = u64::try_from(opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        idle_since.store(now.max(1), Ordering::Relaxed);
        running.fetch_sub(1, Ordering::Release);
    }
}

/// Disables Nagle's algorithm: answers are small and clients wait for them.
fn set_nodelay(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "setting TCP_NODELAY failed");
    }
}
