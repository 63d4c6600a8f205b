//! The disk use of a store under constant turnover of items.

use std::path::Path;

use anyhow::Result;
use redrive_embedded::EmbeddedOptions;
use redrive_store::Store;

use super::caller::Caller;
use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;

const LIVE: u32 = 200_000;
/// How often the whole set of live items is replaced.
const ROUNDS: u32 = 8;
const BATCH: u32 = 1000;

pub(super) fn figures() -> Result<Vec<Figure>> {
    progress("disk under churn");
    let folder = Folder::new("store-churn")?;
    let options = EmbeddedOptions::default();
    let caller = Caller::open(folder.path(), &options)?;
    caller.fill(LIVE)?;
    let mut most = 0;
    for round in 0..ROUNDS * LIVE / BATCH {
        // One in fifty leased items stays, so that no segment becomes completely empty.
        let leased = caller.lease(BATCH)?;
        let (stay, go): (Vec<_>, Vec<_>) =
            leased.items.iter().map(|item| item.info.id).enumerate().partition(|(at, _)| at % 50 == 0);
        let ids = |items: Vec<(usize, redrive_core::ItemId)>| items.into_iter().map(|(_, id)| id).collect();
        let queue = || caller.queue.clone();
        let go: Vec<_> = ids(go);
        caller.produce(u32::try_from(go.len())?)?;
        caller.runtime.block_on(caller.store.complete(queue(), leased.partition, go))?;
        caller.runtime.block_on(caller.store.release(queue(), leased.partition, ids(stay)))?;
        // Only the second half counts, when disk use is in equilibrium.
        if round > ROUNDS * LIVE / BATCH / 2 {
            most = most.max(bytes_in(&folder.path().join("store"))?);
        }
    }
    let status = caller.store.status();
    eprintln!("  {status:?}");
    let live = f64::from(LIVE) * 1024.0;
    let allowed = 2.0 * live + 3.0 * options.segment_bytes as f64;
    caller.close()?;
    Ok(vec![
        Figure::of("disk under churn", "MB at most", (most as f64 / 1e6, allowed / 1e6))
            .beside("2× live + 3 segments", Target::RatioAtMost(1.0)),
    ])
}

fn bytes_in(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        // A segment that is just being deleted does not count.
        bytes += entry?.metadata().map_or(0, |metadata| metadata.len());
    }
    Ok(bytes)
}
