//! Requests to one URL, over connections that are kept while the server lets them be used again.

mod broken;
mod keep_alive;
mod transport;

pub(super) use broken::BrokenConnection;
pub(super) use transport::{HttpReply, HttpRequest, TlsError, Transport};
