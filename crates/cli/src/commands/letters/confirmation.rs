//! The question before an act on letters.

use anyhow::Result;

use crate::session::Session;

/// Asks whether to go on, unless `--yes` was given. Returns `false` if the user declined.
pub(super) async fn is_confirmed(session: &Session, action: String, is_given: bool) -> Result<bool> {
    session.is_confirmed(action, is_given).await
}
