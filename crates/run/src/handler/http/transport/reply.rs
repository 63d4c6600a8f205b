//! An answer, and the connection that it comes by.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming};

use super::Broken;
use super::connection::Connection;
use super::pool::Pool;

/// An answer whose body has not been read. Read to its end, its connection is kept; dropped before, it is closed.
pub(in crate::handler::http) struct Reply {
    pub(super) response: Response<Incoming>,
    /// None where it belongs to others, too, or was given back.
    pub(super) connection: Option<Connection>,
    pub(super) pool: Arc<Pool>,
}

impl Reply {
    pub(in crate::handler::http) fn status(&self) -> StatusCode {
        self.response.status()
    }

    pub(in crate::handler::http) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// The next piece of the body; none at its end.
    pub(in crate::handler::http) async fn piece(&mut self) -> Result<Option<Bytes>, Broken> {
        let body = self.response.body_mut();
        while !body.is_end_stream() {
            let frame = match &mut self.connection {
                Some(connection) => connection.during(body.frame()).await,
                None => body.frame().await,
            };
            match frame.transpose()?.map(Frame::into_data) {
                Some(Ok(piece)) => return Ok(Some(piece)),
                // What comes behind the body says nothing here.
                Some(Err(_)) => {}
                None => break,
            }
        }
        if let Some(mut connection) = self.connection.take()
            && connection.is_free().await
        {
            self.pool.keep(connection);
        }
        Ok(None)
    }
}
