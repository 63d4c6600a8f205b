//! The routes of a server: those of its configuration file, and those that callers created.

use std::collections::BTreeMap;
use std::sync::Arc;

use redrive_core::NamespaceName;
use redrive_routes::{RouteDefinition, RouteId, RouteIntent, RouteOrigin, RunningRoutes};
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
pub(crate) struct ServerRoutes {
    pub(crate) routes: Arc<RunningRoutes>,
    changes: Mutex<()>,
}

impl ServerRoutes {
    /// Starts the routes of the file and those that callers created, each as an operator wanted it last.
    pub(crate) async fn start(
        routes: Arc<RunningRoutes>,
        of_file: Vec<RouteDefinition>,
        store: &dyn Store,
    ) -> Result<Self, StoreError> {
        let records = Records(store).all::<RouteRecord>(RouteRecord::prefix()).await?;
        let mut stored: BTreeMap<RouteId, RouteRecord> =
            records.into_iter().map(|read| (read.record.id(), read.record)).collect();
        for definition in of_file {
            let record = stored.remove(&definition.settings.id());
            if record.as_ref().is_some_and(|record| record.definition.is_some()) {
                let route = definition.settings.id();
                tracing::warn!(%route, "the configuration file defines this route; the API's definition is not used");
            }
            let intent = record.map_or(RouteIntent::Run, |record| record.intent.into());
            routes.put(definition, RouteOrigin::File, intent);
        }
        for (route, record) in stored {
            match record.definition.map(RouteDefinition::parse) {
                Some(Ok(definition)) => routes.put(definition, RouteOrigin::Api, record.intent.into()),
                Some(Err(error)) => tracing::error!(%route, %error, "route is invalid and does not start"),
                // Only the intent of a route that the file no longer defines.
                None => {}
            }
        }
        Ok(Self { routes, changes: Mutex::default() })
    }

    pub(super) async fn lock(&self) -> MutexGuard<'_, ()> {
        self.changes.lock().await
    }
}

impl RequestContext {
    pub(super) fn routes(&self) -> Result<&ServerRoutes, Fault> {
        self.app.routes.get().ok_or_else(|| Fault::new(Code::NotImplemented, "this server runs no routes"))
    }

    /// The route that a request names. One that the caller may not see is denied before anything is read.
    pub(super) fn existing_route(&self, id: &RouteId) -> Result<RouteOrigin, Fault> {
        self.routes()?.routes.origin(id).ok_or_else(|| missing(id))
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

/// The definition of a request, with the identity that the request gives it.
pub(super) fn definition_of(id: &RouteId, written: Option<Value>) -> Result<(Value, RouteDefinition), Fault> {
    let Some(Value::Object(mut table)) = written else {
        return Err(Fault::bad("definition is required; an object with the fields of a route"));
    };
    for (field, value) in [("name", &id.name), ("namespace", &id.namespace)] {
        if table.insert(field.to_owned(), Value::from(value.as_str())).is_some() {
            return Err(Fault::bad(format!("definition is invalid; {field} is a field of the request, not of the definition")));
        }
    }
    let written = Value::Object(table);
    let definition = RouteDefinition::parse(written.clone()).map_err(|error| invalid(&error))?;
    Ok((written, definition))
}

pub(super) fn invalid(error: &impl std::fmt::Display) -> Fault {
    Fault::bad(format!("route is invalid; {error}"))
}
