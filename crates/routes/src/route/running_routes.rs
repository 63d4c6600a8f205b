//! All routes of a process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redrive_core::Span;
use redrive_run::LetterBox;
use redrive_store::{Clock, Store};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::environment::RouteEnvironment;
use super::status::{RouteIntent, RouteOrigin, RouteStatus};
use super::supervisor::{ObservedRoute, Supervisor, WantedRoute};
use super::{Connections, RouteDefinition, RouteId, RouteSettingsError};

/// The routes of a process. Each runs in its own task: one that fails, or is changed, does not affect the others.
pub struct RunningRoutes {
    env: Arc<RouteEnvironment>,
    routes: Mutex<BTreeMap<RouteId, ManagedRoute>>,
}

struct ManagedRoute {
    origin: RouteOrigin,
    wanted: watch::Sender<WantedRoute>,
    observed: Arc<ObservedRoute>,
    task: JoinHandle<()>,
}

impl RunningRoutes {
    pub fn new(
        store: Arc<dyn Store>,
        letter_box: Arc<dyn LetterBox>,
        clock: Arc<dyn Clock>,
        connections: Connections,
    ) -> Self {
        let env = Arc::new(RouteEnvironment::new(store, letter_box, clock, connections));
        Self { env, routes: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<RouteId, ManagedRoute>> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks a definition against what is defined, without starting anything.
    pub fn check(&self, definition: &RouteDefinition, origin: RouteOrigin) -> Result<(), RouteSettingsError> {
        self.env.connections().check(&definition.settings, origin)
    }

    /// Adds a route, or replaces the definition of one: it drains and starts anew, without an effect on the others.
    pub fn put(&self, definition: RouteDefinition, origin: RouteOrigin, intent: RouteIntent) {
        let id = definition.settings.id();
        let definition = Arc::new(definition);
        let mut routes = self.lock();
        if let Some(route) = routes.get_mut(&id) {
            route.origin = origin;
            route.wanted.send_if_modified(|wanted| {
                let is_changed = *wanted.definition != *definition || wanted.intent != intent;
                if *wanted.definition != *definition {
                    wanted.definition = definition;
                }
                wanted.intent = intent;
                is_changed
            });
            return;
        }
        let observed = Arc::new(ObservedRoute::new(self.env.clock.now()));
        let (wanted, receiver) = watch::channel(WantedRoute { definition, intent, edition: 0, is_closing: false });
        let supervisor = Supervisor {
            id: id.clone(),
            env: Arc::clone(&self.env),
            wanted: receiver,
            observed: Arc::clone(&observed),
        };
        let task = tokio::spawn(supervisor.run());
        routes.insert(id, ManagedRoute { origin, wanted, observed, task });
    }

    /// Changes what is wanted of a route. Returns `false` if there is none.
    pub fn set_intent(&self, id: &RouteId, intent: RouteIntent) -> bool {
        match self.lock().get(id) {
            Some(route) => {
                route.wanted.send_if_modified(|wanted| std::mem::replace(&mut wanted.intent, intent) != intent);
                true
            }
            None => false,
        }
    }

    /// Removes a route, and waits until it has drained. Returns `false` if there is none.
    pub async fn remove(&self, id: &RouteId) -> bool {
        let Some(route) = self.lock().remove(id) else { return false };
        route.close().await;
        true
    }

    /// Replaces all routes of the configuration file, and what routes refer to. Routes that did not change, and whose
    /// target, cluster and server did not change, go on.
    pub async fn reload(&self, connections: Connections, definitions: Vec<RouteDefinition>) {
        let before = self.env.connections();
        self.env.replace_connections(connections);
        let after = self.env.connections();
        let kept: Vec<RouteId> = definitions.iter().map(|definition| definition.settings.id()).collect();
        let removed: Vec<RouteId> = {
            let routes = self.lock();
            let of_file = routes.iter().filter(|(_, route)| route.origin == RouteOrigin::File);
            of_file.map(|(id, _)| id.clone()).filter(|id| !kept.contains(id)).collect()
        };
        for id in &removed {
            self.remove(id).await;
        }
        for definition in definitions {
            let intent = self.intent(&definition.settings.id()).unwrap_or_default();
            self.put(definition, RouteOrigin::File, intent);
        }
        for route in self.lock().values() {
            route.wanted.send_if_modified(|wanted| {
                let is_changed = before.of(&wanted.definition.settings) != after.of(&wanted.definition.settings);
                wanted.edition += u64::from(is_changed);
                is_changed
            });
        }
    }

    fn intent(&self, id: &RouteId) -> Option<RouteIntent> {
        self.lock().get(id).map(|route| route.wanted.borrow().intent)
    }

    /// The routes of a namespace, or all, in the order of their names.
    pub fn ids(&self, namespace: Option<&str>) -> Vec<RouteId> {
        let is_asked = |id: &&RouteId| namespace.is_none_or(|namespace| id.namespace == namespace);
        self.lock().keys().filter(is_asked).cloned().collect()
    }

    pub fn origin(&self, id: &RouteId) -> Option<RouteOrigin> {
        self.lock().get(id).map(|route| route.origin)
    }

    /// The state of a route; `None` if there is none.
    pub async fn status(&self, id: &RouteId) -> Option<RouteStatus> {
        let (origin, wanted, observed) = {
            let routes = self.lock();
            let route = routes.get(id)?;
            (route.origin, route.wanted.borrow().clone(), Arc::clone(&route.observed))
        };
        let read = match observed.monitor() {
            Some((run, monitor)) => Some((run, monitor.health().await)),
            None => None,
        };
        let (state, since) = observed.state();
        let totals = observed.totals(read.as_ref().map(|(run, health)| (*run, &health.report)));
        let health = read.map(|(_, health)| health);
        Some(RouteStatus {
            definition: (*wanted.definition).clone(),
            origin,
            intent: wanted.intent,
            state,
            since,
            consumer: observed.consumer().map(|consumer| consumer.snapshot()),
            recent: observed.recent(totals, self.env.clock.now()),
            totals,
            health,
        })
    }

    /// Drains all routes at the same time, and stops their targets.
    pub async fn stop(&self, within: Span) {
        let all: Vec<ManagedRoute> = std::mem::take(&mut *self.lock()).into_values().collect();
        futures_util::future::join_all(all.into_iter().map(ManagedRoute::close)).await;
        self.env.targets.stop(within).await;
    }
}

impl ManagedRoute {
    async fn close(self) {
        self.wanted.send_modify(|wanted| wanted.is_closing = true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the task of a route failed");
        }
    }
}

impl std::fmt::Debug for RunningRoutes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunningRoutes").field("routes", &self.lock().len()).finish_non_exhaustive()
    }
}
