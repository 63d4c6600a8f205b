//! The bytes between the pool and a worker.
//!
//! ```text
//! 4 bytes  length of the rest, big endian
//! 4 bytes  length of the header, big endian
//!          header, a JSON object
//!          payload, to the end of the frame
//! ```

use std::io;
use std::os::fd::AsFd;

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

/// Why no frame could be read.
#[derive(Debug)]
pub(super) enum ReadError {
    /// The other side has closed its end, maybe in the middle of a frame.
    Closed,
    Breach(Breach),
}

/// What a worker did that the protocol does not know.
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

/// Reads frames, each with as few calls of the operating system as there can be.
///
/// [`next`](Self::next) may be dropped and called again: what was read stays here.
#[derive(Debug)]
pub(super) struct FrameReader<R> {
    from: R,
    buffer: BytesMut,
    frame_bytes_max: usize,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// Most replies fit in one read of this size.
    const READ_BYTES: usize = 8 << 10;
    /// A length alone does not get more memory than this: it may be rubbish.
    const RESERVE_BYTES_MAX: usize = 256 << 10;
    /// A smaller payload is copied, so that the buffer is free for the next one.
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

    /// The header of the next frame, if the frame was read already.
    pub(super) fn header(&self) -> Option<&[u8]> {
        const LENGTHS: usize = LENGTH_BYTES + HEADER_LENGTH_BYTES;
        let is_there = matches!(self.missing(), Ok(0));
        let header = self.number_at(LENGTH_BYTES).filter(|_| is_there)?;
        self.buffer.get(LENGTHS..LENGTHS + header)
    }

    /// Whether the next frame was read already, or what is wrong with it.
    pub(super) fn has_frame(&self) -> bool {
        !matches!(self.missing(), Ok(1..))
    }

    /// Takes what is there, without waiting for more; whether anything was.
    pub(super) fn look(&mut self) -> bool
    where
        R: AsFd,
    {
        let mut found = [0; 4 << 10];
        match rustix::io::read(&self.from, &mut found) {
            Ok(count @ 1..) => {
                self.buffer.extend_from_slice(&found[..count]);
                true
            }
            // Whatever is wrong, whoever waits for more finds it, too.
            Ok(0) | Err(_) => false,
        }
    }

    /// How many bytes are missing for all of a frame, as far as that is known. What is wrong with it is said as soon as
    /// it can be: nobody waits for the rest of a text that was taken for a length.
    fn missing(&self) -> Result<usize, ReadError> {
        const LENGTHS: usize = LENGTH_BYTES + HEADER_LENGTH_BYTES;
        let Some(length) = self.number_at(0) else { return Ok(LENGTHS - self.buffer.len()) };
        if length > self.frame_bytes_max {
            return Err(ReadError::Breach(Breach::TooLong { length, most: self.frame_bytes_max }));
        }
        let Some(room) = length.checked_sub(HEADER_LENGTH_BYTES) else {
            return Err(ReadError::Breach(Breach::TooShort { length }));
        };
        if let Some(header) = self.number_at(LENGTH_BYTES) {
            if header > room {
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

    /// The frame that is there, whole: `header` has seen it.
    pub(super) fn take(&mut self) -> Frame {
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
