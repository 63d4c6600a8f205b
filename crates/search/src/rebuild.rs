//! A new index out of the store, while work goes on.
//!
//! The new index has a reader of the feed to itself, registered before the first letter is copied. So the copy may be as old
//! as it likes: what changed since is told afterwards. Both readers may write the same letter to the same index after the
//! alias was moved; versions keep that harmless.

use crate::SearchError;
use crate::catch_up::catch_up;
use crate::compare::{Agreement, compare};
use crate::copy::copy;
use crate::index::Mark;
use crate::projection::{Core, Target};

/// An index that was made anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    /// Its own name; it is found by the alias.
    pub index: String,
    /// How many letters were compared with the store, and agreed.
    pub letters: u64,
    /// Of their ids and revisions, in hexadecimal digits.
    pub digest: String,
    /// An index that was found in its place and is not this store's: it was left as it was.
    pub left_aside: Option<String>,
}

pub(crate) async fn run(core: &Core) -> Result<Rebuilt, SearchError> {
    let Ok(_alone) = core.rebuilding.try_lock() else { return Err(SearchError::RebuildRuns) };
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
            tracing::warn!(error = %error, index = name, "the new index was given up");
            // Tidied up as far as that is possible now; the next rebuild or start does the rest.
            let _left_for_the_next = core.index.remove(&name).await;
            reader.remove().await?;
            return Err(error);
        }
    };
    let tending = core.tending.lock().await;
    let (old, mark) = (core.index.standing().await?, Mark::read(&*core.store, &alias).await?);
    core.index.point_at(&name, old.as_ref().map(|old| old.name.as_str())).await?;
    // What was written to the old index a moment ago is told to this reader, too.
    catch_up(core, &target).await?;
    next.is_complete = true;
    next.write(&*core.store, &alias).await?;
    // From now on the alias has a reader for sure, also where there was no index before.
    core.reader().register().await?;
    drop(tending);
    reader.remove().await?;
    tracing::info!(index = name, letters = agreed.letters, "letters are searched in a new index");

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

/// Tidies up after one that did not come to its end, and registers the reader.
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
