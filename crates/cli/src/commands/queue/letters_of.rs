//! The letters of a queue that is about to lose them.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{LettersStatsRequest, StatusBreakdown};

use crate::session::Session;

/// The number of letters of a queue; `None` if the caller must not read them.
pub(super) async fn letters_of(name: &str, session: &Session) -> Result<Option<u64>> {
    let request = LettersStatsRequest { queue_name: name.to_owned() };
    let stats = session.call_if_allowed(session.client.letter_stats(&request)).await?;
    Ok(stats.map(|stats| {
        let by_status = stats.status_breakdown.unwrap_or_default();
        let StatusBreakdown { pending, retrying, exhausted, completed, archived } = by_status;
        [pending, retrying, exhausted, completed, archived].into_iter().map(i64::unsigned_abs).sum()
    }))
}
