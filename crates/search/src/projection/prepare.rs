//! Prepares the index before anything is written: template, index, alias, and all letters of the store.

use super::{Core, Target};
use crate::SearchError;
use crate::copy::copy;
use crate::index::{ExistingIndex, Mark};

impl Core {
    /// Ensures that template, index and alias exist, and that the index has every letter of the store, except for
    /// waiting changes.
    pub(crate) async fn prepare(&self) -> Result<(), SearchError> {
        let _alias_lock = self.alias_lock.lock().await;
        // Registered first, so that changes during the copy are read from the feed later.
        let was_known = self.reader().register().await?;
        self.index.ensure_template().await?;
        let mark = Mark::read(&*self.store, self.index.alias()).await?;
        let mut mark = match (self.index.current().await?, mark) {
            (Some(existing), Some(mark)) if existing.token.as_ref() == Some(&mark.token) => {
                self.index.verify(&existing.name).await?;
                if mark.is_complete && was_known {
                    return Ok(());
                }
                mark
            }
            (Some(existing), _) if self.documents(&existing).await? > 0 => {
                let documents = self.documents(&existing).await?;
                return Err(SearchError::ForeignIndex { index: existing.name, documents });
            }
            (existing, _) => self.begin(existing.as_ref()).await?,
        };
        mark.is_complete = false;
        mark.write(&*self.store, self.index.alias()).await?;
        let target = Target { name: self.settings.index.clone(), is_alias: true };
        copy(self, &target).await?;
        mark.is_complete = true;
        mark.write(&*self.store, self.index.alias()).await?;
        Ok(())
    }

    async fn documents(&self, existing: &ExistingIndex) -> Result<u64, SearchError> {
        self.client.refresh(&existing.name).await?;
        Ok(self.client.count(&existing.name).await?)
    }

    /// Creates an index and points the alias to it.
    async fn begin(&self, instead_of: Option<&ExistingIndex>) -> Result<Mark, SearchError> {
        let mark = Mark::new()?;
        mark.write(&*self.store, self.index.alias()).await?;
        let name = self.index.create(&mark.token).await?;
        self.index.point_at(&name, instead_of.map(|existing| existing.name.as_str())).await?;
        tracing::info!(index = name, "letter index created");
        Ok(mark)
    }
}
