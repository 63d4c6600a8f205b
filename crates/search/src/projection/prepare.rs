//! Making sure that there is an index with this store's letters, before anything is written.

use super::{Core, Target};
use crate::SearchError;
use crate::copy::copy;
use crate::index::{Mark, Standing};

impl Core {
    /// Template, index and alias are there, and the index has every letter of the store, apart from changes that wait.
    pub(crate) async fn prepare(&self) -> Result<(), SearchError> {
        let _tending = self.tending.lock().await;
        // Registered first: what changes while letters are copied is told afterwards.
        let was_known = self.reader().register().await?;
        self.index.ensure_template().await?;
        let mark = Mark::read(&*self.store, self.index.alias()).await?;
        let mut mark = match (self.index.standing().await?, mark) {
            (Some(standing), Some(mark)) if standing.token.as_ref() == Some(&mark.token) => {
                self.index.verify(&standing.name).await?;
                if mark.is_complete && was_known {
                    return Ok(());
                }
                mark
            }
            (Some(standing), _) if self.documents(&standing).await? > 0 => {
                let documents = self.documents(&standing).await?;
                return Err(SearchError::ForeignIndex { index: standing.name, documents });
            }
            (standing, _) => self.begin(standing.as_ref()).await?,
        };
        mark.is_complete = false;
        mark.write(&*self.store, self.index.alias()).await?;
        let target = Target { name: self.settings.index.clone(), is_alias: true };
        copy(self, &target).await?;
        mark.is_complete = true;
        mark.write(&*self.store, self.index.alias()).await?;
        Ok(())
    }

    async fn documents(&self, standing: &Standing) -> Result<u64, SearchError> {
        self.index.refresh(&standing.name).await?;
        Ok(self.index.count(&standing.name).await?)
    }

    /// Makes an index, which is searched from now on.
    async fn begin(&self, instead_of: Option<&Standing>) -> Result<Mark, SearchError> {
        let mark = Mark::new()?;
        mark.write(&*self.store, self.index.alias()).await?;
        let name = self.index.create(&mark.token).await?;
        self.index.point_at(&name, instead_of.map(|standing| standing.name.as_str())).await?;
        tracing::info!(index = name, "an index for letters was made");
        Ok(mark)
    }
}
