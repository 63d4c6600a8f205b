//! The fields of a condition.

/// The fields over which a condition is written, with the kinds that allow more than plain CEL.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConditionFields<'f> {
    /// All fields.
    pub names: &'f [&'static str],
    /// The fields that are times. A duration can be added to them, and they can be subtracted from one another.
    pub times: &'f [&'static str],
    /// The fields that are maps. A key that a map does not have is null.
    pub maps: &'f [&'static str],
}
