//! The settings of a journal, and their limits.

use crate::error::OpenError;

/// The layout of a journal. It may change each time the journal is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The size of a new segment, which is also the upper limit of a batch.
    pub segment_bytes: usize,
    /// How many spare segments are kept ready in addition to the reserve.
    pub spares: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { segment_bytes: 64 << 20, spares: 1 }
    }
}

impl Options {
    pub const SEGMENT_BYTES_MIN: usize = 4 * 1024;
    pub const SEGMENT_BYTES_MAX: usize = 1 << 30;
    pub const SPARES_MAX: usize = 16;

    pub(crate) fn check(&self) -> Result<(), OpenError> {
        let (least, most) = (Self::SEGMENT_BYTES_MIN, Self::SEGMENT_BYTES_MAX);
        if !(least..=most).contains(&self.segment_bytes) {
            let allowed = format!("{} given, {least} to {most} allowed", self.segment_bytes);
            return Err(OpenError::Options("segment_bytes", allowed));
        }
        if !(1..=Self::SPARES_MAX).contains(&self.spares) {
            let allowed = format!("{} given, 1 to {} allowed", self.spares, Self::SPARES_MAX);
            return Err(OpenError::Options("spares", allowed));
        }
        Ok(())
    }
}
