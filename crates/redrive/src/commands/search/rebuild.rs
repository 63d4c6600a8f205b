//! `redrive search rebuild`.

use anyhow::Result;
use serde_json::json;

use crate::console::{Progress, letters, say};
use crate::session::Session;

pub(super) async fn run(session: &Session) -> Result<()> {
    let rebuilt = {
        // How far it is, nobody tells; that it goes on, the spinner does.
        let _progress = Progress::new("the index is made anew", None);
        session.ask(session.client.rebuild_index()).await?
    };
    if !rebuilt.left_aside.is_empty() {
        say(format_args!("'{}' has letters of another store, and was left as it was", rebuilt.left_aside));
    }
    let count = u64::try_from(rebuilt.letters).unwrap_or_default();
    let told = format!("made '{}' of {}, the same as in the store", rebuilt.index, letters(count));
    let data = json!({
        "index": rebuilt.index,
        "letters": rebuilt.letters,
        "digest": rebuilt.digest,
        "left_aside": rebuilt.left_aside,
    });
    session.report(&told, &data)
}
