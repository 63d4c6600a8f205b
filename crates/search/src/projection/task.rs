//! The loop: wait for changes, send them, say that they are dealt with.
//!
//! The feed is the outbox. A batch that was not acknowledged as a whole is read again, as its letters are then, and sent
//! again; what the index has already it refuses by its version. So nothing is kept here, an outage may last as long as it
//! likes, and stopping anywhere loses nothing.

use std::sync::Arc;

use redrive_core::Span;
use redrive_store::StoreError;
use tokio_util::sync::CancellationToken;

use super::{Core, Patience, Reader};
use crate::SearchError;

/// So long nothing may happen before it is looked whether the index is still there.
const IDLE: Span = Span::from_secs(30);

/// Works until it is told to stop, or the store is closed.
pub(super) async fn run(core: Arc<Core>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = work(&core) => {}
    }
}

async fn work(core: &Core) {
    let reader = core.reader();
    let mut patience = Patience::new(&core.settings);
    let mut is_prepared = false;
    loop {
        let turn = async {
            // The first look after a start or a failure does not wait: it says whether there is something to catch up with.
            let wait = if is_prepared { IDLE } else { Span::ZERO };
            if !is_prepared {
                core.prepare().await?;
                core.progress.prepared();
                is_prepared = true;
            }
            turn(core, &reader, wait).await
        };
        let Err(error) = turn.await else {
            patience.reset();
            continue;
        };
        if error == SearchError::Store(StoreError::Closed) {
            return;
        }
        // Whatever was wrong, somebody may have helped by making the index anew.
        is_prepared = false;
        let outbox = reader.outbox().await.ok();
        let depth = outbox.map(|outbox| outbox.depth);
        core.progress.failed(label(&error), error.to_string(), outbox);
        let wait = patience.after(&error);
        tracing::warn!(error = %error, depth, wait = %wait, "the index does not take letters; they wait in the store");
        tokio::time::sleep(wait.into()).await;
    }
}

/// One batch.
async fn turn(core: &Core, reader: &Reader, wait: Span) -> Result<(), SearchError> {
    let batch = reader.next(wait).await?;
    if batch.is_empty() {
        core.index.is_well().await?;
    } else {
        core.progress.read(batch.depth, batch.oldest, batch.is_last);
    }
    let (position, is_last, is_empty) = (batch.position, batch.is_last, batch.is_empty());
    core.send(&core.alias(), batch).await?;
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
