//! The body of an answer, no more of it than is wanted.

use bytes::{Bytes, BytesMut};

use super::transport::{BrokenConnection, HttpReply};
use crate::Call;

/// How the reading of a body ended.
#[derive(Debug)]
pub(super) enum Body {
    Whole(Bytes),
    /// It is longer than allowed; this is the beginning.
    Cut(Bytes),
    /// The connection broke, after this much.
    Broken(Bytes, BrokenConnection),
}

impl Body {
    /// Reads up to `most` bytes. Each piece that arrives shows life.
    pub(super) async fn read(answer: &mut HttpReply, most: usize, call: &Call) -> Self {
        let mut gathered = BytesMut::new();
        loop {
            match answer.piece().await {
                Ok(None) => return Self::Whole(gathered.freeze()),
                Err(error) => return Self::Broken(gathered.freeze(), error),
                Ok(Some(piece)) => {
                    call.beat();
                    let room = most - gathered.len();
                    gathered.extend_from_slice(&piece[..piece.len().min(room)]);
                    if piece.len() > room {
                        return Self::Cut(gathered.freeze());
                    }
                }
            }
        }
    }

    /// What there is of it.
    pub(super) fn beginning(self) -> Bytes {
        match self {
            Self::Whole(bytes) | Self::Cut(bytes) | Self::Broken(bytes, _) => bytes,
        }
    }
}
