//! Routes as requests see them.

use redrive_core::{NamespaceName, QueueName};
use redrive_routes::{RouteDefinition, RouteId, RouteOrigin};
use serde_json::Value;
use tokio::sync::MutexGuard;

use super::server_routes::ServerRoutes;
use crate::api_error::{ApiError, Code};
use crate::audit::AuditTarget;
use crate::auth::{SYSTEM, or_system};
use crate::request_context::RequestContext;

impl RequestContext {
    pub(super) fn routes(&self) -> Result<&ServerRoutes, ApiError> {
        let routes = self.app.routes.get().map(|routes| &**routes);
        routes.ok_or_else(|| ApiError::new(Code::NotImplemented, "this server runs no routes").because("no_routes"))
    }

    /// The route that a request names. One that the caller may not see is denied before anything is read.
    pub(super) fn existing_route(&self, id: &RouteId) -> Result<RouteOrigin, ApiError> {
        self.routes()?.running.origin(id).ok_or_else(|| missing(id))
    }

    /// Checks that no route uses a queue: it would go on with a queue of the same name, perhaps of another namespace. No
    /// route changes until the result is dropped.
    pub(crate) async fn unused_by_routes(&self, queue: &QueueName) -> Result<Option<MutexGuard<'_, ()>>, ApiError> {
        let Some(routes) = self.app.routes.get() else { return Ok(None) };
        let changes = routes.changes.lock().await;
        match routes.running.user_of(queue) {
            Some(RouteId { name, .. }) => {
                let message =
                    format!("queue is used by a route; stop or delete the route '{name}' before the queue '{queue}'");
                Err(ApiError::bad(message).because("queue_used_by_route").with("route", name).with("queue", queue))
            }
            None => Ok(Some(changes)),
        }
    }

    /// The definition of a request, with the identity that the request gives it.
    pub(super) fn definition_of(
        &self,
        id: &RouteId,
        written: Option<Value>,
    ) -> Result<(Value, RouteDefinition), ApiError> {
        let Some(Value::Object(mut table)) = written else {
            return Err(ApiError::bad("definition is required; an object with the fields of a route"));
        };
        for (field, value) in [("name", &id.name), ("namespace", &id.namespace)] {
            if table.insert(field.to_owned(), Value::from(value.as_str())).is_some() {
                let message =
                    format!("definition is invalid; {field} is a field of the request, not of the definition");
                return Err(ApiError::bad(message));
            }
        }
        let written = Value::Object(table);
        let parsed = RouteDefinition::parse(written.clone(), &self.routes()?.classifier);
        Ok((written, parsed.map_err(|error| invalid(&error))?))
    }
}

/// The namespace of a route: empty for `_system`.
pub(super) fn namespace_of(text: &str) -> Result<String, ApiError> {
    match text {
        "" | SYSTEM => Ok(String::new()),
        name => Ok(NamespaceName::new(name)?.as_str().to_owned()),
    }
}

pub(super) fn id_of(namespace: &str, name: &str) -> Result<RouteId, ApiError> {
    if name.is_empty() {
        return Err(ApiError::bad("name is required; name the route"));
    }
    Ok(RouteId { namespace: namespace_of(namespace)?, name: name.to_owned() })
}

pub(super) fn missing(id: &RouteId) -> ApiError {
    let message = format!("route does not exist; no such route named '{}'", id.name);
    ApiError::new(Code::NotFound, message).because("no_such_route").with("route", &id.name)
}

pub(super) fn targets(namespace: &str, name: &str) -> Option<Vec<AuditTarget>> {
    Some(AuditTarget::list([("namespace", or_system(namespace)), ("route", name)]))
}

pub(super) fn invalid(error: &impl std::fmt::Display) -> ApiError {
    ApiError::bad(format!("route is invalid; {error}")).because("invalid_route")
}
