//! The projection from outside.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use redrive_core::{Invalid, LetterId, QueueName, Span};
use redrive_model::{GetLetter, Rejection};
use redrive_store::{Clock, Store, StoreError, SystemClock};
use serde::Deserialize;
use serde_json::json;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{Core, ProjectionNumbers, ProjectionState, RefillProgress, task};
use crate::rebuild::{self, Rebuilt};
use crate::restore::IndexRestore;
use crate::search::Search;
use crate::{SearchError, SearchSettings};

/// Keeps an index of OpenSearch like the letters of a store.
///
/// It works in a task of its own, from the feed of changes, and is in nobody's way: a capture does not wait for it unless
/// somebody [confirms](Self::confirm). Changes that the index does not take wait in the store, for as long as it lasts.
#[derive(Debug)]
pub struct Projection {
    core: Arc<Core>,
    stop: CancellationToken,
    task: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Deserialize)]
struct Found {
    docs: Vec<Doc>,
}

#[derive(Deserialize)]
struct Doc {
    #[serde(rename = "_id")]
    id: String,
    #[serde(rename = "_version", default)]
    version: Option<u64>,
}

impl Projection {
    /// Starts it, in the runtime of whoever calls. Whether OpenSearch can be reached shows in the [numbers](Self::numbers).
    pub fn start(store: Arc<dyn Store>, settings: SearchSettings) -> Result<Self, Invalid> {
        Self::start_with_clock(store, settings, Arc::new(SystemClock))
    }

    /// The same, where ages are told by another clock.
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

    /// Stops it, wherever it is: what was not acknowledged is told again at the next start.
    pub async fn stop(&self) {
        self.stop.cancel();
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task
            && let Err(error) = task.await
        {
            tracing::error!(error = %error, "the projection ended by a panic");
        }
    }

    /// The alias under which letters are searched.
    pub fn index(&self) -> &str {
        &self.core.settings.index
    }

    pub fn numbers(&self) -> ProjectionNumbers {
        self.core.progress.numbers()
    }

    /// Waits until the numbers are so.
    pub async fn until(&self, is_so: impl Fn(&ProjectionNumbers) -> bool) -> ProjectionNumbers {
        self.core.progress.until(is_so).await
    }

    /// Asks now whether the index could take a letter. For strict mode, before a capture.
    pub async fn probe(&self) -> Result<(), SearchError> {
        let numbers = self.numbers();
        if numbers.state == ProjectionState::Down {
            return Err(SearchError::Down(numbers.trouble.unwrap_or_default()));
        }
        // What changes meanwhile is written when all else is, which may take longer than anybody waits.
        if let Some(RefillProgress { done, total }) = numbers.refill {
            return Err(SearchError::Down(format!("it is being refilled, {done} of {total} letters")));
        }
        Ok(self.core.index.is_well().await?)
    }

    /// Waits until the index has acknowledged these letters as they are now, or newer. For strict mode, after a capture.
    ///
    /// A letter that is gone has nothing to be acknowledged. When the projection is down, or goes down, that is told at once.
    pub async fn confirm(&self, queue: &QueueName, letters: &[LetterId], within: Span) -> Result<(), SearchError> {
        let wanted = self.revisions(queue, letters).await?;
        if wanted.is_empty() {
            return Ok(());
        }
        let mut ticket = self.core.confirmations.wait_for(wanted.clone());
        // What was acknowledged before anybody asked.
        let before = self.acknowledged(&wanted).await?;
        self.core.confirmations.acknowledge(&before);
        let outcome = tokio::select! {
            _ = &mut ticket.done => return Ok(()),
            down = self.until(|numbers| numbers.state == ProjectionState::Down) => {
                SearchError::Down(down.trouble.unwrap_or_default())
            }
            () = self.stop.cancelled() => SearchError::Stopped,
            () = tokio::time::sleep(within.into()) => SearchError::Unconfirmed { letters: ticket.left(), within },
        };
        // It may have come with the last of the time.
        if ticket.left() == 0 { Ok(()) } else { Err(outcome) }
    }

    async fn revisions(&self, queue: &QueueName, letters: &[LetterId]) -> Result<HashMap<LetterId, u64>, SearchError> {
        let mut revisions = HashMap::new();
        for letter in letters {
            match self.core.store.letter(GetLetter { queue: queue.clone(), letter: *letter }).await {
                Ok(record) => {
                    revisions.extend(record.info.letter.map(|info| (info.id, info.revision)));
                }
                Err(StoreError::Rejected(Rejection::NoSuchLetter(_) | Rejection::NoSuchQueue(_))) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(revisions)
    }

    /// Which revisions the index has, at this moment: this is no search, and needs no refresh.
    async fn acknowledged(&self, wanted: &HashMap<LetterId, u64>) -> Result<Vec<(LetterId, u64)>, SearchError> {
        let ids: Vec<&LetterId> = wanted.keys().collect();
        let path = format!("/{}/_mget?_source=false", self.core.settings.index);
        let found: Found = self.core.client.post(&path, &json!({"ids": ids})).await?;
        let known = found.docs.into_iter().filter_map(|doc| Some((doc.id.parse().ok()?, doc.version?)));
        Ok(known.collect())
    }

    /// Lets searches see everything that the index has acknowledged.
    pub async fn refresh(&self) -> Result<(), SearchError> {
        Ok(self.core.index.refresh(&self.core.settings.index).await?)
    }

    /// Makes the index anew out of the store, while work goes on.
    ///
    /// The new index is filled beside the old one, compared with the store, and takes its place in one step. It goes on when
    /// the caller does not wait for it any more.
    pub async fn rebuild(&self) -> Result<Rebuilt, SearchError> {
        let (core, stop) = (Arc::clone(&self.core), self.stop.clone());
        let work = tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => Err(SearchError::Stopped),
                rebuilt = rebuild::run(&core) => rebuilt,
            }
        });
        work.await.unwrap_or(Err(SearchError::Stopped))
    }

    /// Searches letters.
    pub fn search(&self) -> Search {
        Search::over(self.core.client.clone(), self.core.settings.index.clone())
    }

    /// Reads whole letters back.
    pub fn restore(&self) -> IndexRestore {
        IndexRestore::over(self.core.client.clone(), self.core.settings.index.clone())
    }
}

impl Drop for Projection {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
