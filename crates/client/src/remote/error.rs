//! Conversion of client errors into store errors.

use redrive_store::StoreError;

use crate::ClientError;

impl From<ClientError> for StoreError {
    fn from(error: ClientError) -> Self {
        if let Some(rejection) = error.rejection() {
            return Self::Rejected(rejection);
        }
        match error {
            ClientError::Unauthorized(error) | ClientError::Denied(error) => Self::Denied(error.message),
            other => match other.exact_reason() {
                Some("overloaded") => Self::Overloaded,
                Some("timed_out") => Self::TimedOut,
                Some("queue_gone") => Self::QueueGone,
                // Includes a server that shuts down: clients wait for its restart.
                _ => Self::Unavailable(with_causes(&other)),
            },
        }
    }
}

/// An error and its causes.
fn with_causes(error: &ClientError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        text.push_str(": ");
        text.push_str(&next.to_string());
        cause = next.source();
    }
    text
}
