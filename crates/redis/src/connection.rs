//! Connections: a shared one for commands, and separate ones for commands that block.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig, MultiplexedConnection};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::{
    AsyncConnectionConfig, Client, ClientTlsConfig, Cmd, ConnectionAddr, ConnectionInfo, ErrorKind, IntoConnectionInfo,
    ServerErrorKind, TlsCertificates, Value,
};
use tokio::time::sleep;

use crate::error::RedisError;
use crate::scripts::StoredScript;
use crate::settings::RedisSettings;

/// The pauses between repetitions of an operation.
const PAUSE_MIN: Duration = Duration::from_millis(10);
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// The connections to a server or a cluster.
pub(crate) struct Connections {
    settings: RedisSettings,
    target: Target,
    shared: Mutex<Shared>,
    /// Blocking connections that no receive uses now.
    idle: Mutex<Vec<Blocking>>,
}

/// How many idle blocking connections are kept.
const IDLE_MAX: usize = 64;

enum Target {
    Server(Box<Client>),
    Cluster(Box<ClusterClients>),
}

/// Clients of a cluster, which differ in how long they wait for an answer.
struct ClusterClients {
    commands: ClusterClient,
    blocking: ClusterClient,
}

/// The connection for commands. Clones share it.
#[derive(Clone)]
enum Shared {
    Server(ConnectionManager),
    Cluster(ClusterConnection),
}

/// A connection for commands that block.
pub(crate) enum Blocking {
    Server(MultiplexedConnection),
    Cluster(ClusterConnection),
}

type ClientResult<T> = Result<T, redis::RedisError>;

impl Connections {
    pub(crate) async fn open(settings: RedisSettings) -> Result<Self, RedisError> {
        let target = Target::new(&settings)?;
        let shared = target.shared(&settings).await.map_err(|error| RedisError::at_start(&error))?;
        Ok(Self { settings, target, shared: Mutex::new(shared), idle: Mutex::default() })
    }

    pub(crate) fn settings(&self) -> &RedisSettings {
        &self.settings
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a command, once.
    pub(crate) async fn run(&self, command: &Cmd) -> ClientResult<Value> {
        let shared = self.lock().clone();
        match shared {
            Shared::Server(mut connection) => command.query_async(&mut connection).await,
            Shared::Cluster(mut connection) => command.query_async(&mut connection).await,
        }
    }

    /// Calls a script, and repeats it after errors of the connection or of a failover. The call carries an operation id,
    /// so that a repetition changes nothing if the first one took effect.
    pub(crate) async fn call(&self, script: &StoredScript, keys: &[&str], values: &[&[u8]]) -> ClientResult<Value> {
        let give_up = tokio::time::Instant::now() + self.settings.retry_for;
        let mut pause = PAUSE_MIN;
        loop {
            let error = match self.call_once(script, keys, values).await {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            if !is_temporary(&error) || tokio::time::Instant::now() + pause >= give_up {
                return Err(error);
            }
            tracing::debug!(script = script.name, %error, "operation is repeated");
            if matches!(error.kind(), ErrorKind::Server(ServerErrorKind::ReadOnly)) {
                self.reconnect().await;
            }
            sleep(pause).await;
            pause = pause.saturating_mul(2).min(PAUSE_MAX);
        }
    }

    async fn call_once(&self, script: &StoredScript, keys: &[&str], values: &[&[u8]]) -> ClientResult<Value> {
        let called = self.run(&call(b"EVALSHA", &script.hash, keys, values)).await;
        match called {
            // The server was restarted, or its scripts were flushed. This also stores the script again.
            Err(error) if matches!(error.kind(), ErrorKind::Server(ServerErrorKind::NoScript)) => {
                self.run(&call(b"EVAL", &script.code, keys, values)).await
            }
            called => called,
        }
    }

    /// Replaces the connection: its server has become a replica, and the address may lead to the new master.
    async fn reconnect(&self) {
        match self.target.shared(&self.settings).await {
            Ok(new) => *self.lock() = new,
            Err(error) => tracing::warn!(%error, "reconnect failed"),
        }
    }

    /// Waits until the list has an element, and removes it. Returns early with an error if the connection breaks.
    pub(crate) async fn block_on(&self, key: &str, most: Duration) -> ClientResult<()> {
        let idle = self.idle().pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => self.target.blocking(&self.settings).await?,
        };
        // A timeout of zero would block forever.
        let seconds = most.max(Duration::from_millis(1)).as_secs_f64();
        let mut command = Cmd::new();
        command.arg("BLPOP").arg(key).arg(seconds);
        // If this future is dropped here, the connection is dropped with it: its next answer belongs to nobody.
        match &mut connection {
            Blocking::Server(connection) => command.query_async::<Value>(connection).await?,
            Blocking::Cluster(connection) => command.query_async::<Value>(connection).await?,
        };
        let mut idle = self.idle();
        if idle.len() < IDLE_MAX {
            idle.push(connection);
        }
        Ok(())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Blocking>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_cluster(&self) -> bool {
        matches!(self.target, Target::Cluster(_))
    }
}

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connections").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Target {
    fn new(settings: &RedisSettings) -> Result<Self, RedisError> {
        // Fails if the program has installed a provider before, which is then used.
        let _installed = rustls::crypto::aws_lc_rs::default_provider().install_default();
        if settings.namespace.contains(|c: char| matches!(c, '{' | '}') || c.is_control()) {
            return Err(RedisError::Namespace(settings.namespace.escape_debug().to_string()));
        }
        let nodes: Vec<ConnectionInfo> =
            settings.urls.iter().map(|url| address(url, settings)).collect::<Result<_, _>>()?;
        let Some(first) = nodes.first() else { return Err(RedisError::Address("there is none".to_owned())) };
        let certificates = has_tls(first).then(|| certificates(settings));
        let error = |error: redis::RedisError| RedisError::at_start(&error);
        if !settings.is_cluster {
            let client = match certificates {
                Some(certificates) => Client::build_with_tls(first.clone(), certificates),
                None => Client::open(first.clone()),
            };
            return Ok(Self::Server(Box::new(client.map_err(error)?)));
        }
        let build = |response_timeout: Duration| {
            let mut builder = ClusterClient::builder(nodes.clone())
                .connection_timeout(settings.connect_timeout)
                .response_timeout(response_timeout)
                .overall_response_timeout(None)
                .retries(3);
            if let Some(certificates) = certificates.clone() {
                builder = builder.certs(certificates);
            }
            builder.build().map_err(error)
        };
        let blocking = build(settings.block_for.saturating_add(settings.response_timeout))?;
        Ok(Self::Cluster(Box::new(ClusterClients { commands: build(settings.response_timeout)?, blocking })))
    }

    async fn shared(&self, settings: &RedisSettings) -> ClientResult<Shared> {
        match self {
            Self::Server(client) => {
                // The repetitions are counted in `call`.
                let config = ConnectionManagerConfig::new()
                    .set_number_of_retries(1)
                    .set_min_delay(PAUSE_MIN)
                    .set_max_delay(PAUSE_MAX)
                    .set_connection_timeout(Some(settings.connect_timeout))
                    .set_response_timeout(Some(settings.response_timeout));
                Ok(Shared::Server(ConnectionManager::new_with_config(Client::clone(client), config).await?))
            }
            Self::Cluster(clients) => Ok(Shared::Cluster(clients.commands.get_async_connection().await?)),
        }
    }

    async fn blocking(&self, settings: &RedisSettings) -> ClientResult<Blocking> {
        match self {
            Self::Server(client) => {
                let config = AsyncConnectionConfig::new()
                    .set_connection_timeout(Some(settings.connect_timeout))
                    .set_response_timeout(Some(settings.block_for.saturating_add(settings.response_timeout)));
                Ok(Blocking::Server(client.get_multiplexed_async_connection_with_config(&config).await?))
            }
            Self::Cluster(clients) => Ok(Blocking::Cluster(clients.blocking.get_async_connection().await?)),
        }
    }
}

fn call(command: &[u8], script: &str, keys: &[&str], values: &[&[u8]]) -> Cmd {
    let mut call = Cmd::new();
    call.arg(command).arg(script).arg(keys.len()).arg(keys).arg(values);
    call
}

/// The error of an address never repeats it, because it may hold a password.
fn address(url: &str, settings: &RedisSettings) -> Result<ConnectionInfo, RedisError> {
    let parsed = url.into_connection_info().map_err(|error| RedisError::Address(error.kind_text()))?;
    let Some((user, password)) = &settings.login else { return Ok(parsed) };
    let login = parsed.redis_settings().clone().set_username(user).set_password(password);
    Ok(parsed.set_redis_settings(login))
}

fn has_tls(info: &ConnectionInfo) -> bool {
    matches!(info.addr(), ConnectionAddr::TcpTls { .. })
}

fn certificates(settings: &RedisSettings) -> TlsCertificates {
    let client_tls = settings.tls.client.clone();
    let client_tls = client_tls.map(|(client_cert, client_key)| ClientTlsConfig { client_cert, client_key });
    TlsCertificates { client_tls, root_cert: settings.tls.ca.clone() }
}

trait KindText {
    /// The description of an error without its details.
    fn kind_text(&self) -> String;
}

impl KindText for redis::RedisError {
    fn kind_text(&self) -> String {
        format!("{:?}", self.kind())
    }
}

/// Whether an operation may succeed if it is repeated: the connection broke, or the server is starting, moving or
/// failing over.
pub(crate) fn is_temporary(error: &redis::RedisError) -> bool {
    use ServerErrorKind::{Ask, BusyLoading, ClusterDown, MasterDown, Moved, ReadOnly, TryAgain};
    match error.kind() {
        ErrorKind::Io
        | ErrorKind::ClusterConnectionNotFound
        | ErrorKind::Server(BusyLoading | ReadOnly | TryAgain | MasterDown | ClusterDown | Moved | Ask) => true,
        _ => {
            error.is_io_error()
                || error.is_timeout()
                || error.is_connection_dropped()
                || matches!(error.code(), Some("BUSY" | "NOREPLICAS" | "UNBLOCKED"))
        }
    }
}
