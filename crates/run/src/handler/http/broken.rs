//! A connection that failed, before or during an answer.

use std::error::Error;

use redrive_http::HttpError;

#[derive(Debug, thiserror::Error)]
pub(super) enum BrokenConnection {
    #[error("not reached")]
    NotReached(#[source] HttpError),
    #[error("broke off")]
    Request(#[source] HttpError),
    #[error("broke off")]
    Body(#[from] hyper::Error),
}

impl BrokenConnection {
    /// What went wrong, without the names that the HTTP library gives its stages.
    pub(super) fn cause(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotReached(error) | Self::Request(error) => error.source(),
            Self::Body(error) => Some(error),
        }
    }
}
