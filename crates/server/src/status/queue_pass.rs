//! Reads queues with their statistics, in the order of their names.

use std::collections::HashMap;
use std::ops::ControlFlow;

use futures_util::future::join_all;
use redrive_core::NamespaceName;
use redrive_model::{GetStats, ListQueues, QueueSettings, QueueStats, Rejection};
use redrive_store::StoreError;

use crate::api_error::ApiError;
use crate::app::App;
use crate::auth::{INTERNAL, Permission, Permissions, namespace_of};
use crate::letters::planned_stats;
use crate::request_context::RequestContext;

/// Number of queues that one read of the store returns.
const BATCH: usize = 1_000;
/// Concurrent reads of statistics: one at a time would wait for the store's thread ten thousand times, and too many
/// would take the places of other requests in its inbox.
const READS: usize = 64;

/// A pass over the queues that a caller may see.
#[derive(Debug)]
pub(crate) struct QueuePass<'c> {
    ctx: &'c RequestContext,
    needs: Permission,
    list: ListQueues,
    /// The caller's permissions, by namespace.
    permissions: HashMap<String, Permissions>,
}

/// A queue that the caller may see.
#[derive(Debug)]
pub(crate) struct SeenQueue<'q> {
    pub(crate) settings: &'q QueueSettings,
    pub(crate) stats: QueueStats,
    /// Whether its letters have a target for retries.
    pub(super) has_target: bool,
    /// The target, if the caller may read letters: it is where their content goes.
    pub(super) target: String,
    /// The caller's permissions in the namespace of the queue.
    pub(super) permissions: Permissions,
}

impl<'q> SeenQueue<'q> {
    pub(super) fn new(app: &App, settings: &'q QueueSettings, stats: QueueStats, permissions: Permissions) -> Self {
        let target = app.processor.get().and_then(|processor| processor.target(&settings.name));
        let has_target = target.is_some();
        let target = target.filter(|_| permissions.has(Permission::LettersRead)).unwrap_or_default();
        Self { settings, stats: planned_stats(stats, has_target), has_target, target, permissions }
    }
}

impl<'c> QueuePass<'c> {
    /// A pass over the queues of one namespace, or of all, whose statistics the caller may read.
    pub(crate) fn new(ctx: &'c RequestContext, namespace: Option<Option<NamespaceName>>) -> Self {
        let list = ListQueues { namespace, pivot: None, limit: BATCH };
        Self { ctx, needs: Permission::QueueStats, list, permissions: HashMap::new() }
    }

    /// Passes over the queues for which the caller has this permission instead.
    pub(crate) fn needing(self, needs: Permission) -> Self {
        Self { needs, ..self }
    }

    /// Begins at the first name that is not less than `pivot`.
    pub(super) fn from(mut self, pivot: Option<Box<str>>) -> Self {
        self.list.pivot = pivot;
        self
    }

    /// Calls `visit` for each queue, until it breaks.
    pub(crate) async fn run(
        mut self,
        mut visit: impl FnMut(SeenQueue<'_>) -> ControlFlow<()> + Send,
    ) -> Result<(), ApiError> {
        loop {
            let page = self.ctx.store().queues(self.list.clone()).await?;
            let mut seen = Vec::with_capacity(page.len());
            for settings in page.iter().filter(|settings| namespace_of(settings) != INTERNAL) {
                let permissions = self.permissions_for(settings).await?;
                if permissions.has(self.needs) {
                    seen.push((settings, permissions));
                }
            }
            let store = self.ctx.store();
            for queues in seen.chunks(READS) {
                let reads = queues.iter().map(|(settings, _)| store.stats(GetStats { queue: settings.name.clone() }));
                for ((settings, permissions), stats) in queues.iter().zip(join_all(reads).await) {
                    let stats = match stats {
                        Ok(stats) => stats,
                        // The queue was deleted meanwhile.
                        Err(StoreError::Rejected(Rejection::NoSuchQueue(_)) | StoreError::QueueGone) => continue,
                        Err(error) => return Err(error.into()),
                    };
                    if visit(SeenQueue::new(&self.ctx.app, settings, stats, *permissions)).is_break() {
                        return Ok(());
                    }
                }
            }
            match page.last() {
                // The smallest name after the last one.
                Some(last) if page.len() == BATCH => self.list.pivot = Some(format!("{}\0", last.name).into()),
                _ => return Ok(()),
            }
        }
    }

    async fn permissions_for(&mut self, queue: &QueueSettings) -> Result<Permissions, ApiError> {
        let namespace = namespace_of(queue);
        if let Some(permissions) = self.permissions.get(namespace) {
            return Ok(*permissions);
        }
        let permissions = self.ctx.permissions_in(namespace).await?;
        self.permissions.insert(namespace.to_owned(), permissions);
        Ok(permissions)
    }
}
