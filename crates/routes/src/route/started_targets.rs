//! Targets that their users share: each is started by its first user, and ends with its last one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use redrive_core::Span;
use redrive_store::Clock;

use crate::cluster::ClusterSettings;
use crate::{StartedTarget, TargetError, TargetSettings};

/// The started targets of a process. Users of the same name, settings and cluster share one. It ends when its last user drops it,
/// and its workers are killed then.
#[derive(Debug, Default)]
pub struct StartedTargets {
    shared: Mutex<Vec<SharedTarget>>,
}

#[derive(Debug)]
struct SharedTarget {
    name: String,
    settings: TargetSettings,
    /// The cluster that the settings refer to.
    cluster: Option<ClusterSettings>,
    started: Arc<StartedOnce>,
}

/// Locked while the target starts.
type StartedOnce = tokio::sync::Mutex<Weak<StartedTarget>>;

impl StartedTargets {
    /// The target of this name with these settings, started if it has no user.
    pub async fn get(
        &self,
        name: &str,
        settings: &TargetSettings,
        clusters: &BTreeMap<String, ClusterSettings>,
        clock: &Arc<dyn Clock>,
    ) -> Result<Arc<StartedTarget>, TargetError> {
        let cluster = settings.kafka.as_ref().and_then(|kafka| clusters.get(&kafka.cluster));
        let shared = self.shared(name, settings, cluster);
        let mut started = shared.lock().await;
        if let Some(target) = started.upgrade() {
            return Ok(target);
        }
        let target = Arc::new(settings.check(clusters)?.start(clock).await?);
        *started = Arc::downgrade(&target);
        Ok(target)
    }

    fn shared(&self, name: &str, settings: &TargetSettings, cluster: Option<&ClusterSettings>) -> Arc<StartedOnce> {
        let mut all = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(SharedTarget::is_used);
        let is_same = |target: &&SharedTarget| {
            target.name == name && target.settings == *settings && target.cluster.as_ref() == cluster
        };
        if let Some(found) = all.iter().find(is_same) {
            return Arc::clone(&found.started);
        }
        let started = Arc::new(StartedOnce::default());
        let (name, settings, cluster) = (name.to_owned(), settings.clone(), cluster.cloned());
        all.push(SharedTarget { name, settings, cluster, started: Arc::clone(&started) });
        started
    }

    /// Ends the workers of all targets; their calls have `within` to finish. Stop the users at the same time.
    pub async fn stop(&self, within: Span) {
        let all: Vec<Arc<StartedOnce>> = {
            let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.iter().map(|target| Arc::clone(&target.started)).collect()
        };
        let ends = all.iter().map(|started| async {
            let target = started.lock().await.upgrade();
            if let Some(target) = target {
                target.stop(within).await;
            }
        });
        futures_util::future::join_all(ends).await;
    }
}

impl SharedTarget {
    /// Whether it has a user, or one that starts it.
    fn is_used(&self) -> bool {
        self.started.try_lock().map_or(true, |started| started.strong_count() > 0)
    }
}
