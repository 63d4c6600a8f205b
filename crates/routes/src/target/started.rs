//! A started target.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{QueueName, Span};
use redrive_run::{Call, HandBack, Handled, Handler, OriginTarget, WorkerPool};
use redrive_store::Store;

use super::limits::Limits;

/// A started target. Its handlers, and clones, share its connections, its workers and its limits.
#[derive(Clone)]
pub struct StartedTarget {
    pub(super) service: Service,
    pub(super) limits: Option<Arc<Limits>>,
    pub(super) timeout: Option<Span>,
}

/// What does the work.
#[derive(Clone)]
pub(super) enum Service {
    Called(Arc<dyn Handler>),
    Workers(WorkerPool),
    /// With the transports besides queues.
    Origin(Vec<Arc<dyn HandBack>>),
}

impl StartedTarget {
    /// A handler of the letters of a queue.
    pub fn handler(&self, store: &Arc<dyn Store>, letters: &QueueName) -> Arc<dyn Handler> {
        let inner: Arc<dyn Handler> = match &self.service {
            Service::Called(target) => Arc::clone(target),
            Service::Workers(pool) => Arc::new(pool.clone()),
            Service::Origin(transports) => {
                let queues = OriginTarget::new(Arc::clone(store), letters.clone());
                Arc::new(transports.iter().map(Arc::clone).fold(queues, OriginTarget::with))
            }
        };
        self.limited(inner)
    }

    fn limited(&self, inner: Arc<dyn Handler>) -> Arc<dyn Handler> {
        match (&self.limits, self.timeout) {
            (None, None) => inner,
            (limits, timeout) => Arc::new(LimitedHandler { inner, limits: limits.clone(), timeout }),
        }
    }

    /// A handler of work that is no letter; `None` for an origin target, which is for letters.
    pub fn work_handler(&self) -> Option<Arc<dyn Handler>> {
        let inner: Arc<dyn Handler> = match &self.service {
            Service::Called(target) => Arc::clone(target),
            Service::Workers(pool) => Arc::new(pool.clone()),
            Service::Origin(_) => return None,
        };
        Some(self.limited(inner))
    }

    /// Ends the workers of the target. Their calls have `within` to finish. Stop the runners over it at the same time.
    pub async fn stop(&self, within: Span) {
        if let Service::Workers(pool) = &self.service {
            pool.stop(within).await;
        }
    }
}

impl fmt::Debug for StartedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.service {
            Service::Called(_) => "called",
            Service::Workers(_) => "workers",
            Service::Origin(_) => "origin",
        };
        f.debug_struct("StartedTarget").field("service", &kind).field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

/// A handler within the limits of its target. A call that waits for its turn has not begun: it spends no attempt and does
/// not time out.
struct LimitedHandler {
    inner: Arc<dyn Handler>,
    limits: Option<Arc<Limits>>,
    timeout: Option<Span>,
}

#[async_trait]
impl Handler for LimitedHandler {
    async fn handle(&self, call: Call) -> Handled {
        let Some(limits) = &self.limits else { return self.inner.handle(call).await };
        call.hold();
        let _permit = limits.permit().await;
        if !call.begin() {
            return Handled::Untouched;
        }
        self.inner.handle(call).await
    }

    fn timeout(&self) -> Option<Span> {
        self.timeout
    }

    fn target(&self) -> String {
        self.inner.target()
    }
}
