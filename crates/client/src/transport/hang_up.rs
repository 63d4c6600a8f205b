//! Taking back a request that waits, without losing its answer.
//!
//! Whoever stops to wait for a lease may close the connection: the server notices and gives nothing. But an answer
//! that is already on its way would be lost with the connection, and its items stay leased to nobody until their time
//! is over. So only the way to the server is closed. The server sees that just the same; and whatever it had sent
//! before is still read, after which the connection ends.

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

/// Asks a connection of HTTP/1.1 to close its way to the server.
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
pub(super) struct Wire<T> {
    io: T,
    hang_up: HangUp,
    is_closed: bool,
}

impl<T> Wire<T> {
    pub(super) fn new(io: T) -> Self {
        Self { io, hang_up: HangUp::default(), is_closed: false }
    }
}

impl<T: Connection> Connection for Wire<T> {
    fn connected(&self) -> Connected {
        self.io.connected().extra(self.hang_up.clone())
    }
}

/// A connection with an open request is always read from: that is where it hears that it is hung up.
impl<T: Read + Write + Unpin> Read for Wire<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_closed {
            self.hang_up.0.reader.register(context.waker());
            if self.hang_up.0.is_asked.load(Ordering::Acquire) {
                // One that cannot be closed is broken, which the read will tell.
                self.is_closed = Pin::new(&mut self.io).poll_shutdown(context).is_ready();
            }
        }
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<T: Write + Unpin> Write for Wire<T> {
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

/// The connection on which a request waits, for whoever may want to take the request back.
#[derive(Default)]
pub(crate) struct Line(Mutex<State>);

#[derive(Default)]
struct State {
    is_hung_up: bool,
    on: Option<CaptureConnection>,
}

impl Line {
    /// Notes on which connection a request will be; `false` where it is not wanted any more.
    pub(super) fn follow<B>(&self, request: &mut Request<B>) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.on = Some(capture_connection(request));
        !state.is_hung_up
    }

    /// Takes the request back: no further one is made. Whether one was sent, whose answer may still come.
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

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Line(…)")
    }
}
