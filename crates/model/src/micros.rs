//! Values in documents. Times are in microseconds: the text form of a time is truncated to milliseconds.

use redrive_core::Time;
use serde::{Deserialize, Deserializer, Serializer};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) fn serialize<S: Serializer>(time: &Time, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(time.as_micros())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
    i64::deserialize(deserializer).map(Time::from_micros)
}

/// The time of a document without it.
pub(crate) const fn never() -> Time {
    Time::MAX
}

/// Whether a value is omitted, because it is the default of its field.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Optional times.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Serializer, Time};

    #[expect(clippy::ref_option, reason = "serde passes references")]
    pub(crate) fn serialize<S: Serializer>(time: &Option<Time>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.serialize_some(&time.as_micros()),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Time>, D::Error> {
        Ok(Option::<i64>::deserialize(deserializer)?.map(Time::from_micros))
    }
}
