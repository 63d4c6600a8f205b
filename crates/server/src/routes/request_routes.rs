//! Routes as requests see them.

use redrive_core::{NamespaceName, QueueName};
use redrive_routes::{RouteDefinition, RouteId, RouteOrigin};
use serde_json::Value;
use tokio::sync::MutexGuard;

use super::server_routes::ServerRoutes;
use crate::audit::AuditTarget;
use crate::auth::SYSTEM;
use crate::fault::{Code, Fault};
use crate::request_context::RequestContext;

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
    pub(super) fn definition_of(
        &self,
        id: &RouteId,
        written: Option<Value>,
    ) -> Result<(Value, RouteDefinition), Fault> {
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
