//! Reads request bodies, with limits on their size, their speed and the memory of all of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use redrive_store::StoreError;
use tokio::time::Instant;

use crate::api_error::{ApiError, Code};

/// Maximum time between two frames of a body.
const FRAME_TIMEOUT: Duration = Duration::from_secs(30);
/// Time that a body has before its speed counts.
const GRACE: Duration = Duration::from_secs(10);
/// Minimum average speed of a body after that: a slow sender holds a connection and memory.
const BYTES_PER_SECOND: u32 = 4_096;
/// Bytes that are read and discarded of a body beyond its limit: a client whose connection is closed while it sends may
/// never see the error.
const DRAINED_BYTES_MAX: usize = 16 << 20;
/// Maximum body of a caller that has the call's permission in no namespace.
pub(super) const UNAUTHORIZED_BYTES_MAX: usize = 16 << 10;

/// Whether the sender of a body may make the call.
#[derive(Debug)]
pub(super) enum Sender {
    /// Has a permission for the call in at least one namespace.
    Authorized,
    /// Has none; every request is answered with this error.
    Unauthorized(ApiError),
}

impl Sender {
    const fn is_authorized(&self) -> bool {
        matches!(self, Self::Authorized)
    }
}

/// Reads bodies within the memory limit that all requests share.
#[derive(Debug)]
pub(super) struct BodyReader {
    bytes_max: usize,
    bytes: AtomicUsize,
}

/// A complete body. Its memory counts towards the shared limit until this is dropped.
#[derive(Debug)]
pub(super) struct FullBody<'b> {
    pub(super) bytes: Bytes,
    _reservation: Reservation<'b>,
}

impl BodyReader {
    pub(super) const fn new(bytes_max: usize) -> Self {
        Self { bytes_max, bytes: AtomicUsize::new(0) }
    }

    /// Reads a body of at most `bytes_max` bytes, and copies it into its own memory.
    ///
    /// The bytes of a connection are a slice of its read buffer, which is many times as large as a small body: a cached
    /// item would keep the whole buffer in memory, and every request would need a new one.
    pub(super) async fn read(
        &self,
        body: Incoming,
        bytes_max: usize,
        sender: Sender,
    ) -> Result<FullBody<'_>, ApiError> {
        let mut stream = BodyStream { body, received: 0, began: Instant::now() };
        match self.collect(&mut stream, bytes_max, &sender).await {
            Err(error) => Err(error.into_api_error(stream, bytes_max, sender).await),
            Ok(whole) => Ok(whole),
        }
    }

    async fn collect(
        &self,
        stream: &mut BodyStream,
        bytes_max: usize,
        sender: &Sender,
    ) -> Result<FullBody<'_>, BodyError> {
        let most = if sender.is_authorized() { bytes_max } else { bytes_max.min(UNAUTHORIZED_BYTES_MAX) };
        let announced = stream.announced();
        if announced > most {
            return Err(BodyError::TooLarge);
        }
        let mut reservation = Reservation { reader: self, bytes: 0 };
        reservation.grow_to(announced)?;
        let Some(first) = stream.next().await? else {
            return Ok(FullBody { bytes: Bytes::new(), _reservation: reservation });
        };
        let Some(second) = stream.next_within(most, &mut reservation).await? else {
            return Ok(FullBody { bytes: Bytes::copy_from_slice(&first), _reservation: reservation });
        };
        let mut whole = BytesMut::with_capacity(announced.max(first.len() + second.len()).min(most));
        whole.extend_from_slice(&first);
        whole.extend_from_slice(&second);
        while let Some(more) = stream.next_within(most, &mut reservation).await? {
            whole.extend_from_slice(&more);
        }
        Ok(FullBody { bytes: whole.freeze(), _reservation: reservation })
    }
}

/// The part of the shared memory limit that one body takes.
#[derive(Debug)]
struct Reservation<'b> {
    reader: &'b BodyReader,
    bytes: usize,
}

impl Reservation<'_> {
    fn grow_to(&mut self, bytes: usize) -> Result<(), BodyError> {
        let more = bytes.saturating_sub(self.bytes);
        let before = self.reader.bytes.fetch_add(more, Ordering::Relaxed);
        self.bytes += more;
        if before.saturating_add(more) > self.reader.bytes_max { Err(BodyError::NoMemory) } else { Ok(()) }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.reader.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A body that is being received.
struct BodyStream {
    body: Incoming,
    received: usize,
    began: Instant,
}

impl BodyStream {
    /// The size of the body according to its sender; 0 if unknown.
    fn announced(&self) -> usize {
        usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX)
    }

    /// The next chunk, if what was received stays within `most` and the shared limit.
    async fn next_within(
        &mut self,
        most: usize,
        reservation: &mut Reservation<'_>,
    ) -> Result<Option<Bytes>, BodyError> {
        if self.received > most {
            return Err(BodyError::TooLarge);
        }
        reservation.grow_to(self.received)?;
        let next = self.next().await?;
        if self.received > most {
            return Err(BodyError::TooLarge);
        }
        reservation.grow_to(self.received)?;
        Ok(next)
    }

    /// The next chunk; trailers are skipped.
    async fn next(&mut self) -> Result<Option<Bytes>, BodyError> {
        loop {
            let allowed = Duration::from_secs(self.received as u64) / BYTES_PER_SECOND;
            let timeout = (GRACE + allowed).saturating_sub(self.began.elapsed()).min(FRAME_TIMEOUT);
            match tokio::time::timeout(timeout, self.body.frame()).await {
                Err(_) => return Err(BodyError::Broken("the request body did not come in time")),
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => return Err(BodyError::Broken("the request body is incomplete")),
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        self.received += data.len();
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    /// Reads and discards the rest, up to [`DRAINED_BYTES_MAX`] beyond the limit.
    async fn drain(mut self, bytes_max: usize) {
        let most = bytes_max.saturating_add(DRAINED_BYTES_MAX);
        while self.received <= most && matches!(self.next().await, Ok(Some(_))) {}
    }
}

/// Why a body was not read.
#[derive(Debug)]
enum BodyError {
    TooLarge,
    /// The bodies of all requests together would exceed their memory limit.
    NoMemory,
    Broken(&'static str),
}

impl BodyError {
    /// The error to report. The rest of the body is drained for authorized senders only.
    async fn into_api_error(self, stream: BodyStream, bytes_max: usize, sender: Sender) -> ApiError {
        let is_authorized = sender.is_authorized();
        let bytes = stream.announced().max(stream.received);
        let error = match (self, sender) {
            (Self::Broken(message), _) => return ApiError::new(Code::ContentError, message),
            (Self::NoMemory, _) => StoreError::Overloaded.into(),
            // Over the smaller limit of unauthorized callers: the call would be denied, whatever the body contains.
            (Self::TooLarge, Sender::Unauthorized(denial)) if bytes <= bytes_max => denial,
            (Self::TooLarge, _) => too_large(bytes, bytes_max),
        };
        if is_authorized {
            stream.drain(bytes_max).await;
        }
        error
    }
}

/// `bytes` is the size of the body as far as it is known.
fn too_large(bytes: usize, bytes_max: usize) -> ApiError {
    let error = ApiError::bad(format!("request body exceeds {} limit", size(bytes_max)));
    error.because("too_large").with("bytes", bytes).with("most", bytes_max)
}

/// A size with its unit: a binary one if the size is a multiple of 1024 bytes, else a decimal one.
fn size(bytes: usize) -> String {
    let (unit, [kilo, mega]) = if bytes.is_multiple_of(1024) { (1024, ["KiB", "MiB"]) } else { (1000, ["kB", "MB"]) };
    // Limits are far below 2^53, up to which a float is exact.
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let times = |unit: usize| bytes as f64 / unit as f64;
    if bytes >= unit * unit {
        format!("{:.1}{mega}", times(unit * unit))
    } else if bytes >= unit {
        format!("{:.1}{kilo}", times(unit))
    } else {
        format!("{bytes}B")
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http_body_util::Empty;
    use hyper::Response;
    use hyper::body::Incoming;
    use hyper::service::service_fn;
    use hyper_util::rt::TokioIo;
    use tokio::io::AsyncWriteExt;
    use tokio::sync::mpsc;

    use super::{BodyReader, Sender, size};

    #[tokio::test]
    async fn a_body_does_not_keep_the_read_buffer_of_its_connection() {
        let (mut caller, served) = tokio::io::duplex(1 << 20);
        let (tx, mut rx) = mpsc::channel(1);
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let tx = tx.clone();
            async move {
                let reader = BodyReader::new(1 << 20);
                let body = reader.read(request.into_body(), 1 << 20, Sender::Authorized).await.map(|whole| whole.bytes);
                tx.send(body).await.unwrap();
                Ok::<_, std::convert::Infallible>(Response::new(Empty::<Bytes>::new()))
            }
        });
        let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(served), service);
        let connection = tokio::spawn(connection);
        for len in [3, 1_000, 100_000] {
            let head = format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: {len}\r\n\r\n");
            caller.write_all(head.as_bytes()).await.unwrap();
            caller.write_all(&vec![7; len]).await.unwrap();
            let body = rx.recv().await.unwrap().unwrap_or_else(|error| panic!("{error:?}"));
            assert_eq!(body, vec![7; len]);
            let capacity = body.try_into_mut().expect("the only reference").capacity();
            assert!(capacity < len * 2, "a body of {len} bytes keeps {capacity} bytes of memory");
        }
        drop(caller);
        connection.await.unwrap().unwrap();
    }

    #[test]
    fn limits_are_formatted_as_in_the_queue_api() {
        let sizes = [5_000_000, 512_000, 64_000_000, 256_000, 4_096, 512, 999, 1_000];
        let texts = ["5.0MB", "500.0KiB", "61.0MiB", "250.0KiB", "4.0KiB", "512B", "999B", "1.0kB"];
        assert_eq!(sizes.map(size), texts);
    }
}
