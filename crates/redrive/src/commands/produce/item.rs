//! What items are to carry besides their payload.

use bytes::Bytes;
use redrive_client::proto::redrive::v1::{Header, PutItem};

use crate::commands::payload::parse_header;
use crate::commands::when::When;

#[derive(Debug, clap::Args)]
pub(super) struct ItemOptions {
    /// What sort of thing the payload is.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    kind: String,
    /// How the payload is encoded, as in json.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    encoding: String,
    /// A note of your own.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reference: String,
    #[command(flatten)]
    when: When,
    /// What the item is about, as in a customer's number.
    #[arg(long, value_name = "TEXT")]
    key: Option<String>,
    /// A header; may be given again.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_header)]
    header: Vec<Header>,
    /// Your own id of the one item: while an item with it lives in the queue, no second one is put in.
    #[arg(long, value_name = "ID")]
    pub(super) message_id: Option<String>,
    /// How soon it is leased: of thirteen turns, high ones have eight, medium ones four.
    #[arg(long, value_parser = ["high", "medium", "low"])]
    priority: Option<String>,
}

impl ItemOptions {
    /// An item without its payload.
    pub(super) fn template(&self) -> PutItem {
        PutItem {
            kind: self.kind.clone(),
            encoding: self.encoding.clone(),
            reference: self.reference.clone(),
            enqueue_at: self.when.time(),
            key: self.key.clone().map(Bytes::from),
            headers: self.header.clone(),
            message_id: self.message_id.clone().unwrap_or_default(),
            priority: self.priority.clone().unwrap_or_default(),
            ..PutItem::default()
        }
    }
}
