//! A conversation that broke, before or in the middle of an answer.

use std::error::Error;

#[derive(Debug, thiserror::Error)]
pub(in crate::handler::http) enum BrokenConnection {
    #[error("not reached in time")]
    NotInTime,
    #[error("not reached")]
    NotReached(#[source] Box<dyn Error + Send + Sync>),
    #[error("broke off")]
    BrokeOff(#[from] hyper::Error),
}
