//! Builds a new index from the store while the projection keeps working.
//!
//! The new index has a separate reader of the feed, registered before the first letter is copied. The age of the copy
//! therefore does not matter: later changes are read from the feed. After the alias was switched, both readers may
//! write the same letter to the same index; versions make that harmless.

use crate::SearchError;
use crate::catch_up::catch_up;
use crate::compare::{Agreement, compare};
use crate::copy::copy;
use crate::index::Mark;
use crate::projection::{Core, Target};

/// The result of a rebuild.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    /// Name of the new index, to which the alias points.
    pub index: String,
    /// Number of letters that were compared with the store and agreed.
    pub letters: u64,
    /// Hexadecimal digest of their ids and revisions.
    pub digest: String,
    /// Name of an index of another store that the alias pointed to before; it was not changed.
    pub left_aside: Option<String>,
}

pub(crate) async fn run(core: &Core) -> Result<Rebuilt, SearchError> {
    let Ok(_lock) = core.rebuild_lock.try_lock() else { return Err(SearchError::RebuildRuns) };
    let alias = core.index.alias().to_owned();
    let reader = core.rebuild_reader();
    core.index.ensure_template().await?;
    let mut next = Mark::new()?;
    begin(core, &next).await?;
    let name = core.index.create(&next.token).await?;
    let target = Target { name: name.clone(), is_alias: false };
    let agreed = match fill(core, &target).await {
        Ok(agreed) => agreed,
        Err(error) => {
            tracing::warn!(error = %error, index = name, "index rebuild failed");
            // Cleaned up as far as possible now; the next rebuild does the rest.
            let _left_for_the_next_rebuild = core.index.remove(&name).await;
            reader.remove().await?;
            return Err(error);
        }
    };
    let alias_lock = core.alias_lock.lock().await;
    let (old, mark) = (core.index.current().await?, Mark::read(&*core.store, &alias).await?);
    core.index.point_at(&name, old.as_ref().map(|old| old.name.as_str())).await?;
    // This reader also has the changes that were written to the old index a moment ago.
    catch_up(core, &target).await?;
    next.is_complete = true;
    next.write(&*core.store, &alias).await?;
    // The alias needs a reader even if there was no index before.
    core.reader().register().await?;
    drop(alias_lock);
    reader.remove().await?;
    tracing::info!(index = name, letters = agreed.letters, "letter index rebuilt");

    let is_ours = old.as_ref().is_some_and(|old| old.token.is_some() && old.token == mark.map(|mark| mark.token));
    let left_aside = match old {
        Some(old) if is_ours => {
            core.index.remove(&old.name).await?;
            None
        }
        old => old.map(|old| old.name),
    };
    Ok(Rebuilt { index: name, letters: agreed.letters, digest: agreed.digest, left_aside })
}

/// Cleans up after an interrupted rebuild, and registers the reader.
async fn begin(core: &Core, next: &Mark) -> Result<(), SearchError> {
    let reader = core.rebuild_reader();
    reader.remove().await?;
    if let Some(left) = next.remember_begun(&*core.store, core.index.alias()).await? {
        for abandoned in core.index.abandoned(&left).await? {
            core.index.remove(&abandoned).await?;
        }
    }
    reader.register().await?;
    Ok(())
}

async fn fill(core: &Core, target: &Target) -> Result<Agreement, SearchError> {
    copy(core, target).await?;
    catch_up(core, target).await?;
    compare(core, target).await
}
