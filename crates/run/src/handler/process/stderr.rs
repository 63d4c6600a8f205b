//! What workers write to stderr, line by line into the log.

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

    /// Forwards lines until there are no more. It may be dropped and called again.
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
    tracing::info!(target: EVENTS, pid, %line, "a worker wrote to stderr");
}

/// Cuts what is read into lines of bounded length.
#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
}

impl Lines {
    /// A longer line is cut into several.
    pub(super) const LINE_BYTES_MAX: usize = 4 << 10;

    pub(super) fn take(&mut self, mut read: &[u8], mut tell: impl FnMut(&[u8])) {
        while !read.is_empty() {
            let room = &read[..read.len().min(Self::LINE_BYTES_MAX - self.line.len())];
            match room.iter().position(|byte| *byte == b'\n') {
                Some(end) => {
                    self.line.extend_from_slice(&room[..end]);
                    read = &read[end + 1..];
                    self.end(&mut tell);
                }
                None => {
                    self.line.extend_from_slice(room);
                    read = &read[room.len()..];
                    if self.line.len() == Self::LINE_BYTES_MAX {
                        self.end(&mut tell);
                    }
                }
            }
        }
    }

    /// Tells what is left, if anything is.
    pub(super) fn end(&mut self, mut tell: impl FnMut(&[u8])) {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        if !line.is_empty() {
            tell(line);
        }
        self.line.clear();
    }
}
