//! The routes of a server: those of its configuration file, and those that callers created.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_core::{Classifier, NamespaceName, QueueName, Span};
use redrive_routes::{
    Connections, DesiredRoute, RouteDefinition, RouteEnvironment, RouteId, RouteIntent, RouteOrigin, RunningRoutes,
};
use redrive_store::{Store, StoreError};
use serde_json::Value;
use tokio::sync::{Mutex, MutexGuard};

use super::record::RouteRecord;
use crate::audit::AuditTarget;
use crate::auth::SYSTEM;
use crate::fault::{Code, Fault};
use crate::records::Records;
use crate::request_context::RequestContext;

/// The routes, and the order of their changes: what is stored and what runs change together.
#[derive(Debug)]
pub struct ServerRoutes {
    pub(crate) running: RunningRoutes,
    pub(super) classifier: Arc<Classifier>,
    store: Arc<dyn Store>,
    changes: Mutex<()>,
}

impl ServerRoutes {
    /// Starts the routes of the file and those that callers created, each as an operator last asked.
    pub async fn start(
        env: RouteEnvironment,
        connections: Connections,
        of_file: Vec<RouteDefinition>,
    ) -> Result<Self, StoreError> {
        let (classifier, store) = (Arc::clone(&env.classifier), Arc::clone(&env.store));
        let running = RunningRoutes::new(env, connections.clone());
        let routes = Self { running, classifier, store, changes: Mutex::default() };
        routes.reload(connections, of_file).await?;
        Ok(routes)
    }

    /// Replaces the routes of the file, and what routes refer to. Routes that did not change go on.
    pub async fn reload(&self, connections: Connections, of_file: Vec<RouteDefinition>) -> Result<(), StoreError> {
        let _changes = self.changes.lock().await;
        let records = Records(&*self.store).all::<RouteRecord>(RouteRecord::prefix()).await?;
        let mut stored: BTreeMap<RouteId, RouteRecord> =
            records.into_iter().map(|read| (read.record.id(), read.record)).collect();
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
    }

    /// Drains all routes. Running calls have at most `within`.
    pub async fn stop(&self, within: Span) {
        self.running.stop(within).await;
    }

    pub(crate) async fn lock(&self) -> MutexGuard<'_, ()> {
        self.changes.lock().await
    }
}

impl RequestContext {
    pub(super) fn routes(&self) -> Result<&ServerRoutes, Fault> {
        let routes = self.app.routes.get().map(|routes| &**routes);
        routes.ok_or_else(|| Fault::new(Code::NotImplemented, "this server runs no routes"))
    }

    /// The route that a request names. One that the caller may not see is denied before anything is read.
    pub(super) fn existing_route(&self, id: &RouteId) -> Result<RouteOrigin, Fault> {
        self.routes()?.running.origin(id).ok_or_else(|| missing(id))
    }

    /// Checks that no route uses a queue: it would go on with a queue of the same name, perhaps of another namespace. No
    /// route changes until the result is dropped.
    pub(crate) async fn unused_by_routes(&self, queue: &QueueName) -> Result<Option<MutexGuard<'_, ()>>, Fault> {
        let Some(routes) = self.app.routes.get() else { return Ok(None) };
        let changes = routes.lock().await;
        match routes.running.user_of(queue) {
            Some(RouteId { name, .. }) => Err(Fault::bad(format!(
                "queue is used by a route; stop or delete the route '{name}' before the queue '{queue}'"
            ))),
            None => Ok(Some(changes)),
        }
    }

    /// The definition of a request, with the identity that the request gives it.
    pub(super) fn definition_of(&self, id: &RouteId, written: Option<Value>) -> Result<(Value, RouteDefinition), Fault> {
        let Some(Value::Object(mut table)) = written else {
            return Err(Fault::bad("definition is required; an object with the fields of a route"));
        };
        for (field, value) in [("name", &id.name), ("namespace", &id.namespace)] {
            if table.insert(field.to_owned(), Value::from(value.as_str())).is_some() {
                let message =
                    format!("definition is invalid; {field} is a field of the request, not of the definition");
                return Err(Fault::bad(message));
            }
        }
        let written = Value::Object(table);
        let parsed = RouteDefinition::parse(written.clone(), &self.routes()?.classifier);
        Ok((written, parsed.map_err(|error| invalid(&error))?))
    }
}

/// The namespace of a route: empty for `_system`.
pub(super) fn namespace_of(text: &str) -> Result<String, Fault> {
    match text {
        "" | SYSTEM => Ok(String::new()),
        name => Ok(NamespaceName::new(name)?.as_str().to_owned()),
    }
}

pub(super) fn id_of(namespace: &str, name: &str) -> Result<RouteId, Fault> {
    if name.is_empty() {
        return Err(Fault::bad("name is required; name the route"));
    }
    Ok(RouteId { namespace: namespace_of(namespace)?, name: name.to_owned() })
}

pub(super) fn missing(id: &RouteId) -> Fault {
    Fault::new(Code::NotFound, format!("route does not exist; no such route named '{}'", id.name))
}

pub(super) fn targets(namespace: &str, name: &str) -> Option<Vec<AuditTarget>> {
    let namespace = if namespace.is_empty() { SYSTEM } else { namespace };
    Some(vec![AuditTarget::new("namespace", namespace), AuditTarget::new("route", name)])
}

pub(super) fn invalid(error: &impl std::fmt::Display) -> Fault {
    Fault::bad(format!("route is invalid; {error}"))
}
