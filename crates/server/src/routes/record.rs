//! The record of a route in the key space.

use bytes::Bytes;
use redrive_routes::{RouteId, RouteIntent};
use redrive_store::StoreError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::records::{Record, RecordTime, Records, key};

/// What the API stored about a route.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RouteRecord {
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// `None` for a route of the configuration file, of which only the intent is stored.
    pub(crate) definition: Option<Value>,
    pub(crate) intent: RouteIntent,
    pub(crate) updated_at: RecordTime,
}

impl Record for RouteRecord {}

impl RouteRecord {
    /// The prefix of all routes.
    pub(crate) fn prefix() -> Bytes {
        key(["route"])
    }

    /// The prefix of the routes of a namespace.
    pub(crate) fn prefix_of(namespace: &str) -> Bytes {
        key(["route", namespace])
    }

    pub(crate) fn key(id: &RouteId) -> Bytes {
        key(["route", &id.namespace, &id.name])
    }

    pub(crate) fn id(&self) -> RouteId {
        RouteId { namespace: self.namespace.clone(), name: self.name.clone() }
    }

    pub(crate) async fn find(records: Records<'_>, id: &RouteId) -> Result<Option<Self>, StoreError> {
        records.get(Self::key(id)).await
    }
}
