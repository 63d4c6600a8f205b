//! Hangs up a waiting request without losing its answer.
//!
//! A client that stops waiting for a lease could close the connection: the server notices and leases nothing. But an
//! answer that is already on its way would be lost, and its items would stay leased until their deadline. So only the
//! sending direction is closed. The server notices that as well, and what it sent before is still read.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;
use http::{Extensions, Request};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{CaptureConnection, Connected, Connection, capture_connection};

/// Asks an HTTP/1.1 connection to close its sending direction.
#[derive(Debug, Clone, Default)]
pub(super) struct HangUp(Arc<HangUpSignal>);

#[derive(Debug, Default)]
struct HangUpSignal {
    is_asked: AtomicBool,
    reader: AtomicWaker,
}

impl HangUp {
    fn ask(&self) {
        self.0.is_asked.store(true, Ordering::Release);
        self.0.reader.wake();
    }
}

/// A connection that can be hung up.
#[derive(Debug)]
pub(super) struct HangUpStream<T> {
    io: T,
    hang_up: HangUp,
    is_closed: bool,
}

impl<T> HangUpStream<T> {
    pub(super) fn new(io: T) -> Self {
        Self { io, hang_up: HangUp::default(), is_closed: false }
    }
}

impl<T: Connection> Connection for HangUpStream<T> {
    fn connected(&self) -> Connected {
        self.io.connected().extra(self.hang_up.clone())
    }
}

/// A connection with an open request is always being read: that is where it notices the hang-up.
impl<T: Read + Write + Unpin> Read for HangUpStream<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_closed {
            self.hang_up.0.reader.register(context.waker());
            if self.hang_up.0.is_asked.load(Ordering::Acquire) {
                // If it cannot be closed, it is broken, which the read reports.
                self.is_closed = Pin::new(&mut self.io).poll_shutdown(context).is_ready();
            }
        }
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<T: Write + Unpin> Write for HangUpStream<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, pieces)
    }
}

/// A request that waits on the server and can be hung up.
#[derive(Default)]
pub(crate) struct WaitingRequest(Mutex<State>);

#[derive(Default)]
struct State {
    is_hung_up: bool,
    on: Option<CaptureConnection>,
}

impl WaitingRequest {
    /// Records the connection of the request. Returns `false` if it was hung up already.
    pub(super) fn follow<B>(&self, request: &mut Request<B>) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.on = Some(capture_connection(request));
        !state.is_hung_up
    }

    /// Hangs up; no further request is sent. Returns whether one was sent, whose answer may still come.
    pub(crate) fn hang_up(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_hung_up = true;
        let Some(captured) = &state.on else { return false };
        let connected = captured.connection_metadata();
        let Some(connected) = connected.as_ref() else { return false };
        connected.poison();
        let mut extras = Extensions::new();
        connected.get_extras(&mut extras);
        if let Some(hang_up) = extras.get::<HangUp>() {
            hang_up.ask();
        }
        true
    }
}

impl fmt::Debug for WaitingRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WaitingRequest(…)")
    }
}
