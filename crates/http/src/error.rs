//! What an error says about a request.

use std::error::Error;

use crate::HttpError;

/// Whether no byte of the request was sent: the server cannot have acted on it.
pub fn is_unsent(error: &HttpError) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<hyper::Error>());
    error.is_connect() || cause.is_some_and(hyper::Error::is_canceled)
}
