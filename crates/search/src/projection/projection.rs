//! The public API of the projection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use redrive_core::{Invalid, LetterId, QueueName, Span};
use redrive_store::{Clock, Store, SystemClock};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{Core, ProjectionNumbers, ProjectionState, RefillProgress, task};
use crate::rebuild::{self, Rebuilt};
use crate::restore::IndexRestore;
use crate::search::Search;
use crate::stored::stored_revision;
use crate::{SearchError, SearchSettings};

/// Keeps an OpenSearch index in sync with the letters of a store.
///
/// It runs in a separate task and reads the feed of changes. A capture does not wait for it, unless the caller
/// [confirms](Self::confirm) it. Changes that the index does not accept wait in the store, however long an outage
/// lasts.
#[derive(Debug)]
pub struct Projection {
    core: Arc<Core>,
    stop: CancellationToken,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Projection {
    /// Starts the projection in the current Tokio runtime. The [numbers](Self::numbers) show whether OpenSearch is
    /// reachable.
    pub fn start(store: Arc<dyn Store>, settings: SearchSettings) -> Result<Self, Invalid> {
        Self::start_with_clock(store, settings, Arc::new(SystemClock))
    }

    /// Starts the projection with a given clock, which is used for ages.
    pub fn start_with_clock(
        store: Arc<dyn Store>,
        settings: SearchSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Invalid> {
        let core = Arc::new(Core::new(store, settings, clock)?);
        let stop = CancellationToken::new();
        let task = tokio::spawn(task::run(Arc::clone(&core), stop.clone()));
        Ok(Self { core, stop, task: Mutex::new(Some(task)) })
    }

    /// Stops the projection at once: changes that were not acknowledged are sent again after the next start.
    pub fn stop(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.stop.cancel();
            let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(task) = task
                && let Err(error) = task.await
            {
                tracing::error!(error = %error, "projection task panicked");
            }
        })
    }

    /// The alias of the index.
    pub fn index(&self) -> &str {
        &self.core.settings.index
    }

    pub fn numbers(&self) -> ProjectionNumbers {
        self.core.progress.numbers()
    }

    /// Waits until a condition holds, and returns the numbers.
    pub async fn until(&self, condition: impl Fn(&ProjectionNumbers) -> bool) -> ProjectionNumbers {
        self.core.progress.until(condition).await
    }

    /// Checks whether the index can accept a letter now. For strict mode, before a capture.
    pub fn probe(&self) -> BoxFuture<'_, Result<(), SearchError>> {
        Box::pin(async move {
            let numbers = self.numbers();
            if numbers.state == ProjectionState::Down {
                return Err(SearchError::Down(numbers.trouble.unwrap_or_default()));
            }
            // Changes during a refill are written after it, which may take longer than a caller waits.
            if let Some(RefillProgress { done, total }) = numbers.refill {
                return Err(SearchError::Down(format!("it is being refilled, {done} of {total} letters")));
            }
            Ok(self.core.index.is_well().await?)
        })
    }

    /// Waits until the index has acknowledged these letters in their current or a newer revision. For strict mode,
    /// after a capture.
    ///
    /// Removed letters are ignored. Returns an error at once if the projection is down or goes down.
    pub fn confirm<'f>(
        &'f self,
        queue: &'f QueueName,
        letters: &'f [LetterId],
        within: Span,
    ) -> BoxFuture<'f, Result<(), SearchError>> {
        Box::pin(async move {
            let revisions = self.revisions(queue, letters).await?;
            if revisions.is_empty() {
                return Ok(());
            }
            let mut confirmation = self.core.confirmations.wait_for(revisions.clone());
            // Letters that were acknowledged before this call.
            let letters: Vec<LetterId> = revisions.keys().copied().collect();
            let before = self.core.client.versions(self.index(), &letters).await?;
            self.core.confirmations.acknowledge(&before.into_iter().collect::<Vec<_>>());
            let outcome = tokio::select! {
                _ = &mut confirmation.done => return Ok(()),
                down = self.until(|numbers| numbers.state == ProjectionState::Down) => {
                    SearchError::Down(down.trouble.unwrap_or_default())
                }
                () = self.stop.cancelled() => SearchError::Stopped,
                () = tokio::time::sleep(within.into()) => {
                    SearchError::Unconfirmed { letters: confirmation.left(), within }
                }
            };
            // The acknowledgement may have arrived at the last moment.
            if confirmation.left() == 0 { Ok(()) } else { Err(outcome) }
        })
    }

    async fn revisions(&self, queue: &QueueName, letters: &[LetterId]) -> Result<HashMap<LetterId, u64>, SearchError> {
        let mut revisions = HashMap::new();
        for letter in letters {
            let revision = stored_revision(&*self.core.store, queue, *letter).await?;
            revisions.extend(revision.map(|revision| (*letter, revision)));
        }
        Ok(revisions)
    }

    /// Makes all acknowledged changes visible to searches.
    pub async fn refresh(&self) -> Result<(), SearchError> {
        Ok(self.core.client.refresh(&self.core.settings.index).await?)
    }

    /// Builds a new index from the store while the projection keeps working.
    ///
    /// The new index is filled beside the old one, compared with the store, and replaces it in one step. The rebuild
    /// continues if the caller drops the future.
    pub fn rebuild(&self) -> BoxFuture<'_, Result<Rebuilt, SearchError>> {
        Box::pin(async move {
            let (core, stop) = (Arc::clone(&self.core), self.stop.clone());
            let work = tokio::spawn(async move {
                tokio::select! {
                    () = stop.cancelled() => Err(SearchError::Stopped),
                    rebuilt = rebuild::run(&core) => rebuilt,
                }
            });
            work.await.unwrap_or(Err(SearchError::Stopped))
        })
    }

    /// Returns a search over the index.
    pub fn search(&self) -> Search {
        Search::with_client(self.core.client.clone(), self.core.settings.index.clone())
    }

    /// Returns a reader of complete letters.
    pub fn restore(&self) -> IndexRestore {
        IndexRestore::with_client(self.core.client.clone(), self.core.settings.index.clone())
    }
}

impl Drop for Projection {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
