//! The frames between the pool and a worker.
//!
//! ```text
//! 4 bytes  length of the rest, big endian
//! 4 bytes  length of the header, big endian
//!          header, a JSON object
//!          payload, to the end of the frame
//! ```

use std::io;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};

/// The length of a frame.
pub(super) const LENGTH_BYTES: usize = 4;
/// The length of its header.
pub(super) const HEADER_LENGTH_BYTES: usize = 4;

/// A frame as it was read.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) header: Bytes,
    pub(super) payload: Bytes,
}

/// Why no frame was read.
#[derive(Debug)]
pub(super) enum ReadError {
    /// The other side has closed its end, maybe in the middle of a frame.
    Closed,
    Breach(Breach),
}

/// How a worker violated the protocol.
#[derive(Debug, thiserror::Error)]
pub(super) enum Breach {
    #[error(
        "the worker wrote a frame of {length} bytes, and {most} are allowed; print nothing but frames to stdout, or \
         raise frame_bytes_max"
    )]
    TooLong { length: usize, most: usize },
    #[error("the worker wrote a frame of {length} bytes, too short for any; print nothing but frames to stdout")]
    TooShort { length: usize },
    #[error("the worker wrote a header of {header} bytes in a frame of {length}; print nothing but frames to stdout")]
    HeaderTooLongForFrame { header: usize, length: usize },
    #[error("the worker wrote a header of {length} bytes, and {most} are allowed; put data into the payload")]
    HeaderTooLong { length: usize, most: usize },
    #[error("the header of the worker's frame cannot be read")]
    Header(#[source] serde_json::Error),
    #[error("the worker's {frame} frame has no '{field}'")]
    Missing { frame: &'static str, field: &'static str },
    #[error("the worker wrote a {found} frame where only a reply or a beat may stand")]
    NotNow { found: &'static str },
    #[error("the worker wrote a {found} frame where its hello should stand")]
    NoHello { found: &'static str },
    #[error("the worker answered call {found}, but was asked call {asked}")]
    WrongCall { found: u64, asked: u64 },
    #[error("the worker replied before it had read the whole request")]
    Early,
}

/// Reads frames with few system calls.
///
/// [`next`](Self::next) is cancel safe: bytes that were read stay in the buffer.
#[derive(Debug)]
pub(super) struct FrameReader<R> {
    from: R,
    buffer: BytesMut,
    frame_bytes_max: usize,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// Most replies fit in one read of this size.
    const READ_BYTES: usize = 8 << 10;
    /// A length alone reserves no more memory than this: it may be garbage.
    const RESERVE_BYTES_MAX: usize = 256 << 10;
    /// Smaller payloads are copied, so that the buffer can be reused.
    const COPY_BYTES_MAX: usize = 4 << 10;
    const HEADER_BYTES_MAX: usize = 1 << 20;

    pub(super) fn new(from: R, frame_bytes_max: usize) -> Self {
        Self { from, buffer: BytesMut::new(), frame_bytes_max }
    }

    pub(super) async fn next(&mut self) -> Result<Frame, ReadError> {
        loop {
            let missing = match self.missing()? {
                0 => return Ok(self.take()),
                missing => missing,
            };
            self.buffer.reserve(missing.clamp(Self::READ_BYTES, Self::RESERVE_BYTES_MAX));
            match self.from.read_buf(&mut self.buffer).await {
                Ok(1..) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return Err(ReadError::Closed),
            }
        }
    }

    /// How many bytes of the next frame are missing, as far as that is known. Errors are detected as early as possible,
    /// so that text that was read as a length is not waited for.
    fn missing(&self) -> Result<usize, ReadError> {
        const LENGTHS: usize = LENGTH_BYTES + HEADER_LENGTH_BYTES;
        let Some(length) = self.number_at(0) else { return Ok(LENGTHS - self.buffer.len()) };
        if length > self.frame_bytes_max {
            return Err(ReadError::Breach(Breach::TooLong { length, most: self.frame_bytes_max }));
        }
        let Some(header_max) = length.checked_sub(HEADER_LENGTH_BYTES) else {
            return Err(ReadError::Breach(Breach::TooShort { length }));
        };
        if let Some(header) = self.number_at(LENGTH_BYTES) {
            if header > header_max {
                return Err(ReadError::Breach(Breach::HeaderTooLongForFrame { header, length }));
            }
            if header > Self::HEADER_BYTES_MAX {
                return Err(ReadError::Breach(Breach::HeaderTooLong { length: header, most: Self::HEADER_BYTES_MAX }));
            }
        }
        Ok((LENGTH_BYTES + length).saturating_sub(self.buffer.len()))
    }

    fn number_at(&self, offset: usize) -> Option<usize> {
        let bytes = self.buffer.get(offset..offset + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    }

    /// Takes the next frame, of which no byte is missing.
    fn take(&mut self) -> Frame {
        let length = self.number_at(0).unwrap_or_default();
        let header = self.number_at(LENGTH_BYTES).unwrap_or_default();
        self.buffer.advance(LENGTH_BYTES);
        let mut frame = self.buffer.split_to(length);
        frame.advance(HEADER_LENGTH_BYTES);
        let header = frame.split_to(header).freeze();
        let payload = if frame.len() <= Self::COPY_BYTES_MAX { Bytes::copy_from_slice(&frame) } else { frame.freeze() };
        Frame { header, payload }
    }
}
