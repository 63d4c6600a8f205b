//! Listening, and ending well.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use redrive_core::Invalid;
use redrive_run::Processor;
use redrive_store::{Clock, Store, StoreError};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::door::{Router, Routes};
use crate::letter_index::LetterIndex;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::test_mode::{self, TestMode};
use crate::tls::{self, TlsError};

/// The first request of a connection comes in this time, or not at all.
const FIRST_TIMEOUT: Duration = Duration::from_secs(30);
/// Between requests, and for the head of each: clients keep connections for a minute and a half without using them.
const IDLE_TIMEOUT: Duration = Duration::from_secs(180);
/// After an accept that failed, for lack of descriptors for instance.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
const STREAMS_MAX: u32 = 256;

/// A server that listens, and does not serve yet.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
    router: Arc<Router>,
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<Arc<ServerConfig>>,
    control: Option<(TestMode, TcpListener, SocketAddr)>,
}

/// A server could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("cannot listen at {address}; choose another address, or stop whoever listens there")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error("the control listener is for tests on this machine; {0} is no loopback address")]
    ControlNotLoopback(SocketAddr),
    #[error("cannot serve over TLS")]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Setting(#[from] Invalid),
    #[error("the server could not prepare its store")]
    Bootstrap(#[from] StoreError),
}

impl Server {
    /// Listens at the address of the settings, and makes what a server needs in its store. The clock must be the store's
    /// own.
    pub async fn bind(settings: Settings, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        settings.check()?;
        let address = settings.listen;
        let tls = settings.tls.as_ref().map(tls::config).transpose()?;
        let (listener, address) = listen(address).await?;
        let routes = Routes::new(&settings);
        let app = Arc::new(App::new(settings, store, clock, Metrics::new(&routes.paths())));
        app.audit.begin(&*app.store, app.deadlines.now()).await?;
        app.bootstrap().await?;
        let router = Arc::new(Router::new(Arc::clone(&app), routes));
        Ok(Self { app, router, listener, address, tls, control: None })
    }

    /// Has it listen to a test, too. The server must have been bound with the same clock and store.
    pub async fn with_test_mode(self, mode: TestMode) -> Result<Self, StartError> {
        if !mode.listen.ip().is_loopback() {
            return Err(StartError::ControlNotLoopback(mode.listen));
        }
        let (listener, address) = listen(mode.listen).await?;
        Ok(Self { control: Some((mode, listener, address)), ..self })
    }

    /// Has it retry letters by hand with this, too, and tell how it fares. Whoever made it starts and stops it.
    #[must_use]
    pub fn with_processor(self, processor: Arc<Processor>) -> Self {
        // Only the first counts: there is one.
        let _set = self.app.processor.set(processor);
        self
    }

    /// Has it search letters there, tell how the projection fares, and have captures wait for it where they must. Whoever
    /// made it starts and stops it.
    #[must_use]
    pub fn with_index(self, index: LetterIndex) -> Self {
        // Only the first counts: there is one.
        let _set = self.app.index.set(index);
        self
    }

    /// Where a test is listened to.
    pub fn control_address(&self) -> Option<SocketAddr> {
        self.control.as_ref().map(|(_, _, address)| *address)
    }

    /// Where it listens; with port 0 in the settings, this says which one it is.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is told to stop. Then no more connections are taken, waiting leases end with a clear code, and
    /// whoever is under way has the time of grace to end; letters that are being retried by hand have the processor's time.
    /// The store is left open.
    pub async fn serve(self, stop: CancellationToken) {
        let Self { app, router, listener, control, tls, .. } = self;
        let tls = tls.map(TlsAcceptor::from);
        if let Some((mode, listener, _)) = control {
            tokio::spawn(test_mode::serve(Arc::clone(&app), mode, listener, stop.clone()));
        }
        let recording = Arc::clone(&app);
        tokio::spawn(async move { recording.keep_recording_forgotten().await });
        let places = Arc::new(Semaphore::new(app.settings.connections_max));
        let connections = GracefulShutdown::new();
        let cut = CancellationToken::new();
        let mut protocol = auto::Builder::new(TokioExecutor::new());
        protocol.http1().timer(TokioTimer::new()).header_read_timeout(IDLE_TIMEOUT);
        protocol.http2().timer(TokioTimer::new()).max_concurrent_streams(STREAMS_MAX);
        loop {
            let place = tokio::select! {
                place = Arc::clone(&places).acquire_owned() => place,
                () = stop.cancelled() => break,
            };
            // Nobody closes it.
            let Ok(place) = place else { break };
            let stream = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.cancelled() => break,
            };
            let (stream, peer) = match stream {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            prepare(&stream);
            let (router, protocol, watcher) = (Arc::clone(&router), protocol.clone(), connections.watcher());
            let connection = Connection { router, protocol, watcher, peer };
            let (tls, cut) = (tls.clone(), cut.clone());
            tokio::spawn(async move {
                tokio::select! {
                    () = connection.accept(stream, tls) => {}
                    () = cut.cancelled() => {}
                }
                drop(place);
            });
        }
        drop(listener);
        app.closing.cancel();
        let grace = Duration::from(app.settings.shutdown_grace);
        if tokio::time::timeout(grace, connections.shutdown()).await.is_err() {
            tracing::warn!("connections were still busy at the end of the time of grace, and are cut");
            cut.cancel();
        }
        // The store is closed after this, and an act that was begun has its record to write.
        app.acts.close();
        app.acts.wait().await;
    }
}

/// One connection, whatever lies under it.
struct Connection {
    router: Arc<Router>,
    protocol: auto::Builder<TokioExecutor>,
    watcher: Watcher,
    peer: SocketAddr,
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
        let Self { router, protocol, watcher, peer } = self;
        let begun = CancellationToken::new();
        let begins = begun.clone();
        let service = service_fn(move |request| {
            begins.cancel();
            Arc::clone(&router).answer(request, peer)
        });
        let connection = protocol.serve_connection(TokioIo::new(stream), service).into_owned();
        let connection = watcher.watch(connection);
        tokio::pin!(connection);
        // Whoever never asks for anything would hold a place for ever.
        let ended = tokio::select! {
            ended = &mut connection => ended,
            begun = tokio::time::timeout(FIRST_TIMEOUT, begun.cancelled()) => match begun {
                Ok(()) => connection.await,
                Err(_) => return tracing::debug!("a connection never asked for anything"),
            },
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection broke");
        }
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |source| StartError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Answers are small and somebody waits for them.
fn prepare(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays without TCP_NODELAY");
    }
}
