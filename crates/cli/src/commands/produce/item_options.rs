//! Options for everything in an item except its payload.

use bytes::Bytes;
use redrive_client::proto::redrive::v1::{Header, PutItem};

use crate::commands::payload::parse_header;
use crate::commands::schedule::ScheduleOptions;

#[derive(Debug, clap::Args)]
pub(super) struct ItemOptions {
    /// Kind of the payload, as in order.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    kind: String,
    /// Encoding of the payload, as in json.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    encoding: String,
    /// Free-form reference.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reference: String,
    #[command(flatten)]
    schedule: ScheduleOptions,
    /// Key of the item, as in a customer number.
    #[arg(long, value_name = "TEXT")]
    key: Option<String>,
    /// Header. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_header)]
    header: Vec<Header>,
    /// Your id of the item, for a single payload. While an item with this id is in the queue, a second one is not stored.
    #[arg(long, value_name = "ID")]
    pub(super) message_id: Option<String>,
    /// Priority. Of 13 leased items, 8 are high, 4 medium and 1 low, as long as there are items of each [default: medium].
    #[arg(long, value_parser = ["high", "medium", "low"])]
    priority: Option<String>,
}

impl ItemOptions {
    /// The item without its payload.
    pub(super) fn template(&self) -> PutItem {
        PutItem {
            kind: self.kind.clone(),
            encoding: self.encoding.clone(),
            reference: self.reference.clone(),
            enqueue_at: self.schedule.time(),
            key: self.key.clone().map(Bytes::from),
            headers: self.header.clone(),
            message_id: self.message_id.clone().unwrap_or_default(),
            priority: self.priority.clone().unwrap_or_default(),
            ..PutItem::default()
        }
    }
}
