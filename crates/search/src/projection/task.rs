//! The loop: wait for changes, send them, advance the cursor.
//!
//! The feed is the outbox. A batch that was not acknowledged completely is read again, with its letters in their
//! current state, and sent again; the index rejects revisions that it already has. The loop therefore keeps no changes
//! itself, an outage may last arbitrarily long, and stopping at any point loses nothing.

use std::sync::Arc;

use redrive_core::Span;
use redrive_store::StoreError;
use tokio_util::sync::CancellationToken;

use super::{Core, Reader, RetryDelay};
use crate::SearchError;

/// Time without changes after which the health of the index is checked.
const IDLE: Span = Span::from_secs(30);

/// Runs until `stop` is cancelled or the store is closed.
pub(super) async fn run(core: Arc<Core>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = work(&core) => {}
    }
}

async fn work(core: &Core) {
    let reader = core.reader();
    let mut delay = RetryDelay::new(&core.settings);
    let mut is_prepared = false;
    loop {
        let cycle = async {
            // The first read after a start or a failure does not wait: it shows whether there are changes to catch up
            // with.
            let wait = if is_prepared { IDLE } else { Span::ZERO };
            if !is_prepared {
                core.prepare().await?;
                core.progress.prepared();
                is_prepared = true;
            }
            send_next_batch(core, &reader, wait).await
        };
        let Err(error) = cycle.await else {
            delay.reset();
            continue;
        };
        if error == SearchError::Store(StoreError::Closed) {
            return;
        }
        // The index may have been recreated to fix the failure.
        is_prepared = false;
        let outbox = reader.outbox().await.ok();
        let depth = outbox.map(|outbox| outbox.depth);
        core.progress.failed(label(&error), error.to_string(), outbox);
        let wait = delay.after(&error);
        tracing::warn!(error = %error, depth, wait = %wait, "index write failed; changes wait in the store");
        tokio::time::sleep(wait.into()).await;
    }
}

/// Reads, sends and acknowledges one batch.
async fn send_next_batch(core: &Core, reader: &Reader, wait: Span) -> Result<(), SearchError> {
    let batch = reader.next(wait).await?;
    if batch.is_empty() {
        core.index.is_well().await?;
    } else {
        core.progress.read(batch.depth, batch.oldest, batch.is_last);
    }
    let (position, is_last, is_empty) = (batch.position, batch.is_last, batch.is_empty());
    {
        // Not while a rebuild sends its last changes to the index to which it has switched: a queue that is deleted
        // meanwhile would be looked for there before its letters arrive.
        let _alias_lock = core.alias_lock.lock().await;
        core.send(&core.alias(), batch).await?;
    }
    if !is_empty {
        reader.advance(position).await?;
    }
    core.progress.acknowledged(position, reader.outbox().await?.depth, is_last);
    Ok(())
}

fn label(error: &SearchError) -> &'static str {
    match error {
        SearchError::Trouble(trouble) => trouble.label(),
        SearchError::Store(_) => "store",
        _ => "index",
    }
}
