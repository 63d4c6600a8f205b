//! State shared by the task of the projection and its callers.

use std::sync::Arc;

use redrive_core::Invalid;
use redrive_store::{Clock, Store};
use tokio::sync::Mutex;

use super::confirm::Confirmations;
use super::progress::Progress;
use super::reader::{Batch, Reader};
use super::{Delivered, Target, deliver};
use crate::client::Client;
use crate::index::Index;
use crate::{SearchError, SearchSettings};

#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) client: Client,
    pub(crate) index: Index,
    pub(crate) settings: SearchSettings,
    pub(crate) progress: Progress,
    pub(crate) confirmations: Confirmations,
    /// Held while the alias is created or switched, and while changes are sent to it.
    pub(crate) alias_lock: Mutex<()>,
    /// Held by a running rebuild.
    pub(crate) rebuild_lock: Mutex<()>,
}

impl Core {
    pub(crate) fn new(store: Arc<dyn Store>, settings: SearchSettings, clock: Arc<dyn Clock>) -> Result<Self, Invalid> {
        let client = Client::new(&settings)?;
        Ok(Self {
            store,
            index: Index::new(client.clone(), &settings),
            client,
            progress: Progress::new(clock),
            confirmations: Confirmations::default(),
            alias_lock: Mutex::new(()),
            rebuild_lock: Mutex::new(()),
            settings,
        })
    }

    /// Returns the feed reader of the alias.
    pub(crate) fn reader(&self) -> Reader {
        self.reader_named(format!("search:{}", self.settings.index))
    }

    /// Returns the feed reader of an index that is being rebuilt.
    pub(crate) fn rebuild_reader(&self) -> Reader {
        self.reader_named(format!("search-rebuild:{}", self.settings.index))
    }

    fn reader_named(&self, cursor: String) -> Reader {
        Reader::new(Arc::clone(&self.store), cursor, &self.settings)
    }

    pub(crate) fn alias(&self) -> Target {
        Target { name: self.settings.index.clone(), is_alias: true }
    }

    /// Sends a batch. Acknowledged changes are recorded even if others fail.
    pub(crate) async fn send(&self, target: &Target, batch: Batch) -> Result<(), SearchError> {
        let delivered = deliver(&self.client, target, batch.letters).await;
        self.record(target, &delivered);
        if let Some(trouble) = delivered.trouble {
            return Err(trouble.into());
        }
        for queue in batch.queues {
            self.queue_gone(target, &queue).await?;
        }
        Ok(())
    }

    /// Counts delivered changes, and acknowledges them to waiting callers if the target is the alias.
    pub(crate) fn record(&self, target: &Target, delivered: &Delivered) {
        if delivered.quarantined > 0 {
            tracing::warn!(letters = delivered.quarantined, "index rejected documents; reduced documents were written");
        }
        self.progress.delivered(delivered);
        if target.is_alias {
            self.confirmations.acknowledge(&delivered.acknowledged);
        }
    }
}
