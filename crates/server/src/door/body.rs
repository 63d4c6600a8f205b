//! Reading a body that may be too large, come too slowly, or never come.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use redrive_store::StoreError;
use tokio::time::Instant;

use crate::fault::{Code, Fault};

/// A sender that sends nothing for so long has gone.
const PATIENCE: Duration = Duration::from_secs(30);
/// A body has so long to begin with,
const GRACE: Duration = Duration::from_secs(10);
/// and from then on so many bytes come in a second, on the whole: whoever drips holds a connection and memory.
const BYTES_PER_SECOND: u32 = 4_096;
/// So much beyond its limit is still read of a body that is too large: a sender that is cut off may never see why.
const DRAINED_BYTES_MAX: usize = 16 << 20;
/// So much is read of somebody who may nowhere do what they ask for.
pub(super) const STRANGER_BYTES_MAX: usize = 16 << 10;

/// Who sends a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    /// Somebody who may do it, in some namespace at least.
    Known,
    Stranger,
}

/// The bodies of all requests, and how much memory they may take together.
#[derive(Debug)]
pub(super) struct Bodies {
    bytes_max: usize,
    bytes: AtomicUsize,
}

/// A whole body. What it takes counts until this is dropped.
#[derive(Debug)]
pub(super) struct Whole<'b> {
    pub(super) bytes: Bytes,
    _share: Share<'b>,
}

impl Bodies {
    pub(super) const fn new(bytes_max: usize) -> Self {
        Self { bytes_max, bytes: AtomicUsize::new(0) }
    }

    /// The whole body, if it is no larger than `bytes_max`, in memory of its own.
    ///
    /// What comes from a connection is a piece of its buffer, which is many times as large as a small body: an item that
    /// stays at hand would hold all of it, and every request would need a new one.
    pub(super) async fn read(&self, body: Incoming, bytes_max: usize, sender: Sender) -> Result<Whole<'_>, Fault> {
        let mut pieces = Pieces { body, came: 0, began: Instant::now() };
        match self.gathered(&mut pieces, bytes_max, sender).await {
            Err(unread) => Err(unread.told(pieces, bytes_max, sender).await),
            Ok(whole) => Ok(whole),
        }
    }

    async fn gathered(&self, pieces: &mut Pieces, bytes_max: usize, sender: Sender) -> Result<Whole<'_>, Unread> {
        let most = if sender == Sender::Known { bytes_max } else { bytes_max.min(STRANGER_BYTES_MAX) };
        let announced = pieces.announced();
        if announced > most {
            return Err(Unread::TooLarge);
        }
        let mut share = Share { bodies: self, bytes: 0 };
        share.grow_to(announced)?;
        let Some(first) = pieces.next().await? else { return Ok(Whole { bytes: Bytes::new(), _share: share }) };
        let Some(second) = pieces.within(most, &mut share).await? else {
            return Ok(Whole { bytes: Bytes::copy_from_slice(&first), _share: share });
        };
        let mut whole = BytesMut::with_capacity(announced.max(first.len() + second.len()).min(most));
        whole.extend_from_slice(&first);
        whole.extend_from_slice(&second);
        while let Some(more) = pieces.within(most, &mut share).await? {
            whole.extend_from_slice(&more);
        }
        Ok(Whole { bytes: whole.freeze(), _share: share })
    }
}

/// What one body takes of what there is for all.
#[derive(Debug)]
struct Share<'b> {
    bodies: &'b Bodies,
    bytes: usize,
}

impl Share<'_> {
    fn grow_to(&mut self, bytes: usize) -> Result<(), Unread> {
        let more = bytes.saturating_sub(self.bytes);
        let before = self.bodies.bytes.fetch_add(more, Ordering::Relaxed);
        self.bytes += more;
        if before.saturating_add(more) > self.bodies.bytes_max { Err(Unread::NoRoom) } else { Ok(()) }
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.bodies.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A body as it comes.
struct Pieces {
    body: Incoming,
    came: usize,
    began: Instant,
}

impl Pieces {
    /// How large it will be, as far as its sender says.
    fn announced(&self) -> usize {
        usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX)
    }

    /// The next piece, if all that came is not too large for anybody.
    async fn within(&mut self, most: usize, share: &mut Share<'_>) -> Result<Option<Bytes>, Unread> {
        if self.came > most {
            return Err(Unread::TooLarge);
        }
        share.grow_to(self.came)?;
        let next = self.next().await?;
        if self.came > most {
            return Err(Unread::TooLarge);
        }
        share.grow_to(self.came)?;
        Ok(next)
    }

    /// The next piece; trailers are passed over.
    async fn next(&mut self) -> Result<Option<Bytes>, Unread> {
        loop {
            let owed = Duration::from_secs(self.came as u64) / BYTES_PER_SECOND;
            let patience = (GRACE + owed).saturating_sub(self.began.elapsed()).min(PATIENCE);
            match tokio::time::timeout(patience, self.body.frame()).await {
                Err(_) => return Err(Unread::Broken("the request body did not come in time")),
                Ok(None) => return Ok(None),
                Ok(Some(Err(_))) => return Err(Unread::Broken("the request body ended before its end")),
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        self.came += data.len();
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    /// Passes over the rest.
    async fn drain(mut self, bytes_max: usize) {
        let most = bytes_max.saturating_add(DRAINED_BYTES_MAX);
        while self.came <= most && matches!(self.next().await, Ok(Some(_))) {}
    }
}

/// Why a body was not read.
#[derive(Debug)]
enum Unread {
    TooLarge,
    /// There is no room for it beside the others.
    NoRoom,
    Broken(&'static str),
}

impl Unread {
    /// What its sender is told. Nothing more is read of a stranger.
    async fn told(self, pieces: Pieces, bytes_max: usize, sender: Sender) -> Fault {
        let is_known = sender == Sender::Known;
        let fault = match self {
            Self::Broken(message) => return Fault::new(Code::ContentError, message),
            Self::NoRoom => StoreError::Overloaded.into(),
            Self::TooLarge if is_known || pieces.announced().max(pieces.came) > bytes_max => too_large(bytes_max),
            // Whatever it says, they may not do it.
            Self::TooLarge => Fault::denied(),
        };
        if is_known {
            pieces.drain(bytes_max).await;
        }
        fault
    }
}

fn too_large(bytes_max: usize) -> Fault {
    Fault::bad(format!("request body exceeds {} limit", size(bytes_max)))
}

/// A size with its unit: binary, where the limit is a whole number of them.
fn size(bytes: usize) -> String {
    let (unit, [kilo, mega]) = if bytes.is_multiple_of(1024) { (1024, ["KiB", "MiB"]) } else { (1000, ["kB", "MB"]) };
    // Limits are far below what a float can tell apart.
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

    use super::{Bodies, Sender, size};

    #[tokio::test]
    async fn a_body_does_not_hold_the_buffer_of_its_connection() {
        let (mut caller, served) = tokio::io::duplex(1 << 20);
        let (bodies, mut came) = mpsc::channel(1);
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let bodies = bodies.clone();
            async move {
                let all = Bodies::new(1 << 20);
                let body = all.read(request.into_body(), 1 << 20, Sender::Known).await.map(|whole| whole.bytes);
                bodies.send(body).await.unwrap();
                Ok::<_, std::convert::Infallible>(Response::new(Empty::<Bytes>::new()))
            }
        });
        let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(served), service);
        let connection = tokio::spawn(connection);
        for len in [3, 1_000, 100_000] {
            let head = format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: {len}\r\n\r\n");
            caller.write_all(head.as_bytes()).await.unwrap();
            caller.write_all(&vec![7; len]).await.unwrap();
            let body = came.recv().await.unwrap().unwrap_or_else(|fault| panic!("{fault:?}"));
            assert_eq!(body, vec![7; len]);
            let room = body.try_into_mut().expect("nobody else has it").capacity();
            assert!(room < len * 2, "a body of {len} bytes holds {room}");
        }
        drop(caller);
        connection.await.unwrap().unwrap();
    }

    #[test]
    fn limits_are_written_as_the_wire_has_them() {
        let sizes = [5_000_000, 512_000, 64_000_000, 256_000, 4_096, 512, 999, 1_000];
        let texts = ["5.0MB", "500.0KiB", "61.0MiB", "250.0KiB", "4.0KiB", "512B", "999B", "1.0kB"];
        assert_eq!(sizes.map(size), texts);
    }
}
