//! Options for the time of the next delivery.

use redrive_client::Span;
use redrive_client::proto::Timestamp;
use redrive_core::Time;
use redrive_store::{Clock, SystemClock};

use crate::values::{parse_duration, parse_time};

#[derive(Debug, clap::Args)]
pub(super) struct ScheduleOptions {
    /// Earliest time of delivery, as in 2026-11-15T12:00:00Z [default: now].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    at: Option<Time>,
    /// Delay before delivery, by the clock of this machine, as in 90s, 2h or 3d.
    #[arg(long, value_name = "TIME", conflicts_with = "at", value_parser = parse_duration)]
    delay: Option<Span>,
}

impl ScheduleOptions {
    pub(super) fn time(&self) -> Option<Timestamp> {
        let after = |delay| SystemClock.now().saturating_add(delay);
        self.at.or_else(|| self.delay.map(after)).map(Timestamp::from)
    }
}
