//! Targets that their users share: each is started by its first user, and ends with its last one.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_util::future::BoxFuture;
use redrive_core::Span;
use redrive_store::Clock;

use crate::cluster::ClusterSettings;
use crate::redis_server::RedisServerSettings;
use crate::{OriginConnections, StartedTarget, TargetError, TargetSettings};

/// The started targets of a process. Users of the same name, settings and connections share one. It ends when its last user
/// drops it, and its workers are killed then.
#[derive(Debug, Default)]
pub struct StartedTargets {
    shared: Mutex<Vec<SharedTarget>>,
}

#[derive(Debug)]
struct SharedTarget {
    name: String,
    settings: TargetSettings,
    /// What the settings refer to.
    connections: TargetConnections,
    started: Arc<StartedOnce>,
}

/// The connections that the settings of a target refer to.
#[derive(Debug, PartialEq)]
struct TargetConnections {
    cluster: Option<ClusterSettings>,
    redis: Option<RedisServerSettings>,
}

impl TargetConnections {
    fn of(settings: &TargetSettings, connections: OriginConnections<'_>) -> Self {
        let OriginConnections { clusters, redis } = connections;
        Self {
            cluster: settings.kafka.as_ref().and_then(|kafka| clusters.get(kafka.cluster())).cloned(),
            redis: settings.mailbox.as_ref().and_then(|mailbox| redis.get(mailbox.redis())).cloned(),
        }
    }
}

/// Locked while the target starts.
type StartedOnce = tokio::sync::Mutex<Weak<StartedTarget>>;

impl StartedTargets {
    /// The target of this name with these settings, started if it has no user.
    pub fn get<'f>(
        &'f self,
        name: &'f str,
        settings: &'f TargetSettings,
        connections: OriginConnections<'f>,
        clock: &'f Arc<dyn Clock>,
    ) -> BoxFuture<'f, Result<Arc<StartedTarget>, TargetError>> {
        Box::pin(async move {
            let shared = self.shared(name, settings, TargetConnections::of(settings, connections));
            let mut started = shared.lock().await;
            if let Some(target) = started.upgrade() {
                return Ok(target);
            }
            let target = Arc::new(settings.check(connections)?.start(clock).await?);
            *started = Arc::downgrade(&target);
            Ok(target)
        })
    }

    fn shared(&self, name: &str, settings: &TargetSettings, connections: TargetConnections) -> Arc<StartedOnce> {
        let mut all = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(SharedTarget::is_used);
        let is_same = |target: &&SharedTarget| {
            target.name == name && target.settings == *settings && target.connections == connections
        };
        if let Some(found) = all.iter().find(is_same) {
            return Arc::clone(&found.started);
        }
        let started = Arc::new(StartedOnce::default());
        let (name, settings) = (name.to_owned(), settings.clone());
        all.push(SharedTarget { name, settings, connections, started: Arc::clone(&started) });
        started
    }

    /// Ends the workers of all targets; their calls have `within` to finish. Stop the users at the same time.
    pub fn stop(&self, within: Span) -> BoxFuture<'_, ()> {
        Box::pin(async move {
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
        })
    }
}

impl SharedTarget {
    /// Whether it has a user, or one that starts it.
    fn is_used(&self) -> bool {
        self.started.try_lock().map_or(true, |started| started.strong_count() > 0)
    }
}
