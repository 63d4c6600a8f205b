//! The route of `redrive consume`.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use redrive_client::{RemoteLetterBox, RemoteStore};
use redrive_core::{Classifier, Span};
use redrive_routes::{
    Connections, DesiredRoute, RouteDefinition, RouteEnvironment, RouteId, RouteIntent, RouteOrigin, RouteState,
    RouteTotals, RunningRoutes, StartedTargets,
};
use redrive_store::SystemClock;
use serde_json::{Map, Value, json};
use tokio::signal::unix::{SignalKind, signal};

use super::target_options::TargetOptions;
use crate::console::say;
use crate::session::Session;

/// How long running calls may take at the end.
const DRAIN: Span = Span::from_secs(30);

/// Runs a route until Ctrl-C or SIGTERM, then lets running calls finish. `connections` are those that the source names.
pub(super) async fn consume(
    session: &Session,
    target: &TargetOptions,
    connections: Connections,
    source: Map<String, Value>,
) -> Result<()> {
    let targets = BTreeMap::from([("target".to_owned(), target.settings()?)]);
    let connections = Connections { targets, ..connections };
    connections.check_definitions()?;
    let classifier = Arc::clone(Classifier::built_in());
    let mut written = source;
    written.insert("name".to_owned(), "consume".into());
    written.insert("target".to_owned(), "target".into());
    written.insert("on_outage".to_owned(), target.on_outage.to_string().into());
    let definition = RouteDefinition::parse(Value::Object(written), &classifier)?;
    connections.check(&definition.settings, RouteOrigin::File)?;
    let id = definition.settings.id();
    let targets = Arc::new(StartedTargets::default());
    let env = RouteEnvironment {
        store: Arc::new(RemoteStore::new(session.client.clone())),
        letter_box: Arc::new(RemoteLetterBox::new(session.client.clone())),
        clock: Arc::new(SystemClock),
        classifier,
        targets: Arc::clone(&targets),
    };
    let routes = RunningRoutes::new(env, connections);
    routes.put(DesiredRoute { definition, origin: RouteOrigin::File, intent: RouteIntent::Run });
    let mut terminate = signal(SignalKind::terminate())?;
    let ended: Option<Result<()>> = tokio::select! {
        ended = session.interrupt.or(follow(&routes, &id)) => ended,
        _terminated = terminate.recv() => None,
    };
    routes.set_intent(&id, RouteIntent::Stop);
    let totals = tokio::join!(stopped_totals(&routes, &id), targets.stop(DRAIN)).0;
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

/// The namespace of a queue as routes have it: that of the system is none.
pub(super) fn own_namespace(namespace: String) -> String {
    if namespace == "_system" { String::new() } else { namespace }
}

/// Tells the changes of the route on the terminal. Fails if it never started.
async fn follow(routes: &RunningRoutes, id: &RouteId) -> Result<()> {
    let mut states = routes.states(id).context("the route has ended")?;
    let mut has_started = false;
    loop {
        let state = states.borrow_and_update().0.clone();
        match state {
            RouteState::Failed { error, .. } if !has_started => bail!(error),
            RouteState::Failed { error, next_start_at } => {
                say(format!("failed: {error}; next start: {next_start_at}"));
            }
            RouteState::Running => {
                has_started = true;
                say("consuming; stop with Ctrl-C");
            }
            _ => {}
        }
        states.changed().await.context("the route has ended")?;
    }
}

/// Waits until the route has drained.
async fn stopped_totals(routes: &RunningRoutes, id: &RouteId) -> RouteTotals {
    if let Some(mut states) = routes.states(id) {
        // The task of a route ends only if it panics; then there is nothing to wait for.
        let _is_stopped = states.wait_for(|(state, _)| *state == RouteState::Stopped).await.is_ok();
    }
    routes.status(id).await.map_or_else(RouteTotals::default, |status| status.totals)
}
