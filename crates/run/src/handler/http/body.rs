//! The body of a response, up to a limit.

use bytes::{Bytes, BytesMut};

use super::broken::BrokenConnection;
use super::transport::HttpReply;
use crate::Call;

/// The result of reading a body.
#[derive(Debug)]
pub(super) enum Body {
    Whole(Bytes),
    /// The beginning of a body that is longer than the limit.
    Cut(Bytes),
    /// The connection broke after these bytes.
    Broken(Bytes, BrokenConnection),
}

impl Body {
    /// Reads up to `most` bytes. Each piece that arrives counts as a beat of the calls.
    pub(super) async fn read(answer: &mut HttpReply, most: usize, calls: &[Call]) -> Self {
        let mut gathered = BytesMut::new();
        loop {
            match answer.piece().await {
                Ok(None) => return Self::Whole(gathered.freeze()),
                Err(error) => return Self::Broken(gathered.freeze(), error),
                Ok(Some(piece)) => {
                    calls.iter().for_each(Call::beat);
                    let room = most - gathered.len();
                    gathered.extend_from_slice(&piece[..piece.len().min(room)]);
                    if piece.len() > room {
                        return Self::Cut(gathered.freeze());
                    }
                }
            }
        }
    }

    /// The bytes that were read.
    pub(super) fn beginning(self) -> Bytes {
        match self {
            Self::Whole(bytes) | Self::Cut(bytes) | Self::Broken(bytes, _) => bytes,
        }
    }
}
