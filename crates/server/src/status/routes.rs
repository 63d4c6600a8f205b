//! The routes of the overview.

use futures_util::future::join_all;
use redrive_proto::redrive::v1::{RouteInfo, RouteStatusEntry};
use redrive_routes::{RouteId, RouteIntent, RouteState};

use super::attention::Findings;
use crate::api_error::ApiError;
use crate::auth::{Permission, SYSTEM, or_system};
use crate::letters::HEALTH_TIMEOUT;
use crate::request_context::RequestContext;
use crate::routes::route_info;

/// Maximum number of routes of an overview.
const ROUTES_MAX: usize = 100;

/// The routes that the caller may read, those that are not healthy first, and their number.
pub(super) async fn routes(
    ctx: &RequestContext,
    namespace: &str,
    findings: &mut Findings,
) -> Result<(Vec<RouteStatusEntry>, usize), ApiError> {
    let Some(routes) = ctx.app.routes.get() else { return Ok((Vec::new(), 0)) };
    let mut ids = routes.running.ids((!namespace.is_empty()).then(|| or_own(namespace)));
    ids.sort();
    let mut readable = Vec::new();
    let mut last: Option<(String, bool)> = None;
    for id in ids {
        let is_readable = match &last {
            Some((namespace, is_readable)) if *namespace == id.namespace => *is_readable,
            _ => ctx.permissions_in(or_system(&id.namespace)).await?.has(Permission::RoutesRead),
        };
        last = Some((id.namespace.clone(), is_readable));
        if is_readable {
            readable.push(id);
        }
    }
    let read = |id| tokio::time::timeout(HEALTH_TIMEOUT, routes.running.status(id));
    let statuses = join_all(readable.iter().map(read)).await;
    let mut entries = Vec::new();
    for (id, status) in readable.iter().zip(statuses) {
        let (entry, should_run) = match status {
            Ok(Some(status)) => {
                let should_run = status.intent == RouteIntent::Run && status.state != RouteState::Starting;
                (entry(route_info(id, status)), should_run)
            }
            // Removed meanwhile.
            Ok(None) => continue,
            Err(_) => (unresponsive(id), true),
        };
        findings.check_route(&entry, should_run);
        entries.push(entry);
    }
    let total = entries.len();
    entries.sort_by_key(|entry| entry.is_healthy);
    entries.truncate(ROUTES_MAX);
    Ok((entries, total))
}

/// The namespace of a request as routes have it: empty for that of the system.
fn or_own(namespace: &str) -> &str {
    if namespace == SYSTEM { "" } else { namespace }
}

fn unresponsive(id: &RouteId) -> RouteStatusEntry {
    let (namespace, name) = (id.namespace.clone(), id.name.clone());
    RouteStatusEntry { namespace, name, state: "unresponsive".to_owned(), ..RouteStatusEntry::default() }
}

fn entry(info: RouteInfo) -> RouteStatusEntry {
    let open = info.destinations.iter().find(|destination| destination.breaker != "closed");
    let error = match info.troubles.first() {
        _ if !info.error.is_empty() => info.error,
        Some(trouble) => trouble.error.clone(),
        None => open.map(|destination| destination.last_error.clone()).unwrap_or_default(),
    };
    RouteStatusEntry {
        namespace: info.namespace,
        name: info.name,
        state: info.state,
        // An outage of the target is not a error of the route, but needs attention.
        is_healthy: info.is_healthy && open.is_none(),
        running: info.running,
        lag: info.lag,
        done_per_minute: info.done_per_minute,
        letters_per_minute: info.letters_per_minute,
        error,
    }
}
