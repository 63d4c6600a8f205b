//! All routes of a process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use redrive_core::{QueueName, Span, Time};
use redrive_model::Origin;
use redrive_run::Handler;
use tokio::sync::watch;

use super::environment::{CurrentConnections, RouteEnvironment};
use super::observed::ObservedRoute;
use super::status::{RouteIntent, RouteOrigin, RouteState, RouteStatus};
use super::supervisor::{Closing, DesiredState, Supervisor};
use super::{Connections, RouteDefinition, RouteId, RouteSettingsError};
use crate::{StartedTarget, TargetError};

/// The routes of a process. Each runs in its own task: one that fails, or is changed, does not affect the others.
pub struct RunningRoutes {
    env: Arc<RouteEnvironment>,
    connections: Arc<CurrentConnections>,
    routes: Mutex<Routes>,
}

/// A route as it should run.
#[derive(Debug, Clone)]
pub struct DesiredRoute {
    pub definition: RouteDefinition,
    pub origin: RouteOrigin,
    pub intent: RouteIntent,
}

#[derive(Default)]
struct Routes {
    by_id: BTreeMap<RouteId, ManagedRoute>,
    /// Removed routes that still drain.
    removed: Vec<ManagedRoute>,
    /// The process ends: nothing starts any more.
    is_closed: bool,
}

struct ManagedRoute {
    desired: watch::Sender<DesiredState>,
    observed: Arc<ObservedRoute>,
    /// Kept while the route exists, so that its connection is used again.
    origin_target: Option<Arc<StartedTarget>>,
}

impl RunningRoutes {
    pub fn new(env: RouteEnvironment, connections: Connections) -> Self {
        let connections = Arc::new(CurrentConnections::new(Arc::new(connections)));
        Self { env: Arc::new(env), connections, routes: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Routes> {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        routes.removed.retain(|route| !route.desired.is_closed());
        routes
    }

    /// Checks a definition against what is defined, without starting anything.
    pub fn check(&self, definition: &RouteDefinition, origin: RouteOrigin) -> Result<(), RouteSettingsError> {
        self.connections.borrow().check(&definition.settings, origin)
    }

    /// Adds a route, or replaces the definition of one: it drains and starts again, without an effect on the others. After
    /// [`stop`](Self::stop) it has no effect.
    pub fn put(&self, route: DesiredRoute) {
        self.put_into(&mut self.lock(), route);
    }

    fn put_into(&self, routes: &mut Routes, route: DesiredRoute) {
        if routes.is_closed {
            return;
        }
        let DesiredRoute { definition, origin, intent } = route;
        let id = definition.settings.id();
        if let Some(route) = routes.by_id.get(&id) {
            route.desired.send_if_modified(|desired| {
                let is_other = *desired.definition != definition;
                if is_other {
                    desired.definition = Arc::new(definition);
                }
                let is_changed = is_other || desired.origin != origin || desired.intent != intent;
                (desired.origin, desired.intent) = (origin, intent);
                is_changed
            });
            return;
        }
        let observed = Arc::new(ObservedRoute::new(self.env.clock.now()));
        let definition = Arc::new(definition);
        let (desired, receiver) =
            watch::channel(DesiredState { definition, origin, intent, edition: 0, closing: None });
        let supervisor = Supervisor {
            id: id.clone(),
            env: Arc::clone(&self.env),
            connections: Arc::clone(&self.connections),
            desired: receiver,
            observed: Arc::clone(&observed),
        };
        tokio::spawn(supervisor.run());
        routes.by_id.insert(id, ManagedRoute { desired, observed, origin_target: None });
    }

    /// Changes what a route should do. One that has failed tries to start at once, also if it should run already. Returns
    /// `false` if there is none.
    pub fn set_intent(&self, id: &RouteId, intent: RouteIntent) -> bool {
        match self.lock().by_id.get(id) {
            Some(route) => {
                route.desired.send_modify(|desired| desired.intent = intent);
                true
            }
            None => false,
        }
    }

    /// Removes a route. The returned future waits until it has drained; there is none if there is no such route.
    pub fn remove(&self, id: &RouteId) -> Option<impl Future<Output = ()> + Send + use<>> {
        let mut routes = self.lock();
        let route = routes.by_id.remove(id)?;
        let drained = route.close(Closing::Removed);
        routes.removed.push(route);
        Some(drained)
    }

    /// Replaces all routes, and what they refer to. Routes that did not change, and whose target, cluster and server did
    /// not change, go on; the others drain and start again, and missing ones drain and end.
    pub fn replace(&self, connections: Connections, desired: Vec<DesiredRoute>) {
        let mut routes = self.lock();
        let after = Arc::new(connections);
        let before = self.connections.send_replace(Arc::clone(&after));
        let is_kept = |id: &RouteId| desired.iter().any(|route| route.definition.settings.id() == *id);
        let missing: Vec<RouteId> = routes.by_id.keys().filter(|id| !is_kept(id)).cloned().collect();
        for route in missing.iter().filter_map(|id| routes.by_id.remove(id)).collect::<Vec<_>>() {
            drop(route.close(Closing::Removed));
            routes.removed.push(route);
        }
        for route in desired {
            self.put_into(&mut routes, route);
        }
        for route in routes.by_id.values() {
            route.desired.send_if_modified(|desired| {
                let is_changed = before.of(&desired.definition.settings) != after.of(&desired.definition.settings);
                desired.edition += u64::from(is_changed);
                is_changed
            });
        }
    }

    /// The routes of a namespace, or all, in the order of their names.
    pub fn ids(&self, namespace: Option<&str>) -> Vec<RouteId> {
        let is_asked = |id: &&RouteId| namespace.is_none_or(|namespace| id.namespace == namespace);
        self.lock().by_id.keys().filter(is_asked).cloned().collect()
    }

    pub fn origin(&self, id: &RouteId) -> Option<RouteOrigin> {
        self.lock().by_id.get(id).map(|route| route.desired.borrow().origin)
    }

    /// A route that uses a queue of this process's store, and is not stopped. While there is one, the queue must not be
    /// deleted: a queue of the same name may be another namespace's.
    pub fn user_of(&self, queue: &QueueName) -> Option<RouteId> {
        let routes = self.lock();
        routes.by_id.values().chain(&routes.removed).find_map(|route| {
            let desired = route.desired.borrow();
            let settings = &desired.definition.settings;
            let is_stopped = !desired.runs() && route.observed.state().0 == RouteState::Stopped;
            let is_user = !is_stopped && settings.own_queues().any(|own| own == queue.as_str());
            is_user.then(|| settings.id())
        })
    }

    /// Whether [`stop`](Self::stop) was called: there are no routes any more.
    pub fn is_stopping(&self) -> bool {
        self.lock().is_closed
    }

    /// The route from whose topic or mailbox an origin of letters in a dead queue is; `None` if no route of the namespace
    /// has this dead queue and reads it from the server of the origin, or if such routes read from different servers and
    /// that of the origin is not known.
    pub fn route_of(&self, namespace: &str, letters: &QueueName, origin: &Origin) -> Option<RouteId> {
        let mut found: Option<(RouteId, Option<String>)> = None;
        for (id, route) in self.lock().by_id.iter().filter(|(id, _)| id.namespace == namespace) {
            let desired = route.desired.borrow();
            let settings = &desired.definition.settings;
            if settings.dead_queue.as_deref() != Some(letters.as_str()) || !settings.reads(origin) {
                continue;
            }
            let server = settings.server_of_source();
            if origin.server.as_deref().is_some_and(|origin| Some(origin) != server) {
                continue;
            }
            match &found {
                Some((_, other)) if other.as_deref() != server => return None,
                Some(_) => {}
                None => found = Some((id.clone(), server.map(str::to_owned))),
            }
        }
        found.map(|(id, _)| id)
    }

    /// A handler that hands letters of a dead queue back to the source of a route; `None` if the route is gone or has
    /// another dead queue.
    pub fn hand_back<'f>(
        &'f self,
        id: &'f RouteId,
        letters: &'f QueueName,
    ) -> BoxFuture<'f, Option<Result<Arc<dyn Handler>, TargetError>>> {
        Box::pin(async move {
            let settings = {
                let routes = self.lock();
                let desired = routes.by_id.get(id)?.desired.borrow();
                let settings = &desired.definition.settings;
                let is_current = settings.dead_queue.as_deref() == Some(letters.as_str());
                settings.origin_target().filter(|_| is_current)?
            };
            let connections = Arc::clone(&self.connections.borrow());
            let name = format!("the origin of route {id}");
            let started = self.env.targets.get(&name, &settings, connections.origins(), &self.env.clock).await;
            let target = match started {
                Ok(target) => target,
                Err(error) => return Some(Err(error)),
            };
            if let Some(route) = self.lock().by_id.get_mut(id) {
                route.origin_target = Some(Arc::clone(&target));
            }
            Some(Ok(target.handler(&self.env.store, letters)))
        })
    }

    /// The states of a route, each with its start; `None` if there is no such route.
    pub fn states(&self, id: &RouteId) -> Option<watch::Receiver<(RouteState, Time)>> {
        self.lock().by_id.get(id).map(|route| route.observed.subscribe())
    }

    /// The status of a route; `None` if there is none.
    pub fn status<'f>(&'f self, id: &'f RouteId) -> BoxFuture<'f, Option<RouteStatus>> {
        Box::pin(async move {
            let (desired, observed) = {
                let routes = self.lock();
                let route = routes.by_id.get(id)?;
                (route.desired.borrow().clone(), Arc::clone(&route.observed))
            };
            let read = match observed.current() {
                Some(run) => {
                    let (health, source) = futures_util::future::join(run.monitor.health(), run.source()).await;
                    Some((run, health, source))
                }
                None => None,
            };
            let (state, since) = observed.state();
            let totals = observed.totals(read.as_ref().map(|(run, health, _)| (run, &health.report)));
            let (health, source) = read.map_or((None, None), |(_, health, source)| (Some(health), source));
            Some(RouteStatus {
                definition: (*desired.definition).clone(),
                origin: desired.origin,
                intent: desired.intent,
                state,
                since,
                recent: observed.recent(totals, self.env.clock.now()),
                totals,
                health,
                source,
            })
        })
    }

    /// Drains all routes at the same time, and waits for them. Running calls have at most `within`. Nothing starts
    /// afterwards.
    pub fn stop(&self, within: Span) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let drained: Vec<_> = {
                let mut routes = self.lock();
                routes.is_closed = true;
                let by_id = std::mem::take(&mut routes.by_id);
                routes.removed.extend(by_id.into_values());
                routes.removed.iter().map(|route| route.close(Closing::Within(within))).collect()
            };
            futures_util::future::join_all(drained).await;
        })
    }
}

impl ManagedRoute {
    /// Tells the route to close. The returned future waits until it has.
    fn close(&self, closing: Closing) -> impl Future<Output = ()> + Send + use<> {
        self.desired.send_modify(|desired| desired.closing = Some(closing));
        let desired = self.desired.clone();
        // The supervisor has the only receiver.
        async move { desired.closed().await }
    }
}

impl std::fmt::Debug for RunningRoutes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunningRoutes").field("routes", &self.lock().by_id.len()).finish_non_exhaustive()
    }
}
