//! The reserve of a journal that is still in its first segment.
//!
//! A new journal allocates one segment, not three: until it needs spares, the end of its first segment is the reserve,
//! which only work that frees disk space may use. The owner sets its size; the minimum is a quarter of the segment. The
//! space that remains in the segment after a batch decides:
//!
//! | remaining | spares | ordinary work |
//! |---|---|---|
//! | at least the reserve plus a quarter of the segment | none are created | continues |
//! | at least the reserve | are being created, off the hot path | continues, until the disk proves too full to create them |
//! | less | are the reserve, as in every later segment | waits until there are enough, and is rejected if they cannot be created |
//!
//! Spares are therefore created once the segment is half full, or earlier if the reserve is larger than a quarter, and
//! there is as much time for it as writing a quarter of the segment takes. The disk may become full at any moment: the
//! reserve always exists, in the first segment or as spares.

/// How urgently a journal needs spare segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SpareNeed {
    None,
    /// They should be created, but ordinary work does not wait for them.
    Soon,
    /// Ordinary work waits for them.
    Now,
}

/// How urgently spares are needed if the first segment, `len` bytes long, is written up to `offset` and `reserve` bytes
/// of it are the reserve.
pub(crate) fn spare_need(offset: usize, len: usize, reserve: usize) -> SpareNeed {
    let quarter = len / 4;
    let used = offset.saturating_add(reserve.max(quarter));
    if used.saturating_add(quarter) <= len {
        SpareNeed::None
    } else if used <= len {
        SpareNeed::Soon
    } else {
        SpareNeed::Now
    }
}
