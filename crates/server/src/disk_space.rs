//! The free space of the disk with the data, and when it is low.

use redrive_store::StoreStatus;

/// Space of the file system with the data directory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DiskSpace {
    pub(crate) free: u64,
    pub(crate) total: u64,
    /// With less free space than this, the disk is low.
    pub(crate) low: u64,
}

impl DiskSpace {
    /// The space of a store on a disk that reports it. The disk is low below `low`. By default, that is ten times the
    /// reserve, but at most a tenth of the file system, and at least the reserve itself: then the reserve will soon be all
    /// there is.
    pub(crate) fn of(status: &StoreStatus, low: Option<u64>) -> Option<Self> {
        let (free, total) = (status.disk_free_bytes?, status.disk_total_bytes?);
        let reserve = status.reserve_bytes;
        let low = low.unwrap_or_else(|| reserve.saturating_mul(10).min(total / 10).max(reserve));
        Some(Self { free, total, low })
    }

    pub(crate) const fn is_low(&self) -> bool {
        self.free < self.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_low_when_the_reserve_nears_or_below_the_configured_size() {
        for (free, total, configured, expected) in [
            (999, 100_000, None, true),
            (1_000, 100_000, None, false),
            (499, 5_000, None, true),
            (500, 5_000, None, false),
            (99, 200, None, true),
            (100, 200, None, false),
            (29_999, 100_000, Some(30_000), true),
            (30_000, 100_000, Some(30_000), false),
        ] {
            let (disk_free_bytes, disk_total_bytes) = (Some(free), Some(total));
            let status =
                StoreStatus { disk_free_bytes, disk_total_bytes, reserve_bytes: 100, ..StoreStatus::default() };
            assert_eq!(DiskSpace::of(&status, configured).unwrap().is_low(), expected, "{free} of {total}");
        }
        assert_eq!(DiskSpace::of(&StoreStatus::default(), Some(1)), None);
    }
}
