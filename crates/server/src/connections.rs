//! The connections of a server: how many there are, and when each of them ends.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::door::{Place, Router};

/// The first request of a connection comes in this time, or not at all.
const FIRST_TIMEOUT: Duration = Duration::from_secs(30);
/// Between requests, and for the head of each: clients keep connections for a minute and a half without using them.
const IDLE_TIMEOUT: Duration = Duration::from_secs(180);
/// So long a connection on which nothing runs may take to end, once it is told to.
const END_TIMEOUT: Duration = Duration::from_secs(5);
/// Beyond its limit, a server takes so many connections more, for those who ask how it fares: one request each,
const RESERVE: usize = 16;
/// in this time.
const RESERVE_TIMEOUT: Duration = Duration::from_secs(5);
/// After an accept that failed, for lack of descriptors for instance.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// That a server has as many connections as it takes is said once in this time.
const FULL_NOTICE: Duration = Duration::from_secs(60);
const STREAMS_MAX: u32 = 256;
/// What a connection may hold of a head, and of bodies that nobody has asked for yet: none of it is known to be allowed.
const HEAD_BYTES_MAX: usize = 64 << 10;
const STREAM_WINDOW: u32 = 128 << 10;
const CONNECTION_WINDOW: u32 = 256 << 10;

/// Takes connections, and lets them end.
pub(crate) struct Connections {
    router: Arc<Router>,
    tls: Option<TlsAcceptor>,
    connections_max: usize,
    /// Places for ordinary connections, and for all with the reserve.
    ordinary: Arc<Semaphore>,
    all: Arc<Semaphore>,
    protocol: auto::Builder<TokioExecutor>,
    /// Nothing new begins on a connection.
    ending: CancellationToken,
    /// What still runs is cut off.
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

    /// Takes connections until it is told to stop.
    pub(crate) async fn accept(&self, listener: &TcpListener, stop: &CancellationToken) {
        let mut told: Option<Instant> = None;
        loop {
            let one = tokio::select! {
                one = Arc::clone(&self.all).acquire_owned() => one,
                () = stop.cancelled() => return,
            };
            // Nobody closes it.
            let Ok(one) = one else { return };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.cancelled() => return,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            let place = Arc::clone(&self.ordinary).try_acquire_owned().ok();
            if place.is_none() && told.is_none_or(|told| told.elapsed() >= FULL_NOTICE) {
                told = Some(Instant::now());
                tracing::warn!(
                    connections = self.connections_max,
                    "there are as many connections as server.connections_max allows; of others only health and metrics \
                     are answered"
                );
            }
            self.begin(stream, peer, place, one);
        }
    }

    fn begin(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        place: Option<OwnedSemaphorePermit>,
        one: OwnedSemaphorePermit,
    ) {
        prepare(&stream);
        let is_reserve = place.is_none();
        let mut protocol = self.protocol.clone();
        if is_reserve {
            protocol.http1().keep_alive(false);
        }
        let connection = Connection {
            router: Arc::clone(&self.router),
            protocol,
            ending: self.ending.clone(),
            peer,
            place: if is_reserve { Place::Reserve } else { Place::Ordinary },
        };
        let (tls, cut) = (self.tls.clone(), self.cut.clone());
        self.open.spawn(async move {
            tokio::select! {
                () = connection.accept(stream, tls) => {}
                () = cut.cancelled() => {}
                () = tokio::time::sleep(RESERVE_TIMEOUT), if is_reserve => {}
            }
            drop((place, one));
        });
    }

    /// Waits until every connection has ended, and cuts those that are still busy after the time of grace.
    pub(crate) async fn end(&self, grace: Duration) {
        self.open.close();
        if tokio::time::timeout(grace, self.open.wait()).await.is_err() {
            tracing::warn!("connections were still busy at the end of the time of grace, and are cut");
            self.cut.cancel();
        }
    }
}

/// One connection, whatever lies under it.
struct Connection {
    router: Arc<Router>,
    protocol: auto::Builder<TokioExecutor>,
    ending: CancellationToken,
    peer: SocketAddr,
    place: Place,
}

impl Connection {
    async fn accept(self, stream: TcpStream, tls: Option<TlsAcceptor>) {
        let Some(tls) = tls else { return self.serve(stream).await };
        match tokio::time::timeout(FIRST_TIMEOUT, tls.accept(stream)).await {
            Ok(Ok(stream)) => self.serve(stream).await,
            Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
            Err(_) => tracing::debug!("a TLS handshake took too long"),
        }
    }

    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let Self { router, protocol, ending, peer, place } = self;
        let activity = Arc::new(Activity::new());
        let requests = Arc::clone(&activity);
        let service = service_fn(move |request| {
            let running = requests.begin();
            let answer = Arc::clone(&router).answer(request, peer, place);
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
                // Whoever is about to ask for something is told, and connects again.
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection => ended,
                    () = activity.unused() => return,
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection broke");
        }
    }
}

/// Whether requests run on a connection, and since when none does.
#[derive(Debug)]
struct Activity {
    opened: Instant,
    running: AtomicU32,
    /// In milliseconds after it was opened; nothing until the first request has ended.
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

    /// Waits until nobody has asked for anything for too long.
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

    /// Waits until nothing runs that would still be answered.
    async fn unused(&self) {
        loop {
            tokio::time::sleep(END_TIMEOUT).await;
            if self.running.load(Ordering::Acquire) == 0 {
                return;
            }
        }
    }
}

/// A request that is being worked on.
struct Running(Arc<Activity>);

impl Drop for Running {
    fn drop(&mut self) {
        let Activity { opened, running, idle_since } = &*self.0;
        let now = u64::try_from(opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        idle_since.store(now.max(1), Ordering::Relaxed);
        running.fetch_sub(1, Ordering::Release);
    }
}

/// Answers are small and somebody waits for them.
fn prepare(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays without TCP_NODELAY");
    }
}
