//! Starting a server, serving and shutting down.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use redrive_core::{Invalid, NamespaceName, QueueName};
use redrive_run::Processor;
use redrive_store::{Clock, Store, StoreError};
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::connections::Connections;
use crate::http::{Router, Routes};
#[cfg(feature = "search")]
use crate::letter_index::LetterIndex;
use crate::metrics::Metrics;
use crate::routes::ServerRoutes;
use crate::settings::Settings;
use crate::tenancy::{AdminKey, AdminKeyError};
#[cfg(feature = "test-mode")]
use crate::test_mode::{self, TestMode};
use crate::tls::{self, TlsError};

/// A server that listens but does not serve yet: see [`serve`](Self::serve).
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
    router: Arc<Router>,
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<Arc<ServerConfig>>,
    admin_key: Option<AdminKey>,
    #[cfg(feature = "test-mode")]
    control: Option<(TestMode, TcpListener, SocketAddr)>,
}

/// A server could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("cannot listen at {address}; choose another address, or stop the process that listens there")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[cfg(feature = "test-mode")]
    #[error("the control listener is for tests on this machine; {0} is not a loopback address")]
    ControlNotLoopback(SocketAddr),
    #[error("cannot serve over TLS")]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Setting(#[from] Invalid),
    #[error(transparent)]
    AdminKey(#[from] AdminKeyError),
    #[error("the server could not prepare its store")]
    Bootstrap(#[from] StoreError),
}

impl Server {
    /// Listens at the address of the settings and bootstraps the store. `clock` must be the clock that the store uses.
    pub fn bind(
        settings: Settings,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
    ) -> BoxFuture<'static, Result<Self, StartError>> {
        Box::pin(async move {
            let address = settings.listen;
            let (tls, admin_key) = settings.checked()?;
            let (listener, address) = listen(address).await?;
            let routes = Routes::new(&settings);
            let app = Arc::new(App::new(settings, store, clock, Metrics::new(&routes.paths())));
            app.audit.lock().await.begin(&*app.store, app.deadlines.now()).await?;
            let is_key_new = app.bootstrap(Some(&admin_key)).await?;
            let router = Arc::new(Router::new(Arc::clone(&app), routes));
            let admin_key = is_key_new.then_some(admin_key);
            Ok(Self {
                app,
                router,
                listener,
                address,
                tls,
                admin_key,
                #[cfg(feature = "test-mode")]
                control: None,
            })
        })
    }

    /// Adds the control listener of test mode. The server must have been bound with the same clock and store.
    ///
    /// # Errors
    ///
    /// [`StartError::ControlNotLoopback`] if the address is not a loopback address.
    #[cfg(feature = "test-mode")]
    pub async fn with_test_mode(self, mode: TestMode) -> Result<Self, StartError> {
        if !mode.listen.ip().is_loopback() {
            return Err(StartError::ControlNotLoopback(mode.listen));
        }
        let (listener, address) = listen(mode.listen).await?;
        Ok(Self { control: Some((mode, listener, address)), ..self })
    }

    /// Uses a processor for manual retries, and exposes its state and metrics. The owner of the processor starts and
    /// stops it.
    #[must_use]
    pub fn with_processor(self, processor: Arc<Processor>) -> Self {
        // A server has one processor: the first one stays.
        let _set = self.app.processor.set(processor);
        self
    }

    /// Sets the namespaces in which queues of the processor are created, if it is not `_system`: the overview shows a
    /// missing queue to those who may see the queues of its namespace.
    #[must_use]
    pub fn with_target_namespaces(self, namespaces: BTreeMap<QueueName, NamespaceName>) -> Self {
        let _set = self.app.target_namespaces.set(namespaces);
        self
    }

    /// Uses a search index for letters, and exposes its state and metrics. Captures wait for it in
    /// [`CaptureMode::Strict`](crate::CaptureMode::Strict). The owner of the projection starts and stops it.
    #[cfg(feature = "search")]
    #[must_use]
    pub fn with_index(self, index: LetterIndex) -> Self {
        // A server has one index: the first one stays.
        let _set = self.app.index.set(index);
        self
    }

    /// Offers routes to callers. The owner of the routes stops them.
    #[must_use]
    pub fn with_routes(self, routes: Arc<ServerRoutes>) -> Self {
        // A server has one set of routes: the first one stays.
        let _set = self.app.routes.set(routes);
        self
    }

    /// Creates a namespace if it does not exist. Returns whether it was created.
    pub async fn ensure_namespace(&self, name: &NamespaceName) -> Result<bool, StoreError> {
        self.app.ensure_namespace(name).await
    }

    /// The administrator's API key, if this start created one. The server stores only its hash, so this is the only
    /// time that it is available.
    pub const fn take_admin_key(&mut self) -> Option<AdminKey> {
        self.admin_key.take()
    }

    /// The address of the control listener, in test mode.
    #[cfg(feature = "test-mode")]
    pub fn control_address(&self) -> Option<SocketAddr> {
        self.control.as_ref().map(|(_, _, address)| *address)
    }

    /// The address at which the server listens; with port 0 in the settings, it has the port that was assigned.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is cancelled, then shuts down: the server accepts no more connections, waiting leases end
    /// with the code for a shutdown, and other requests have the grace period to finish. Manual retries have the time
    /// limits of the processor. The store stays open.
    pub fn serve(self, stop: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            #[cfg(feature = "test-mode")]
            if let Some((mode, listener, _)) = self.control {
                tokio::spawn(test_mode::serve(Arc::clone(&self.app), mode, listener, stop.clone()));
            }
            let Self { app, router, listener, tls, .. } = self;
            let recording = Arc::clone(&app);
            tokio::spawn(async move { recording.record_retention_until_shutdown().await });
            let keeping = Arc::clone(&app);
            tokio::spawn(async move { keeping.keep_runs_until_shutdown().await });
            let (most, closing) = (app.settings.connections_max, app.closing.clone());
            let connections = Connections::new(router, tls.map(TlsAcceptor::from), most, closing);
            connections.accept(&listener, &stop).await;
            drop(listener);
            app.closing.cancel();
            connections.end(Duration::from(app.settings.shutdown_grace)).await;
            // The store may be closed after this, and an act that has begun still has to write its audit record.
            app.acts.close();
            app.acts.wait().await;
        })
    }
}

impl Settings {
    /// Checks the settings, and reads the files that they name.
    fn checked(&self) -> Result<(Option<Arc<ServerConfig>>, AdminKey), StartError> {
        self.check_values()?;
        let tls = self.tls.as_ref().map(tls::config).transpose()?;
        let admin_key = AdminKey::read_or_new(self.admin_key_file.as_deref(), &self.key_prefix)?;
        Ok((tls, admin_key))
    }

    /// Checks the settings as [`Server::bind`] does: their values, and that the files which they name can be read and
    /// used. It listens nowhere, and needs no store.
    pub fn check(&self) -> Result<(), StartError> {
        self.checked().map(drop)
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |source| StartError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}
