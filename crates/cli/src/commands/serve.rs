//! `redrive serve`: runs the server until a signal stops it.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore, StoreOpenError};
use redrive_journal::OpenError;
use redrive_routes::{RouteEnvironment, StartedTargets};
use redrive_run::StoreLetterBox;
use redrive_server::{AuthMode, Server, ServerRoutes, Settings};
use redrive_store::Store;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::commands::letter_index::CheckedIndex;
use crate::commands::retries::{self, QueueTargets, Retries};
use crate::commands::test_mode::TestModeOptions;
use crate::config::{self, Config, ConfigLayer, Flags, LogFormat, SettingSources};
use crate::exit::Exit;
use crate::values::{directory, file_to_read, parse_address};

#[derive(Clone, clap::Args)]
#[command(after_help = "Examples:
  redrive serve
  redrive serve --memory --listen 127.0.0.1:4000
  redrive serve --config redrive.toml --set dlq.max_size=500")]
pub(crate) struct Arguments {
    /// Configuration file [default: ./redrive.toml, if it exists].
    #[arg(long, env = "REDRIVE_CONFIG", value_name = "FILE", value_parser = file_to_read())]
    config: Option<PathBuf>,
    /// Address and port to listen on; port 0 selects a free port [default: 127.0.0.1:2319].
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    listen: Option<SocketAddr>,
    /// Data directory of the embedded store [default: ./redrive-data].
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "memory", value_parser = directory())]
    data_dir: Option<PathBuf>,
    /// Keep all data in memory. It is lost when the process ends.
    #[arg(long)]
    memory: bool,
    /// Authentication of callers: none, or internal for API keys and roles [default: none].
    #[arg(long, value_name = "MODE", value_parser = auth_mode)]
    auth: Option<AuthMode>,
    /// Allow --auth none on an address that other machines can reach. Every caller then has full access.
    #[arg(long)]
    allow_anonymous: bool,
    /// Certificate file in PEM. Enables TLS, together with --tls-key.
    #[arg(long, value_name = "FILE", requires = "tls_key", value_parser = file_to_read())]
    tls_certificate: Option<PathBuf>,
    /// Private key file in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_certificate", value_parser = file_to_read())]
    tls_key: Option<PathBuf>,
    /// Log level: error, warn, info, debug, trace, or per module as in "info,redrive_server=debug" [default: info].
    #[arg(long, value_name = "LEVEL", value_parser = config::parse_log_level)]
    log: Option<String>,
    /// Set a setting of the configuration by name, as in dlq.max_size=500. Repeatable; overrides environment and file.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    test_mode: TestModeOptions,
}

impl Arguments {
    /// The settings of the command line.
    fn flags(&self) -> Flags {
        let mut layer = <ConfigLayer as confique::Layer>::empty();
        layer.server.listen = self.listen;
        layer.server.auth = self.auth;
        layer.server.allow_anonymous = self.allow_anonymous.then_some(true);
        layer.server.tls_certificate.clone_from(&self.tls_certificate);
        layer.server.tls_key.clone_from(&self.tls_key);
        layer.store.data_dir.clone_from(&self.data_dir);
        // `--data-dir` overrides `store.memory` of the file.
        layer.store.memory = if self.data_dir.is_some() { Some(false) } else { self.memory.then_some(true) };
        layer.log.level.clone_from(&self.log);
        Flags { layer, set: self.set.clone() }
    }
}

fn setting(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in dlq.max_size=500")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn auth_mode(text: &str) -> Result<AuthMode, &'static str> {
    match text {
        "none" => Ok(AuthMode::None),
        "internal" => Ok(AuthMode::Internal),
        _ => Err("allowed: none, internal"),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (config, sources) = config::load(arguments.config.as_deref(), arguments.flags())?;
    arguments.test_mode.check(&config)?;
    start_log(&config).map_err(|error| sources.locate(error))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(arguments, &config, &sources))
}

/// A configuration that the server can start with.
pub(crate) struct CheckedConfig {
    settings: Settings,
    index: Option<CheckedIndex>,
    options: EmbeddedOptions,
}

impl CheckedConfig {
    /// Checks everything that can be checked without opening the store, listening, or calling a target.
    pub(crate) fn new(config: &Config, sources: &SettingSources) -> Result<Self> {
        let settings = config.settings(sources)?;
        settings.check()?;
        config.log.filter()?;
        let options = config.options()?;
        options.check().context("invalid store settings")?;
        let index = CheckedIndex::new(&config.dlq)?;
        retries::check(config)?;
        config.routes()?;
        Ok(Self { settings, index, options })
    }
}

async fn serve(arguments: &Arguments, config: &Config, sources: &SettingSources) -> Result<()> {
    let checked = CheckedConfig::new(config, sources).map_err(|error| sources.locate(error))?;
    let CheckedConfig { settings, index, mut options } = checked;
    arguments.test_mode.set_clock(&mut options);
    let store = open(config, &options)?;
    let shared: Arc<dyn Store> = Arc::new(store.clone());
    let mut server = Server::bind(settings, Arc::clone(&shared), Arc::clone(&options.clock)).await?;
    if let Some(key) = server.take_admin_key() {
        // The key is not stored and must not be logged: it is visible only here.
        writeln!(stderr(), "administrator's API key, shown only once: {}", key.reveal())?;
    }
    let stop = stop_on_signal()?;
    // Before anything that takes long: without it, the signal ends the process.
    let hang_up = signal(SignalKind::hangup())?;
    let targets = Arc::new(StartedTargets::default());
    retries::ensure_namespaces(config, &server).await?;
    let started = Retries::start(config, &targets, &shared, &options.clock, &stop).await?;
    let Some(retries) = started else { return close(&store).await };
    let server = server.with_processor(Arc::clone(&retries.processor));
    let server = server.with_target_namespaces(retries::target_namespaces(config)?);
    let env = RouteEnvironment {
        store: Arc::clone(&shared),
        letter_box: Arc::new(StoreLetterBox::new(Arc::clone(&shared))),
        clock: Arc::clone(&options.clock),
        classifier: config.classify.classifier()?,
        targets: Arc::clone(&targets),
    };
    let definitions = config.routes()?;
    let route_count = definitions.len();
    let routes = Arc::new(ServerRoutes::start(env, config.connections(), definitions).await?);
    let server = server.with_routes(Arc::clone(&routes));
    let started = retries::queue_targets(config)?;
    tokio::spawn(reload_on_signal(arguments.clone(), hang_up, Arc::clone(&routes), started, stop.clone()));
    let index = index.map(|index| index.start(&shared, &options.clock)).transpose()?;
    let server = match &index {
        Some(index) => index.add_to(server),
        None => server,
    };
    let server = arguments.test_mode.add_to(server, &store).await?;
    let control = arguments.test_mode.control(&server);
    say_what_runs(arguments, config, server.address(), route_count);
    writeln!(stdout(), "ready api={}{control}", server.address())?;
    let drained = async {
        stop.cancelled().await;
        let drain = config.dlq.drain_deadline();
        tokio::join!(retries.stop(drain), routes.stop(drain), targets.stop(drain));
    };
    tokio::join!(server.serve(stop.clone()), drained);
    if let Some(index) = index {
        index.stop().await;
    }
    close(&store).await
}

/// Logs what the server is made of: a file that was read without being named, for example.
fn say_what_runs(arguments: &Arguments, config: &Config, address: SocketAddr, routes: usize) {
    let file = config::file_to_read(arguments.config.as_deref());
    let file = file.map_or_else(|| "none".to_owned(), |file| file.display().to_string());
    let store = if config.store.memory { "memory".to_owned() } else { config.store.data_dir.display().to_string() };
    let (auth, is_tls) = (config.server.auth, config.server.tls_certificate.is_some());
    tracing::info!(config = file, store, %address, tls = is_tls, authentication = ?auth, routes, "serving");
}

async fn close(store: &EmbeddedStore) -> Result<()> {
    store.close().await.context("cannot close the store cleanly; acknowledged data is not lost")?;
    tracing::info!("server stopped");
    Ok(())
}

fn open(config: &Config, options: &EmbeddedOptions) -> Result<EmbeddedStore> {
    if config.store.memory {
        tracing::warn!("store is in memory only; all data is lost when the process ends");
        return Ok(EmbeddedStore::in_memory(options)?);
    }
    let folder = &config.store.data_dir;
    let store = EmbeddedStore::open(folder, options).map_err(|error| {
        let shown = folder.display();
        // A full disk and a store that is open elsewhere do not mean that it is damaged.
        let is_sound = error.is_full() || matches!(&error, StoreOpenError::Journal(OpenError::Locked { .. }));
        let remedy = if is_sound { String::new() } else { format!("; check it with: redrive doctor check {shown}") };
        anyhow::Error::new(error).context(format!("cannot open the store in {shown}{remedy}"))
    })?;
    tracing::info!(folder = %folder.display(), "store opened");
    Ok(store)
}

/// A token that the first SIGINT or SIGTERM cancels. The second one ends the process immediately.
fn stop_on_signal() -> Result<CancellationToken> {
    let stop = CancellationToken::new();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let stopping = stop.clone();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if stopping.is_cancelled() {
                tracing::warn!("received a second signal; ending immediately, acknowledged data is safe");
                std::process::exit(Exit::Interrupted as i32);
            }
            tracing::info!("received a signal; stopping, a second signal ends the process immediately");
            stopping.cancel();
        }
    });
    Ok(stop)
}

/// Reads the configuration again at each SIGHUP, and runs its routes. A configuration that is invalid changes nothing.
async fn reload_on_signal(
    arguments: Arguments,
    mut hang_up: Signal,
    routes: Arc<ServerRoutes>,
    started: QueueTargets,
    stop: CancellationToken,
) {
    loop {
        tokio::select! {
            received = hang_up.recv() => if received.is_none() { return },
            () = stop.cancelled() => return,
        }
        match reload(&arguments, &routes).await {
            Ok((count, queue_targets)) => {
                tracing::info!(routes = count, "reloaded routes, targets, clusters and servers");
                if queue_targets != started {
                    tracing::warn!("dlq.targets has changed and is not applied; restart the server to apply it");
                }
            }
            Err(error) => tracing::error!(error = format!("{error:#}"), "configuration is not reloaded"),
        }
    }
}

/// Returns the number of routes of the file, and its queues with targets.
async fn reload(arguments: &Arguments, routes: &ServerRoutes) -> Result<(usize, QueueTargets)> {
    let (config, _) = config::load(arguments.config.as_deref(), arguments.flags())?;
    let definitions = config.routes()?;
    let count = definitions.len();
    let queue_targets = retries::queue_targets(&config)?;
    routes.reload(config.connections(), definitions).await?;
    Ok((count, queue_targets))
}

fn start_log(config: &Config) -> Result<()> {
    let filter = config.log.filter()?;
    let is_terminal = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(is_terminal).with_writer(std::io::stderr);
    match config.log.format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}
