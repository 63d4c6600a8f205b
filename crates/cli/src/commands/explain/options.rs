//! Options for the failure to explain.

use redrive_client::proto::redrive::v1::LettersExplainRequest;
use redrive_core::{Failure, RequestedRetry, RetryPolicy};

use crate::commands::failure_options::FailureOptions;
use crate::values::within;

#[derive(clap::Args)]
pub(crate) struct ExplainOptions {
    /// Error message.
    #[arg(required_unless_present_any = ["kind", "code", "cause", "http", "grpc", "io", "sqlstate"])]
    message: Option<String>,
    #[command(flatten)]
    failure: FailureOptions,
    /// Retry policy, instead of that of the category: never, linear, exponential, immediate, or with --queue also custom.
    #[arg(long, value_name = "NAME")]
    retry_policy: Option<RetryPolicy>,
    /// Maximum retries, 0 to 100.
    #[arg(long, value_name = "N", value_parser = within(0..=100_u32))]
    max_retries: Option<u32>,
}

impl ExplainOptions {
    pub(super) fn failure(&self) -> Failure {
        self.failure.failure(self.message.clone().unwrap_or_default())
    }

    pub(super) const fn requested(&self) -> RequestedRetry {
        RequestedRetry { policy: self.retry_policy, max_retries: self.max_retries }
    }

    /// The request to the server. It has no parts and no metadata.
    pub(super) fn request(&self, queue: &str) -> LettersExplainRequest {
        LettersExplainRequest {
            queue_name: queue.to_owned(),
            fault: Some(self.failure.fault(self.message.clone().unwrap_or_default())),
            retry_policy: self.retry_policy.map(|policy| policy.to_string()).unwrap_or_default(),
            max_retries: self.max_retries.and_then(|most| i32::try_from(most).ok()),
        }
    }
}
