//! A time in a record: microseconds since the Unix epoch.

use redrive_core::Time;
use redrive_proto::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RecordTime(pub(crate) Time);

impl Serialize for RecordTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0.as_micros())
    }
}

impl<'de> Deserialize<'de> for RecordTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        i64::deserialize(deserializer).map(|micros| Self(Time::from_micros(micros)))
    }
}

impl From<RecordTime> for Timestamp {
    fn from(at: RecordTime) -> Self {
        at.0.into()
    }
}
