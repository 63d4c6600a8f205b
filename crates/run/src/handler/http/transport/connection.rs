//! A connection of HTTP/1.1 that has no task of its own.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{self, SendRequest};

use super::connector::Stream;

type RequestBody = Full<Bytes>;
type Sent = Result<Response<Incoming>, TrySendError<Request<RequestBody>>>;

/// A connection that is at one request at a time. It gets on only while somebody waits for what comes by it.
pub(super) struct Http1Connection {
    send: SendRequest<RequestBody>,
    /// None when it has ended.
    drive: Option<Box<http1::Connection<Stream, RequestBody>>>,
    /// So many were sent by it.
    pub(super) requests: u32,
}

impl Http1Connection {
    pub(super) async fn open(stream: Stream) -> Result<Self, hyper::Error> {
        let (send, drive) = http1::handshake(stream).await?;
        Ok(Self { send, drive: Some(Box::new(drive)), requests: 0 })
    }

    pub(super) fn send(&mut self, request: Request<RequestBody>) -> impl Future<Output = Sent> {
        self.requests = self.requests.saturating_add(1);
        let answer = self.send.try_send_request(request);
        self.during(answer)
    }

    /// Waits for something that comes by this connection, and has it come.
    pub(super) async fn during<T>(&mut self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        poll_fn(|context| {
            // What it waits for is asked for by waiting, and may be here already.
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                return Poll::Ready(output);
            }
            self.get_on(context);
            future.as_mut().poll(context)
        })
        .await
    }

    /// Looks whether the connection can take a request: all of the last one was sent, its answer was read to its end, and
    /// nobody has closed it.
    pub(super) async fn is_free(&mut self) -> bool {
        poll_fn(|context| Poll::Ready(self.poll_free(context) == Poll::Ready(true))).await
    }

    /// Waits until it can, or never will.
    pub(super) async fn will_be_free(&mut self) -> bool {
        poll_fn(|context| self.poll_free(context)).await
    }

    fn poll_free(&mut self, context: &mut Context<'_>) -> Poll<bool> {
        // Once for what was still to be sent, and once to see that it was: nobody else would wake it for that.
        for _ in 0..2 {
            self.get_on(context);
            if self.drive.is_none() {
                return Poll::Ready(false);
            }
            if let Poll::Ready(ready) = self.send.poll_ready(context) {
                return Poll::Ready(ready.is_ok());
            }
        }
        Poll::Pending
    }

    fn get_on(&mut self, context: &mut Context<'_>) {
        // Why it ended is told to whoever waits for an answer; where nobody does, nothing is lost by it.
        self.drive.take_if(|drive| Pin::new(&mut **drive).poll(context).is_ready());
    }
}
