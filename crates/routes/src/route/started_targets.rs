//! Targets that routes share: each is started by its first user.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use redrive_core::Span;
use redrive_store::Clock;
use tokio::sync::OnceCell;

use crate::{StartedTarget, TargetError, TargetSettings};

/// Started targets by name.
#[derive(Debug, Default)]
pub(super) struct StartedTargets {
    by_name: Mutex<BTreeMap<String, SharedTarget>>,
}

#[derive(Debug, Clone)]
struct SharedTarget {
    settings: TargetSettings,
    started: Arc<OnceCell<StartedTarget>>,
}

impl StartedTargets {
    /// The target of this name, started with these settings. One with other settings that runs under the name is not
    /// affected: its users stop it.
    pub(super) async fn get(
        &self,
        name: &str,
        settings: &TargetSettings,
        clock: &Arc<dyn Clock>,
    ) -> Result<StartedTarget, TargetError> {
        let started = {
            let mut by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
            let shared = by_name
                .entry(name.to_owned())
                .and_modify(|shared| {
                    if shared.settings != *settings {
                        *shared = SharedTarget { settings: settings.clone(), started: Arc::default() };
                    }
                })
                .or_insert_with(|| SharedTarget { settings: settings.clone(), started: Arc::default() });
            Arc::clone(&shared.started)
        };
        started.get_or_try_init(|| async { settings.check()?.start(clock).await }).await.cloned()
    }

    /// Ends the workers of all targets. Stop their users at the same time.
    pub(super) async fn stop(&self, within: Span) {
        let all: Vec<StartedTarget> = {
            let by_name = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
            by_name.values().filter_map(|shared| shared.started.get().cloned()).collect()
        };
        futures_util::future::join_all(all.iter().map(|target| target.stop(within))).await;
    }
}
