//! The subcommands of `redrive consume`, and the route that they run.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use redrive_client::{RemoteLetterBox, RemoteStore};
use redrive_core::Span;
use redrive_routes::{
    Connections, RouteDefinition, RouteIntent, RouteOrigin, RouteState, RouteTotals, RunningRoutes,
};
use redrive_store::SystemClock;
use serde_json::{Map, Value, json};
use tokio::signal::unix::{SignalKind, signal};

use super::target_options::TargetOptions;
use super::{kafka, queue};
use crate::console::say;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    source: Source,
}

#[derive(clap::Subcommand)]
enum Source {
    /// Send the records of Kafka topics to a target.
    Kafka(kafka::Arguments),
    /// Send the items of a queue to a target.
    Queue(queue::Arguments),
}

/// How long the target may take to finish its calls at the end.
const DRAIN: Span = Span::from_secs(30);
/// Between two looks at the state of the route. Nothing waits for it but the message on the terminal.
const LOOK_EVERY: Duration = Duration::from_millis(100);

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    match &arguments.source {
        Source::Kafka(arguments) => kafka::run(arguments, &session).await,
        Source::Queue(arguments) => queue::run(arguments, &session).await,
    }
}

/// Runs a route until Ctrl-C or SIGTERM, then lets running calls finish.
pub(super) async fn consume(session: &Session, target: &TargetOptions, source: Map<String, Value>) -> Result<()> {
    let targets = BTreeMap::from([("target".to_owned(), target.settings()?)]);
    let connections = Connections { targets, ..Connections::default() };
    connections.check_definitions()?;
    let mut written = source;
    written.insert("name".to_owned(), "consume".into());
    written.insert("target".to_owned(), "target".into());
    written.insert("on_outage".to_owned(), target.on_outage.to_string().into());
    let definition = RouteDefinition::parse(Value::Object(written))?;
    connections.check(&definition.settings, RouteOrigin::File)?;
    let id = definition.settings.id();
    let store = Arc::new(RemoteStore::new(session.client.clone()));
    let letter_box = Arc::new(RemoteLetterBox::new(session.client.clone()));
    let routes = RunningRoutes::new(store, letter_box, Arc::new(SystemClock), connections);
    routes.put(definition, RouteOrigin::File, RouteIntent::Run);
    let mut terminate = signal(SignalKind::terminate())?;
    let work = async {
        let mut has_started = false;
        loop {
            let status = routes.status(&id).await.context("the route has ended")?;
            match status.state {
                RouteState::Failed { error, .. } if !has_started => bail!(error),
                RouteState::Running if !has_started => {
                    has_started = true;
                    say("consuming; stop with Ctrl-C");
                }
                _ => {}
            }
            tokio::time::sleep(if has_started { Duration::from_secs(3_600) } else { LOOK_EVERY }).await;
        }
    };
    let ended: Option<Result<()>> = tokio::select! {
        ended = session.interrupt.or(work) => ended,
        _terminated = terminate.recv() => None,
    };
    routes.set_intent(&id, RouteIntent::Stop);
    let totals = stopped_totals(&routes, &id).await;
    routes.stop(DRAIN).await;
    if let Some(Err(error)) = ended {
        return Err(error);
    }
    let RouteTotals { done, retried, letters } = totals;
    session.report(
        &format!("done: {done}, retried: {retried}, letters: {letters}"),
        &json!({ "done": done, "retried": retried, "letters": letters }),
    )
}

/// Waits until the route has drained.
async fn stopped_totals(routes: &RunningRoutes, id: &redrive_routes::RouteId) -> RouteTotals {
    loop {
        match routes.status(id).await {
            Some(status) if status.state != RouteState::Stopped => tokio::time::sleep(LOOK_EVERY).await,
            Some(status) => return status.totals,
            None => return RouteTotals::default(),
        }
    }
}
