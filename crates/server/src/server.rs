//! Listening, and ending well.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use redrive_store::{Clock, Store};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::settings::Settings;

/// The head of a request comes in this time, or not at all.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// After an accept that failed, for lack of descriptors for instance.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
const STREAMS_MAX: u32 = 256;

/// A server that listens, and does not serve yet.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
}

/// A server could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("cannot listen at {address}; choose another address, or stop whoever listens there")]
    Listen { address: SocketAddr, source: std::io::Error },
}

impl Server {
    /// Listens at the address of the settings. The clock must be the store's own.
    pub async fn bind(settings: Settings, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let address = settings.listen;
        let failed = |source| StartError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { app: Arc::new(App::new(settings, store, clock)), listener, address })
    }

    /// Where it listens; with port 0 in the settings, this says which one it is.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until it is told to stop. Then no more connections are taken, waiting leases end with a clear code, and
    /// whoever is under way has the time of grace to end. The store is left open.
    pub async fn serve(self, stop: CancellationToken) {
        let Self { app, listener, .. } = self;
        let places = Arc::new(Semaphore::new(app.settings.connections_max));
        let connections = GracefulShutdown::new();
        let mut protocol = auto::Builder::new(TokioExecutor::new());
        protocol.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
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
            let stream = match stream {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            };
            prepare(&stream);
            let app = Arc::clone(&app);
            let service = service_fn(move |request| Arc::clone(&app).answer(request));
            let connection = protocol.serve_connection(TokioIo::new(stream), service).into_owned();
            let connection = connections.watch(connection);
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection broke");
                }
                drop(place);
            });
        }
        drop(listener);
        app.closing.cancel();
        let grace = Duration::from(app.settings.shutdown_grace);
        if tokio::time::timeout(grace, connections.shutdown()).await.is_err() {
            tracing::warn!("connections were still busy at the end of the time of grace, and are cut");
        }
    }
}

/// Answers are small and somebody waits for them.
fn prepare(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection stays without TCP_NODELAY");
    }
}
