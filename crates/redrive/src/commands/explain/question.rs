//! A failure that is asked about.

use redrive_client::proto::redrive::v1::LettersExplainRequest;
use redrive_core::{Failure, RequestedRetry, RetryPolicy};

use crate::commands::known::Known;

#[derive(clap::Args)]
pub(crate) struct Question {
    /// The error's message.
    #[arg(required_unless_present_any = ["kind", "code", "cause", "http", "grpc", "io", "sqlstate"])]
    message: Option<String>,
    #[command(flatten)]
    known: Known,
    /// How the letter is retried, instead of what its category suggests: never, linear, exponential,
    /// immediate, or with --queue also custom.
    #[arg(long, value_name = "NAME")]
    retry_policy: Option<RetryPolicy>,
    /// Retries after the first failure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    max_retries: Option<u32>,
}

impl Question {
    pub(super) fn failure(&self) -> Failure {
        self.known.failure(self.message.clone().unwrap_or_default())
    }

    pub(super) const fn wanted(&self) -> RequestedRetry {
        RequestedRetry { policy: self.retry_policy, max_retries: self.max_retries }
    }

    /// As a server is asked. It is not told of codes, causes, parts and metadata, nor what the operating system said.
    pub(super) fn request(&self, queue: &str) -> LettersExplainRequest {
        LettersExplainRequest {
            queue_name: queue.to_owned(),
            fault: Some(self.known.fault(self.message.clone().unwrap_or_default())),
            retry_policy: self.retry_policy.map(|policy| policy.to_string()).unwrap_or_default(),
            max_retries: self.max_retries.and_then(|most| i32::try_from(most).ok()),
        }
    }
}
