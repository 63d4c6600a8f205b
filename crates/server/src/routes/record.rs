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
    pub(crate) intent: StoredIntent,
    pub(crate) updated_at: RecordTime,
}

/// What an operator wants of a route, as it is stored and on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredIntent {
    Run,
    Pause,
    Stop,
}

impl Record for RouteRecord {}

impl RouteRecord {
    /// The prefix of all routes.
    pub(crate) fn prefix() -> Bytes {
        key(["route"])
    }

    pub(crate) fn key(id: &RouteId) -> Bytes {
        key(["route", &id.namespace, &id.name])
    }

    pub(crate) fn id(&self) -> RouteId {
        RouteId { namespace: self.namespace.clone(), name: self.name.clone() }
    }

    pub(crate) async fn find(records: Records<'_>, id: &RouteId) -> Result<Option<Self>, StoreError> {
        Ok(records.get::<Self>(Self::key(id)).await?.map(|read| read.record))
    }
}

impl StoredIntent {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Pause => "pause",
            Self::Stop => "stop",
        }
    }
}

impl From<StoredIntent> for RouteIntent {
    fn from(intent: StoredIntent) -> Self {
        match intent {
            StoredIntent::Run => Self::Run,
            StoredIntent::Pause => Self::Pause,
            StoredIntent::Stop => Self::Stop,
        }
    }
}

impl From<RouteIntent> for StoredIntent {
    fn from(intent: RouteIntent) -> Self {
        match intent {
            RouteIntent::Run => Self::Run,
            RouteIntent::Pause => Self::Pause,
            RouteIntent::Stop => Self::Stop,
        }
    }
}
