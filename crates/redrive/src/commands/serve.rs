//! `redrive serve`: the server, until it is told to stop.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use redrive_core::Time;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_search::Projection;
use redrive_server::{AuthMode, LetterIndex, Server, TestClock, TestMode};
use redrive_store::Store;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::commands::retries::Retries;
use crate::config::{self, Config, ConfigLayer, Flags, LogFormat, Sources};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The configuration; ./redrive.toml, if it is there and nothing is said.
    #[arg(long, env = "REDRIVE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where to listen [default: 127.0.0.1:2319]; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// The folder of the embedded store [default: ./redrive-data].
    #[arg(long, value_name = "FOLDER", conflicts_with = "memory")]
    data_dir: Option<PathBuf>,
    /// Keep everything in memory: fast, and gone with the process.
    #[arg(long)]
    memory: bool,
    /// Whether callers must show who they are: none or internal [default: none].
    #[arg(long, value_name = "MODE", value_parser = auth_mode)]
    auth: Option<AuthMode>,
    /// Let everybody use a server that others can reach.
    #[arg(long)]
    allow_anonymous: bool,
    /// A certificate in PEM, to serve over TLS.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// Its private key in PEM.
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// Which events are logged, as in "info,redrive_server=debug".
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,
    /// A setting by its name in the configuration, as in dlq.max_size=500; it goes before the environment and the file.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// For tests: a second listener that stops and moves the clock. Test mode must be enabled.
    #[arg(long, value_name = "ADDRESS", hide = true)]
    control: Option<SocketAddr>,
    /// For tests: the time at which the clock stands from the start.
    #[arg(long, value_name = "TIME", hide = true, requires = "control")]
    freeze: Option<Time>,
}

impl Arguments {
    /// What the flags say, over everything else.
    fn flags(&self) -> Flags {
        let mut layer = <ConfigLayer as confique::Layer>::empty();
        layer.server.listen = self.listen;
        layer.server.auth = self.auth;
        layer.server.allow_anonymous = self.allow_anonymous.then_some(true);
        layer.server.tls_certificate.clone_from(&self.tls_certificate);
        layer.server.tls_key.clone_from(&self.tls_key);
        layer.store.data_dir.clone_from(&self.data_dir);
        // A folder that is named on the command line goes before a store in memory that a file asks for.
        layer.store.memory = if self.data_dir.is_some() { Some(false) } else { self.memory.then_some(true) };
        layer.log.level.clone_from(&self.log);
        Flags { layer, set: self.set.clone() }
    }
}

fn setting(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write it as in dlq.max_size=500")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn auth_mode(text: &str) -> Result<AuthMode, &'static str> {
    match text {
        "none" => Ok(AuthMode::None),
        "internal" => Ok(AuthMode::Internal),
        _ => Err("choose none or internal"),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (config, sources) = config::load(arguments.config.as_deref(), arguments.flags())?;
    if arguments.control.is_some() && !config.test_mode.enabled {
        bail!(
            "test mode is not enabled, and --control lets anybody on this machine stop the clock\n  \
             allow it with REDRIVE_TEST_MODE=true, or `enabled = true` under [test_mode] in the configuration"
        );
    }
    start_log(&config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(arguments, &config, &sources))
}

async fn serve(arguments: &Arguments, config: &Config, sources: &Sources) -> Result<()> {
    let settings = config.settings(sources)?;
    let search = config.dlq.search()?;
    let clock = TestClock::new();
    let mut options = config.options()?;
    if arguments.control.is_some() {
        options.clock = Arc::new(clock.clone());
        if let Some(at) = arguments.freeze {
            clock.freeze(at);
        }
    }
    let store = open(config, &options)?;
    let shared: Arc<dyn Store> = Arc::new(store.clone());
    let mut server = Server::bind(settings, Arc::clone(&shared), Arc::clone(&options.clock)).await?;
    if let Some(key) = server.take_admin_key() {
        // It is not kept, and no log may have it: this is the only time that it can be seen.
        writeln!(stderr(), "the administrator's key, shown this once: {}", key.reveal())?;
    }
    let stop = stop_on_signal()?;
    let started = Retries::start(&config.dlq, &shared, &options.clock, &stop).await?;
    let Some(retries) = started else { return close(&store).await };
    let server = server.with_processor(Arc::clone(&retries.processor));
    let projection = match search {
        Some(search) => {
            let projection = Projection::start_with_clock(Arc::clone(&shared), search, Arc::clone(&options.clock))?;
            Some(Arc::new(projection))
        }
        None => None,
    };
    let server = match &projection {
        Some(projection) => {
            let (projection, capture) = (Arc::clone(projection), config.dlq.capture_mode());
            server.with_index(LetterIndex { projection, capture })
        }
        None => server,
    };
    let server = match arguments.control {
        None => server,
        Some(listen) => server.with_test_mode(TestMode { listen, clock, store: Arc::new(store.clone()) }).await?,
    };
    let control = server.control_address().map(|control| format!(" control={control}")).unwrap_or_default();
    writeln!(stdout(), "ready api={}{control}", server.address())?;
    let drained = async {
        stop.cancelled().await;
        retries.stop().await;
    };
    tokio::join!(server.serve(stop.clone()), drained);
    // What the index has not acknowledged is told again at the next start.
    if let Some(projection) = projection {
        projection.stop().await;
    }
    close(&store).await
}

async fn close(store: &EmbeddedStore) -> Result<()> {
    store.close().await.context("the store could not be closed cleanly; nothing that was acknowledged is lost")?;
    tracing::info!("stopped");
    Ok(())
}

fn open(config: &Config, options: &EmbeddedOptions) -> Result<EmbeddedStore> {
    if config.store.memory {
        tracing::warn!("everything is kept in memory, and gone with this process");
        return Ok(EmbeddedStore::in_memory(options)?);
    }
    let folder = &config.store.data_dir;
    let store = EmbeddedStore::open(folder, options).with_context(|| {
        let shown = folder.display();
        format!("cannot open the store in {shown}; look at it with: redrive doctor check {shown}")
    })?;
    tracing::info!(folder = %folder.display(), "the store is open");
    Ok(store)
}

/// Cancelled by the first SIGINT or SIGTERM; the second ends the process at once.
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
                tracing::warn!("told to stop a second time: what was acknowledged is safe, the rest is cut");
                std::process::exit(130);
            }
            tracing::info!("stopping; once more ends it at once");
            stopping.cancel();
        }
    });
    Ok(stop)
}

fn start_log(config: &Config) -> Result<()> {
    let filter = config.log.filter()?;
    let is_seen = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(is_seen).with_writer(std::io::stderr);
    match config.log.format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}
