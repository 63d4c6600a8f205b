//! How the server carries an act on many letters out.

use redrive_client::proto::redrive::v1::LettersConfirmRequest;
use redrive_core::Span;

use crate::values::{at_least, parse_duration};

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct RunOptions {
    /// Maximum letters a second [default: no limit].
    #[arg(long, value_name = "COUNT", value_parser = at_least(1_i32))]
    rate: Option<i32>,
    /// How long the server waits for a destination that is paused, full or away until it leaves the remaining letters, as
    /// in 30m [default: 1h].
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    give_up_after: Option<Span>,
    /// Print the id of the run and exit. The server carries it out in any case.
    #[arg(long)]
    pub(super) detach: bool,
}

impl RunOptions {
    /// The confirmation of a plan.
    pub(super) fn confirm(&self, queue: &str, token: &str) -> LettersConfirmRequest {
        // A part of a second counts as a whole one: 0 means the default.
        let seconds = self.give_up_after.map(|span| span.as_micros().div_ceil(1_000_000));
        LettersConfirmRequest {
            queue_name: queue.to_owned(),
            token: token.to_owned(),
            rate: self.rate.unwrap_or_default(),
            give_up_after_seconds: seconds.and_then(|seconds| i64::try_from(seconds).ok()).unwrap_or_default(),
            wait_seconds: 0,
        }
    }
}
