//! An item as a line of JSON: what `items list` prints, `items export` writes and `items import` reads.

use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::StorageItem;
use serde::{Deserialize, Serialize};

use super::pages::ItemList;
use crate::commands::payload;
use crate::console::{Align, or_dash};

/// The state of a stored item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    Ready,
    Leased,
    Scheduled,
    /// The record is damaged on disk; the item cannot be leased.
    Damaged,
}

impl State {
    pub(super) fn of(item: &StorageItem, list: ItemList) -> Self {
        match (item.is_leased, item.enqueue_at) {
            _ if list == ItemList::Damaged => Self::Damaged,
            (true, _) => Self::Leased,
            (false, Some(_)) => Self::Scheduled,
            (false, None) => Self::Ready,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Leased => "leased",
            Self::Scheduled => "scheduled",
            Self::Damaged => "damaged",
        }
    }
}

/// Unknown fields are rejected: ignoring one could change the meaning of the item.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ItemLine {
    #[serde(default)]
    id: String,
    #[serde(default)]
    pub(super) partition: i32,
    pub(super) state: State,
    #[serde(default)]
    attempts: i32,
    #[serde(default)]
    max_attempts: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expire_deadline: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lease_deadline: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    enqueue_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    source_id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reference: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    encoding: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payload_base64: Option<String>,
}

impl ItemLine {
    pub(super) fn new((partition, list): (i32, ItemList), item: StorageItem) -> Self {
        // The API represents an unset time as the year 1.
        let set = |time: Option<Timestamp>| time.filter(|time| *time != Timestamp::UNSET);
        let (payload, payload_base64) = payload::fields(&item.payload);
        Self {
            partition,
            state: State::of(&item, list),
            id: item.id,
            attempts: item.attempts,
            max_attempts: item.max_attempts,
            created_at: set(item.created_at),
            expire_deadline: set(item.expire_deadline),
            lease_deadline: set(item.lease_deadline),
            enqueue_at: set(item.enqueue_at),
            source_id: item.source_id,
            reference: item.reference,
            encoding: item.encoding,
            kind: item.kind,
            payload,
            payload_base64,
        }
    }

    /// The item to import, without id and creation time: the server sets them. `None` if the payload is invalid.
    pub(super) fn into_item(self) -> Option<StorageItem> {
        Some(StorageItem {
            source_id: self.source_id,
            is_leased: self.state == State::Leased,
            lease_deadline: self.lease_deadline,
            expire_deadline: self.expire_deadline,
            enqueue_at: self.enqueue_at.filter(|_| self.state == State::Scheduled),
            attempts: self.attempts,
            max_attempts: self.max_attempts,
            reference: self.reference,
            encoding: self.encoding,
            kind: self.kind,
            payload: payload::bytes(self.payload, self.payload_base64)?,
            ..StorageItem::default()
        })
    }
}

pub(super) const HEADER: &[(&str, Align)] = &[
    ("ID", Align::Text),
    ("PARTITION", Align::Number),
    ("STATE", Align::Text),
    ("UNTIL", Align::Text),
    ("ATTEMPTS", Align::Number),
    ("KIND", Align::Text),
    ("PAYLOAD", Align::Text),
];

pub(super) fn row((partition, list): (i32, ItemList), item: &StorageItem) -> Vec<String> {
    let state = State::of(item, list);
    let until = match state {
        State::Ready | State::Damaged => None,
        State::Leased => item.lease_deadline,
        State::Scheduled => item.enqueue_at,
    };
    vec![
        item.id.clone(),
        partition.to_string(),
        state.name().to_owned(),
        until.map_or_else(|| "-".to_owned(), |time| time.to_string()),
        item.attempts.to_string(),
        or_dash(&item.kind).to_owned(),
        payload::cell(&item.payload),
    ]
}
