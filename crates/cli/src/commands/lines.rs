//! Lines of stdin or of a file, read by a separate thread: a command that waits for input can be interrupted, and input
//! is read while the command waits for the server.

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Read, stdin};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::console::say;
use crate::session::Interrupt;

/// The maximum size of a line: no server accepts a larger request.
const LINE_BYTES_MAX: usize = 64 << 20;
const BUFFER_BYTES: usize = 1 << 20;
/// A chunk of lines ends after this many bytes, or when no complete line is left in the buffer.
const CHUNK_BYTES_MAX: usize = 4 << 20;
const CHUNKS_MAX: usize = 4;

#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: u64,
    /// Without the line feed.
    pub(super) bytes: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Lines(Receiver<Result<Vec<Line>>>);

impl Lines {
    pub(super) fn of_stdin() -> Result<Self> {
        if stdin().is_terminal() {
            say("reading lines from the terminal; end with Ctrl-D");
        }
        Self::read(stdin())
    }

    /// The lines of a file, or else of stdin.
    pub(super) fn of(file: Option<&Path>) -> Result<Self> {
        match file {
            Some(path) => Self::read(File::open(path).with_context(|| format!("cannot read {}", path.display()))?),
            None => Self::of_stdin(),
        }
    }

    fn read(source: impl Read + Send + 'static) -> Result<Self> {
        let (sender, receiver) = channel(CHUNKS_MAX);
        let reader = BufReader::with_capacity(BUFFER_BYTES, source);
        std::thread::Builder::new().name("lines".to_owned()).spawn(move || read_all(reader, &sender))?;
        Ok(Self(receiver))
    }

    /// The next lines; waits for the first. `None` at the end of the input. Fails after an interrupt.
    pub(super) async fn next(&mut self, interrupt: &Interrupt) -> Result<Option<Vec<Line>>> {
        self.next_or(interrupt, "interrupted").await
    }

    /// Like [`next`](Self::next), with this message after an interrupt.
    pub(super) async fn next_or(&mut self, interrupt: &Interrupt, message: &str) -> Result<Option<Vec<Line>>> {
        let received = interrupt.or(self.0.recv()).await;
        received.ok_or_else(|| Interrupt::error(message))?.transpose()
    }

    /// Whether [`next`](Self::next) would wait.
    pub(super) fn is_idle(&self) -> bool {
        self.0.is_empty()
    }
}

fn read_all(mut reader: BufReader<impl Read>, sender: &Sender<Result<Vec<Line>>>) {
    let mut number = 0;
    loop {
        let chunk = read_chunk(&mut reader, &mut number);
        if matches!(&chunk, Ok(lines) if lines.is_empty()) {
            return;
        }
        let is_broken = chunk.is_err();
        // A closed channel means that the command has ended.
        if sender.blocking_send(chunk).is_err() || is_broken {
            return;
        }
    }
}

/// The lines in the buffer, and at least one, for which it waits. Empty at the end of the input.
fn read_chunk(reader: &mut BufReader<impl Read>, number: &mut u64) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let mut held = 0;
    loop {
        let Some(bytes) = read_line(reader, *number + 1)? else { return Ok(lines) };
        *number += 1;
        held += bytes.len();
        lines.push(Line { number: *number, bytes });
        if held > CHUNK_BYTES_MAX || !reader.buffer().contains(&b'\n') {
            return Ok(lines);
        }
    }
}

fn read_line(reader: &mut BufReader<impl Read>, number: u64) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(LINE_BYTES_MAX + 1)?;
    if reader.by_ref().take(limit).read_until(b'\n', &mut bytes).context("cannot read the input")? == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    if bytes.len() > LINE_BYTES_MAX {
        return Err(anyhow!("line {number} is larger than {LINE_BYTES_MAX} bytes, the maximum"));
    }
    Ok(Some(bytes))
}
