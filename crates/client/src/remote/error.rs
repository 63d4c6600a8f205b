//! Conversion of client errors into store errors.

use redrive_store::StoreError;

use crate::ClientError;

impl From<ClientError> for StoreError {
    fn from(error: ClientError) -> Self {
        if let Some(rejection) = error.rejection() {
            return Self::Rejected(rejection);
        }
        match error {
            ClientError::Unauthorized { message } | ClientError::Denied { message } => Self::Denied(message),
            ClientError::TryAgain { .. } if error.is_overloaded() => Self::Overloaded,
            ClientError::TryAgain { .. } if error.is_no_items() => Self::TimedOut,
            ClientError::Failed { .. } if error.key() == Some("queue is shutting down") => Self::QueueGone,
            // Includes a server that shuts down: clients wait for its restart.
            other => Self::Unavailable(with_causes(&other)),
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
