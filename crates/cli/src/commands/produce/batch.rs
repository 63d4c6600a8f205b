//! Collects items into requests, up to the limits of the server.

use anyhow::Result;
use bytes::Bytes;
use redrive_client::proto::prost::Message;
use redrive_client::proto::redrive::v1::{PutItem, QueuePutRequest};

use super::item_options::ItemOptions;
use crate::console::Progress;
use crate::session::{Interrupt, Session};

/// Slightly below the default limit of the server: a request also has the name of the queue.
const BYTES_MAX: usize = 4_990_000;
/// The overhead of an item in a request.
const FRAME_BYTES: usize = 8;
const TIMEOUT: &str = "1m";

pub(super) struct Batch<'s> {
    pub(super) session: &'s Session,
    queue_name: String,
    template: PutItem,
    items_max: usize,
    pub(super) progress: Progress,
    items: Vec<PutItem>,
    bytes: usize,
    pub(super) duplicates: usize,
}

impl<'s> Batch<'s> {
    pub(super) fn new(session: &'s Session, queue: &str, options: &ItemOptions, items_max: usize) -> Self {
        Self {
            session,
            queue_name: queue.to_owned(),
            template: options.template(),
            items_max,
            progress: Progress::new("items", None),
            items: Vec::new(),
            bytes: 0,
            duplicates: 0,
        }
    }

    /// Adds an item. Sends the items before it first, if the request would become too large.
    pub(super) async fn push(&mut self, payload: Bytes) -> Result<()> {
        let item = PutItem { bytes: payload, ..self.template.clone() };
        let size = item.encoded_len() + FRAME_BYTES;
        if self.items.len() >= self.items_max || self.bytes + size > BYTES_MAX {
            self.send().await?;
        }
        self.bytes += size;
        self.items.push(item);
        Ok(())
    }

    /// Sends the collected items.
    pub(super) async fn send(&mut self) -> Result<()> {
        if self.session.interrupt.is_raised() {
            return Err(Interrupt::error("interrupted").into());
        }
        let items = std::mem::take(&mut self.items);
        self.bytes = 0;
        let count = items.len();
        if count == 0 {
            return Ok(());
        }
        let (queue_name, request_timeout) = (self.queue_name.clone(), TIMEOUT.to_owned());
        // The client generates a request id.
        let request = QueuePutRequest { queue_name, request_timeout, items, ..QueuePutRequest::default() };
        let answer = self.session.call_to_end(self.session.client.put(&request)).await?;
        self.duplicates += answer.items.iter().filter(|item| item.is_duplicate).count();
        self.progress.add(count);
        Ok(())
    }
}
