//! Connections: a shared one for commands, and separate ones for commands that block.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use redis::aio::MultiplexedConnection;
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::io::tcp::TcpSettings;
use redis::io::tcp::socket2::TcpKeepalive;
use redis::{
    AsyncConnectionConfig, Client, ClientTlsConfig, Cmd, ConnectionAddr, ConnectionInfo, ErrorKind, IntoConnectionInfo,
    ServerErrorKind, TlsCertificates, Value,
};
use redrive_core::{Backoff, Span};
use redrive_store::random_seed;
use tokio::time::{Instant, sleep};

use crate::error::RedisError;
use crate::scripts::StoredScript;
use crate::settings::RedisSettings;

/// The pause before an operation is repeated that failed `failed` times.
pub(crate) fn pause(failed: u32) -> Duration {
    const BACKOFF: Backoff = Backoff::reconnect(Span::from_millis(20), Span::from_secs(1));
    BACKOFF.delay(failed, random_seed()).unwrap_or(Span::ZERO).into()
}

/// The connections to a server or a cluster.
pub(crate) struct Connections {
    settings: RedisSettings,
    target: Arc<Target>,
    shared: Mutex<SharedConnection>,
    /// Blocking connections that no receive uses now.
    idle: Mutex<Vec<Connection>>,
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

/// A connection, whose clones share it.
#[derive(Clone)]
enum Connection {
    Server(MultiplexedConnection),
    Cluster(ClusterConnection),
}

/// The connection for commands. All callers wait for the same one.
#[derive(Clone)]
struct SharedConnection {
    /// Lets one of the callers that find it broken replace it, and not each of them.
    generation: u64,
    connecting: Shared<BoxFuture<'static, ClientResult<Connection>>>,
}

type ClientResult<T> = Result<T, redis::RedisError>;

impl Connections {
    pub(crate) async fn open(settings: RedisSettings) -> Result<Self, RedisError> {
        let target = Arc::new(Target::new(&settings)?);
        let shared = SharedConnection { generation: 0, connecting: connecting(&target, &settings, None) };
        shared.connecting.clone().await.map_err(|error| RedisError::at_start(&error, &settings.namespace))?;
        Ok(Self { settings, target, shared: Mutex::new(shared), idle: Mutex::default() })
    }

    pub(crate) fn settings(&self) -> &RedisSettings {
        &self.settings
    }

    fn lock(&self) -> MutexGuard<'_, SharedConnection> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a command, once.
    pub(crate) async fn run(&self, command: &Cmd) -> ClientResult<Value> {
        let shared = self.lock().clone();
        let answer = match shared.connecting.await {
            Ok(mut connection) => connection.run(command).await,
            Err(error) => Err(error),
        };
        if let Err(error) = &answer
            && self.is_broken(error)
        {
            self.replace(shared.generation);
        }
        answer
    }

    /// Whether the connection must be replaced: it is closed or does not answer, or its server has become a replica and
    /// the address may lead to the new master. A cluster replaces the closed connections to its nodes.
    fn is_broken(&self, error: &redis::RedisError) -> bool {
        error.is_timeout() || code(error) == Some("READONLY") || (error.is_io_error() && !self.is_cluster())
    }

    /// Replaces the connection, unless another caller has done so. The next command connects.
    fn replace(&self, generation: u64) {
        let mut shared = self.lock();
        if shared.generation != generation {
            return;
        }
        // A connection to a cluster knows more of its nodes than the settings do, some of which may be down.
        let known = shared.connecting.peek().and_then(|known| known.clone().ok()).filter(|_| self.is_cluster());
        shared.connecting = connecting(&self.target, &self.settings, known);
        shared.generation += 1;
    }

    /// Calls a script, and repeats it after errors of the connection or of a failover. The call carries an operation id,
    /// so that a repetition changes nothing if the first one took effect.
    pub(crate) async fn call(&self, script: &StoredScript, keys: &[&str], values: &[&[u8]]) -> ClientResult<Value> {
        let give_up = Instant::now().checked_add(self.settings.retry_for);
        let mut failed = 0_u32;
        // The connection to a cluster repeats commands on its own.
        let mut is_repetition = self.is_cluster();
        loop {
            let error = match self.call_once(script, keys, values, is_repetition).await {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            failed = failed.saturating_add(1);
            let pause = pause(failed);
            let is_over = give_up.is_some_and(|give_up| give_up.saturating_duration_since(Instant::now()) <= pause);
            if !is_temporary(&error) || is_over {
                return Err(error);
            }
            tracing::debug!(script = script.name, %error, "operation is repeated");
            is_repetition = true;
            sleep(pause).await;
        }
    }

    async fn call_once(
        &self,
        script: &StoredScript,
        keys: &[&str],
        values: &[&[u8]],
        is_repetition: bool,
    ) -> ClientResult<Value> {
        let call = |command, script| call(command, script, keys, values, is_repetition);
        match self.run(&call("EVALSHA", &script.hash)).await {
            // The server was restarted, or its scripts were flushed. This also stores the script again.
            Err(error) if matches!(error.kind(), ErrorKind::Server(ServerErrorKind::NoScript)) => {
                self.run(&call("EVAL", &script.code)).await
            }
            called => called,
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
        // If this future is dropped here, the connection is dropped with it, because its next answer is to this command.
        let answer = connection.run(&command).await;
        let mut idle = self.idle();
        match answer {
            Ok(_) if idle.len() < IDLE_MAX => idle.push(connection),
            Ok(_) => {}
            Err(error) => {
                // What broke this connection has broken the idle ones as well.
                idle.clear();
                return Err(error);
            }
        }
        Ok(())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_cluster(&self) -> bool {
        matches!(*self.target, Target::Cluster(_))
    }
}

impl Connection {
    async fn run(&mut self, command: &Cmd) -> ClientResult<Value> {
        match self {
            Self::Server(connection) => command.query_async(connection).await,
            Self::Cluster(connection) => command.query_async(connection).await,
        }
    }
}

/// Connects when it is first polled. If that fails, the known connection is kept.
fn connecting(
    target: &Arc<Target>,
    settings: &RedisSettings,
    known: Option<Connection>,
) -> Shared<BoxFuture<'static, ClientResult<Connection>>> {
    let (target, settings) = (Arc::clone(target), settings.clone());
    let connect = async move {
        match (target.commands(&settings).await, known) {
            (Err(error), Some(known)) => {
                tracing::warn!(%error, "reconnect failed");
                Ok(known)
            }
            (connected, _) => connected,
        }
    };
    connect.boxed().shared()
}

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connections").field("settings", &self.settings).finish_non_exhaustive()
    }
}

pub(crate) fn check_settings(settings: &RedisSettings) -> Result<(), RedisError> {
    Target::new(settings).map(drop)
}

impl Target {
    fn new(settings: &RedisSettings) -> Result<Self, RedisError> {
        // Fails if the program has installed a provider before, which is then used.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        if settings.namespace.contains(|c: char| matches!(c, '{' | '}') || c.is_control()) {
            return Err(RedisError::Namespace(settings.namespace.escape_debug().to_string()));
        }
        let nodes: Vec<ConnectionInfo> =
            settings.urls.iter().map(|url| address(url, settings)).collect::<Result<_, _>>()?;
        let Some(first) = nodes.first() else { return Err(RedisError::Address("there is none".to_owned())) };
        let certificates = has_tls(first).then(|| certificates(settings));
        let error = |error: redis::RedisError| RedisError::at_start(&error, &settings.namespace);
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
                .tcp_settings(tcp_settings(settings))
                .retries(3);
            if let Some(certificates) = certificates.clone() {
                builder = builder.certs(certificates);
            }
            builder.build().map_err(error)
        };
        let blocking = build(settings.block_for.saturating_add(settings.response_timeout))?;
        Ok(Self::Cluster(Box::new(ClusterClients { commands: build(settings.response_timeout)?, blocking })))
    }

    async fn commands(&self, settings: &RedisSettings) -> ClientResult<Connection> {
        match self {
            Self::Server(client) => to_server(client, settings, settings.response_timeout).await,
            Self::Cluster(clients) => Ok(Connection::Cluster(clients.commands.get_async_connection().await?)),
        }
    }

    async fn blocking(&self, settings: &RedisSettings) -> ClientResult<Connection> {
        match self {
            Self::Server(client) => {
                to_server(client, settings, settings.block_for.saturating_add(settings.response_timeout)).await
            }
            Self::Cluster(clients) => Ok(Connection::Cluster(clients.blocking.get_async_connection().await?)),
        }
    }
}

async fn to_server(client: &Client, settings: &RedisSettings, response_timeout: Duration) -> ClientResult<Connection> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(settings.connect_timeout))
        .set_response_timeout(Some(response_timeout));
    Ok(Connection::Server(client.get_multiplexed_async_connection_with_config(&config).await?))
}

fn call(command: &str, script: &str, keys: &[&str], values: &[&[u8]], is_repetition: bool) -> Cmd {
    let mut call = Cmd::new();
    call.arg(command).arg(script).arg(keys.len()).arg(keys).arg(values).arg(u8::from(is_repetition));
    call
}

/// Lets the system close connections to hosts that have gone, also while no answer is expected.
fn tcp_settings(settings: &RedisSettings) -> TcpSettings {
    let silence = settings.response_timeout.clamp(Duration::from_secs(1), Duration::from_secs(60));
    let keepalive = TcpKeepalive::new().with_time(silence).with_interval(silence);
    let tcp = TcpSettings::default().set_nodelay(true).set_keepalive(keepalive);
    #[cfg(any(target_os = "android", target_os = "linux"))]
    let tcp = tcp.set_user_timeout(silence.saturating_mul(2));
    tcp
}

/// The error of an address never repeats it, because it may hold a password.
fn address(url: &str, settings: &RedisSettings) -> Result<ConnectionInfo, RedisError> {
    let parsed = url.into_connection_info().map_err(|error| RedisError::Address(format!("{:?}", error.kind())))?;
    let parsed = parsed.set_tcp_settings(tcp_settings(settings));
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

/// Whether an operation may succeed if it is repeated: the connection broke, or the server is starting, moving or
/// failing over.
fn is_temporary(error: &redis::RedisError) -> bool {
    error.is_io_error()
        || error.kind() == ErrorKind::ClusterConnectionNotFound
        || matches!(
            code(error),
            Some(
                "ASK"
                    | "BUSY"
                    | "CLUSTERDOWN"
                    | "LOADING"
                    | "MASTERDOWN"
                    | "MOVED"
                    | "NOREPLICAS"
                    | "READONLY"
                    | "TRYAGAIN"
                    | "UNBLOCKED"
            )
        )
}

/// The code of an error of the server. Redis 6.2 reports an error inside of a script as `ERR Error running script
/// (call to f_<hash>): @user_script:<line>: -<code> <text>`.
fn code(error: &redis::RedisError) -> Option<&str> {
    let detail = error.detail().unwrap_or_default();
    if error.code() == Some("ERR") && detail.starts_with("Error running script") {
        return detail.split(' ').find_map(|word| word.strip_prefix('-'));
    }
    error.code()
}
