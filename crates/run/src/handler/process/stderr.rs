//! Forwards the stderr of workers to the log, line by line.

use bytes::BytesMut;
use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;

use super::events::EVENTS;

/// The stderr of one worker.
#[derive(Debug)]
pub(super) struct Stderr {
    from: Option<ChildStderr>,
    pid: u32,
    lines: Lines,
}

impl Stderr {
    const READ_BYTES: usize = 4 << 10;

    pub(super) fn new(from: Option<ChildStderr>, pid: u32) -> Self {
        Self { from, pid, lines: Lines::default() }
    }

    /// Forwards lines until stderr is closed. Cancel safe.
    pub(super) async fn forward(&mut self) {
        let mut read = BytesMut::with_capacity(Self::READ_BYTES);
        while let Some(from) = &mut self.from {
            read.clear();
            let pid = self.pid;
            match from.read_buf(&mut read).await {
                Ok(1..) => self.lines.take(&read, |line| log(pid, line)),
                Ok(0) | Err(_) => {
                    self.lines.end(|line| log(pid, line));
                    self.from = None;
                }
            }
        }
    }
}

fn log(pid: u32, line: &[u8]) {
    let line = String::from_utf8_lossy(line);
    tracing::info!(target: EVENTS, pid, %line, "worker wrote to stderr");
}

/// Splits bytes into lines of bounded length.
#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
}

impl Lines {
    /// Longer lines are split.
    pub(super) const LINE_BYTES_MAX: usize = 4 << 10;

    pub(super) fn take(&mut self, mut read: &[u8], mut emit: impl FnMut(&[u8])) {
        while !read.is_empty() {
            let piece = &read[..read.len().min(Self::LINE_BYTES_MAX - self.line.len())];
            match piece.iter().position(|byte| *byte == b'\n') {
                Some(end) => {
                    self.line.extend_from_slice(&piece[..end]);
                    read = &read[end + 1..];
                    self.end(&mut emit);
                }
                None => {
                    self.line.extend_from_slice(piece);
                    read = &read[piece.len()..];
                    if self.line.len() == Self::LINE_BYTES_MAX {
                        self.end(&mut emit);
                    }
                }
            }
        }
    }

    /// Emits the last line, if it is not empty.
    pub(super) fn end(&mut self, mut emit: impl FnMut(&[u8])) {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        if !line.is_empty() {
            emit(line);
        }
        self.line.clear();
    }
}
