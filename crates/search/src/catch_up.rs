//! Bringing a new index up to the store, between its copy and its use.

use redrive_core::Span;

use crate::SearchError;
use crate::projection::{Core, Patience, Target};

/// Sends what changed, until nothing waits. An outage is waited out.
pub(crate) async fn catch_up(core: &Core, target: &Target) -> Result<(), SearchError> {
    let reader = core.rebuild_reader();
    let mut patience = Patience::new(&core.settings);
    loop {
        let batch = reader.next(Span::ZERO).await?;
        let (position, is_last) = (batch.position, batch.is_last);
        match core.send(target, batch).await {
            Ok(()) => {
                reader.advance(position).await?;
                patience.reset();
                if is_last {
                    return Ok(());
                }
            }
            Err(error) => patience.wait(error).await?,
        }
    }
}
