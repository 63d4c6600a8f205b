//! Sends the changes that happened during the copy into a new index, before it is used.

use redrive_core::Span;

use crate::SearchError;
use crate::projection::{Core, RetryDelay, Target};

/// Sends changes until none are waiting. Outages are retried.
pub(crate) async fn catch_up(core: &Core, target: &Target) -> Result<(), SearchError> {
    let reader = core.rebuild_reader();
    let mut delay = RetryDelay::new(&core.settings);
    loop {
        let batch = reader.next(Span::ZERO).await?;
        let (position, is_last) = (batch.position, batch.is_last);
        match core.send(target, batch).await {
            Ok(()) => {
                reader.advance(position).await?;
                delay.reset();
                if is_last {
                    return Ok(());
                }
            }
            Err(error) => delay.wait(error).await?,
        }
    }
}
