//! `redrive search rebuild`.

use anyhow::Result;
use serde_json::json;

use crate::console::{Progress, letters, say};
use crate::session::Session;

pub(super) async fn run(session: &Session) -> Result<()> {
    let rebuilt = {
        // The server does not report progress during a rebuild, so this is only a spinner.
        let _progress = Progress::new("rebuilding the index", None);
        session.call(session.client.rebuild_index()).await?
    };
    if !rebuilt.left_aside.is_empty() {
        say(format_args!("index '{}' belongs to another store and was not changed", rebuilt.left_aside));
    }
    let count = u64::try_from(rebuilt.letters).unwrap_or_default();
    let message = format!("rebuilt index '{}' with {}; it matches the store", rebuilt.index, letters(count));
    let data = json!({
        "index": rebuilt.index,
        "letters": rebuilt.letters,
        "digest": rebuilt.digest,
        "left_aside": rebuilt.left_aside,
    });
    session.report(&message, &data)
}
