//! An answer, and the connection that it comes by.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming};

use super::BrokenConnection;
use super::connection::Http1Connection;
use super::pool::Pool;

/// Whoever answers before he has read the whole request has so long to read the rest of it.
const REST_WITHIN: Duration = Duration::from_secs(30);

/// An answer whose body has not been read. If it is dropped and was not given back, its connection is closed.
pub(in crate::handler::http) struct HttpReply {
    response: Response<Incoming>,
    /// None where it belongs to others, too.
    connection: Option<Http1Connection>,
    pool: Arc<Pool>,
    is_read: bool,
}

impl HttpReply {
    pub(super) fn new(response: Response<Incoming>, connection: Option<Http1Connection>, pool: &Arc<Pool>) -> Self {
        Self { response, connection, pool: Arc::clone(pool), is_read: false }
    }

    pub(in crate::handler::http) fn status(&self) -> StatusCode {
        self.response.status()
    }

    pub(in crate::handler::http) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// The next piece of the body; none at its end.
    pub(in crate::handler::http) async fn piece(&mut self) -> Result<Option<Bytes>, BrokenConnection> {
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
        self.is_read = true;
        Ok(None)
    }

    /// Gives the connection back for the next request, if the body was read to its end. A request that is being done is sent
    /// to its end, too, where the answer came before that.
    pub(in crate::handler::http) async fn give_back(self) {
        let is_read = self.is_read || self.response.body().is_end_stream();
        let Some(mut connection) = self.connection.filter(|_| is_read) else { return };
        let mut is_free = connection.is_free().await;
        if !is_free && self.response.status().is_success() {
            is_free = tokio::time::timeout(REST_WITHIN, connection.will_be_free()).await.unwrap_or(false);
        }
        if is_free {
            self.pool.keep(connection);
        }
    }
}
