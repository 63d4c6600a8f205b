//! Connections that nobody uses at the moment.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http2;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::connection::Http1Connection;
use super::trust::Trust;

/// A connection of HTTP/2, on which there is room for everybody.
pub(super) type Http2Connection = http2::SendRequest<Full<Bytes>>;

/// What is not used for so long is closed, half of that later at the latest.
const IDLE_MAX: Duration = Duration::from_secs(30);

#[derive(Default)]
pub(super) struct Pool {
    idle: Mutex<Idle>,
}

#[derive(Default)]
struct Idle {
    /// The one that was used last is last.
    own: Vec<(Http1Connection, Instant)>,
    shared: Option<(Http2Connection, Instant)>,
    closer: Option<AbortHandle>,
    trust: Trust,
}

/// A connection to send a request by.
pub(super) enum HttpConnection {
    Own(Http1Connection),
    Shared(Http2Connection),
}

impl Pool {
    /// One that was good when it was last used. If it is not any more, nothing can be sent by it, and that is noticed.
    pub(super) fn take(&self) -> Option<HttpConnection> {
        let mut idle = self.lock();
        if let Some((shared, used)) = idle.shared.as_mut().filter(|(shared, _)| !shared.is_closed()) {
            *used = Instant::now();
            return Some(HttpConnection::Shared(shared.clone()));
        }
        idle.own.pop().map(|(connection, _)| HttpConnection::Own(connection))
    }

    pub(super) fn keep(self: &Arc<Self>, connection: Http1Connection) {
        let now = Instant::now();
        let mut idle = self.lock();
        if idle.trust.served(connection.requests, now) {
            idle.own.push((connection, now));
            self.see_to_closing(&mut idle);
        }
    }

    /// A connection that was kept broke before the answer: others are likely to.
    pub(super) fn broke(&self) {
        let mut idle = self.lock();
        idle.trust.broke(Instant::now());
        let broken = std::mem::take(&mut idle.own);
        drop(idle);
        drop(broken);
    }

    /// Has others use a connection, too, unless they have one already.
    pub(super) fn share(self: &Arc<Self>, shared: &Http2Connection) {
        let mut idle = self.lock();
        if idle.shared.as_ref().is_none_or(|(before, _)| before.is_closed()) {
            idle.shared = Some((shared.clone(), Instant::now()));
            self.see_to_closing(&mut idle);
        }
    }

    /// Has connections closed that nobody uses any more.
    fn see_to_closing(self: &Arc<Self>, idle: &mut Idle) {
        if idle.closer.as_ref().is_none_or(AbortHandle::is_finished) {
            idle.closer = Some(tokio::spawn(close_idle(Arc::downgrade(self))).abort_handle());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn close_idle(pool: Weak<Pool>) {
    loop {
        tokio::time::sleep(IDLE_MAX / 2).await;
        let Some(pool) = pool.upgrade() else { return };
        let mut idle = pool.lock();
        let is_old = |used: &Instant| used.elapsed() >= IDLE_MAX;
        let old = idle.own.partition_point(|(_, used)| is_old(used));
        let closed = (idle.own.drain(..old).collect::<Vec<_>>(), idle.shared.take_if(|(_, used)| is_old(used)));
        let is_last = idle.own.is_empty() && idle.shared.is_none();
        if is_last {
            idle.closer = None;
        }
        drop(idle);
        drop(closed);
        if is_last {
            return;
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(closer) = self.lock().closer.take() {
            closer.abort();
        }
    }
}
