//! Why the change of an administrative act was not made.

use redrive_store::StoreError;

use crate::api_error::ApiError;

/// Why a change was not made.
#[derive(Debug)]
pub(crate) enum ChangeError {
    /// The request was rejected, or timed out.
    ApiError(ApiError),
    /// The store failed to commit the change.
    Store(StoreError),
}

impl From<ChangeError> for ApiError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::ApiError(error) => error,
            ChangeError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
