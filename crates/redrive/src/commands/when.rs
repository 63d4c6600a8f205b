//! Not before which time.

use redrive_client::Span;
use redrive_client::proto::Timestamp;
use redrive_core::Time;
use redrive_store::{Clock, SystemClock};

#[derive(Debug, clap::Args)]
pub(super) struct When {
    /// Not before this time, as in 2026-11-15T12:00:00Z.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
    /// Not before so long from now, by this machine's clock, as in 90s, 2h.
    #[arg(long, value_name = "TIME", conflicts_with = "at")]
    delay: Option<Span>,
}

impl When {
    pub(super) fn time(&self) -> Option<Timestamp> {
        let after = |delay| SystemClock.now().saturating_add(delay);
        self.at.or_else(|| self.delay.map(after)).map(Timestamp::from)
    }
}
