//! What the projection's task and those who ask something of it share.

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
    /// Held by whoever decides which index the alias stands for.
    pub(crate) tending: Mutex<()>,
    /// Held by a rebuild.
    pub(crate) rebuilding: Mutex<()>,
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
            tending: Mutex::new(()),
            rebuilding: Mutex::new(()),
            settings,
        })
    }

    /// The reader of the feed whose changes go to the alias.
    pub(crate) fn reader(&self) -> Reader {
        self.reader_named(format!("search:{}", self.settings.index))
    }

    /// The reader whose changes go to an index that is being made.
    pub(crate) fn rebuild_reader(&self) -> Reader {
        self.reader_named(format!("search-rebuild:{}", self.settings.index))
    }

    fn reader_named(&self, cursor: String) -> Reader {
        Reader::new(Arc::clone(&self.store), cursor, &self.settings)
    }

    pub(crate) fn alias(&self) -> Target {
        Target { name: self.settings.index.clone(), is_alias: true }
    }

    /// Sends a batch. What was acknowledged is told, also when the rest was not.
    pub(crate) async fn send(&self, target: &Target, batch: Batch) -> Result<(), SearchError> {
        let delivered = deliver(&self.client, target, batch.letters).await;
        self.book(target, &delivered);
        if let Some(trouble) = delivered.trouble {
            return Err(trouble.into());
        }
        for queue in batch.queues {
            self.queue_gone(target, &queue).await?;
        }
        Ok(())
    }

    /// Counts what was delivered, and tells those who wait for it where it is what people search.
    pub(crate) fn book(&self, target: &Target, delivered: &Delivered) {
        if delivered.quarantined > 0 {
            tracing::warn!(
                letters = delivered.quarantined,
                "the index did not take letters as they are; less of them is in it"
            );
        }
        self.progress.delivered(delivered);
        if target.is_alias {
            self.confirmations.acknowledge(&delivered.acknowledged);
        }
    }
}
