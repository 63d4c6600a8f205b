//! What all routes of a process share.

use std::sync::{Arc, PoisonError, RwLock};

use redrive_run::{Handler, LetterBox};
use redrive_store::{Clock, Store};

use super::started_targets::StartedTargets;
use super::{Connections, RouteSettings, RouteSettingsError, RouteStartError};

pub(super) struct RouteEnvironment {
    pub(super) store: Arc<dyn Store>,
    pub(super) letter_box: Arc<dyn LetterBox>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) targets: StartedTargets,
    connections: RwLock<Arc<Connections>>,
}

impl RouteEnvironment {
    pub(super) fn new(
        store: Arc<dyn Store>,
        letter_box: Arc<dyn LetterBox>,
        clock: Arc<dyn Clock>,
        connections: Connections,
    ) -> Self {
        let connections = RwLock::new(Arc::new(connections));
        Self { store, letter_box, clock, targets: StartedTargets::default(), connections }
    }

    pub(super) fn connections(&self) -> Arc<Connections> {
        Arc::clone(&self.connections.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn replace_connections(&self, connections: Connections) {
        *self.connections.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(connections);
    }

    /// The handler of a route's work.
    pub(super) async fn handler(&self, route: &RouteSettings) -> Result<Arc<dyn Handler>, RouteStartError> {
        let name = route.target.as_deref().ok_or(RouteSettingsError::Target)?;
        let connections = self.connections();
        let settings = connections.targets.get(name).ok_or_else(|| RouteSettingsError::Unknown {
            what: "target",
            name: name.to_owned(),
            known: connections.targets.keys().cloned().collect(),
        })?;
        let target = self.targets.get(name, settings, &self.clock).await?;
        target.work_handler().ok_or_else(|| {
            let rule = "must be an http, grpc or worker target; origin is for letters";
            RouteSettingsError::Combination { setting: "target", rule }.into()
        })
    }
}
