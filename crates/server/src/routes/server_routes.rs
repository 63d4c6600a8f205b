//! The routes of a server: those of its configuration file, and those that callers created.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use redrive_core::{Classifier, Span};
use redrive_routes::{
    Connections, DesiredRoute, RouteDefinition, RouteEnvironment, RouteId, RouteIntent, RouteOrigin, RunningRoutes,
};
use redrive_store::{Store, StoreError};
use tokio::sync::Mutex;

use super::record::RouteRecord;
use crate::records::Records;

/// The routes, and the order of their changes: what is stored and what runs change together.
#[derive(Debug)]
pub struct ServerRoutes {
    pub(crate) running: RunningRoutes,
    pub(super) classifier: Arc<Classifier>,
    store: Arc<dyn Store>,
    pub(super) changes: Mutex<()>,
}

impl ServerRoutes {
    /// Starts the routes of the file and those that callers created, each as an operator last asked.
    pub fn start(
        env: RouteEnvironment,
        connections: Connections,
        of_file: Vec<RouteDefinition>,
    ) -> BoxFuture<'static, Result<Self, StoreError>> {
        Box::pin(async move {
            let (classifier, store) = (Arc::clone(&env.classifier), Arc::clone(&env.store));
            let running = RunningRoutes::new(env, connections.clone());
            let routes = Self { running, classifier, store, changes: Mutex::default() };
            routes.reload(connections, of_file).await?;
            Ok(routes)
        })
    }

    /// Replaces the routes of the file, and what routes refer to. Routes that did not change go on.
    pub fn reload(
        &self,
        connections: Connections,
        of_file: Vec<RouteDefinition>,
    ) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let _changes = self.changes.lock().await;
            let records = Records(&*self.store).all::<RouteRecord>(RouteRecord::prefix()).await?;
            let mut stored: BTreeMap<RouteId, RouteRecord> =
                records.into_iter().map(|record| (record.id(), record)).collect();
            let mut desired = Vec::new();
            for definition in of_file {
                let record = stored.remove(&definition.settings.id());
                if record.as_ref().is_some_and(|record| record.definition.is_some()) {
                    let route = definition.settings.id();
                    tracing::warn!(%route, "the configuration file defines this route; the API's definition is not used");
                }
                let intent = record.map_or(RouteIntent::Run, |record| record.intent);
                desired.push(DesiredRoute { definition, origin: RouteOrigin::File, intent });
            }
            for (route, record) in stored {
                let intent = record.intent;
                match record.definition.map(|written| RouteDefinition::parse(written, &self.classifier)) {
                    Some(Ok(definition)) => desired.push(DesiredRoute { definition, origin: RouteOrigin::Api, intent }),
                    Some(Err(error)) => tracing::error!(%route, %error, "route is invalid and does not start"),
                    // Only the intent of a route that the file no longer defines.
                    None => {}
                }
            }
            self.running.replace(connections, desired);
            Ok(())
        })
    }

    /// Drains all routes. Running calls have at most `within`.
    pub fn stop(&self, within: Span) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.running.stop(within).await;
        })
    }
}
