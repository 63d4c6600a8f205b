//! A minimal worker: this program, started with a variable in its environment.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use redrive_run::WorkerCommand;
use serde::Deserialize;

/// If this variable is set, the program runs as a worker.
pub(crate) const WORKER_VARIABLE: &str = "REDRIVE_BENCH_WORKER";

/// The command that runs this program as a worker.
pub(super) fn command() -> Result<WorkerCommand> {
    let mut command = WorkerCommand::new(std::env::current_exe()?, [] as [&str; 0]);
    command.env.insert(WORKER_VARIABLE.into(), "1".into());
    Ok(command)
}

#[derive(Deserialize)]
struct Header {
    call: u64,
}

/// Answers every request with "done" until stdin is closed.
pub(crate) fn work() -> Result<()> {
    let (mut source, mut sink) = (BufReader::new(io::stdin().lock()), io::stdout().lock());
    write(&mut sink, br#"{"type":"hello","version":1}"#, &[])?;
    while let Some((header, _)) = read(&mut source)? {
        let Header { call } = serde_json::from_slice(&header)?;
        write(&mut sink, format!(r#"{{"type":"reply","call":{call},"outcome":"done"}}"#).as_bytes(), &[])?;
    }
    Ok(())
}

/// A worker that is called over bare pipes.
pub(super) struct PingPong {
    child: Child,
    request: Vec<u8>,
}

impl PingPong {
    pub(super) fn start(command: &WorkerCommand) -> Result<Self> {
        let mut child = Command::new(&command.program)
            .args(&command.args)
            .envs(&command.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let hello = read(child.stdout.as_mut().context("the worker has no pipe")?)?;
        ensure!(hello.is_some(), "the worker sent no hello");
        // The request that a runner sends for an item of the benchmark.
        let header = br#"{"type":"request","call":1,"id":"2PqKYhmZ2g6LwVhwT1m9xq3kzTn","attempt":1,"deliveries":1,"idempotency_key":"bench/2PqKYhmZ2g6LwVhwT1m9xq3kzTn"}"#;
        let mut request = Vec::new();
        write(&mut request, header, &[7; 1024])?;
        Ok(Self { child, request })
    }

    pub(super) fn call(&mut self) -> Result<()> {
        let stdin = self.child.stdin.as_mut().context("the worker has no pipe")?;
        stdin.write_all(&self.request)?;
        let reply = read(self.child.stdout.as_mut().context("the worker has no pipe")?)?;
        ensure!(reply.is_some(), "the worker ended");
        Ok(())
    }

    pub(super) fn end(mut self) -> Result<()> {
        drop(self.child.stdin.take());
        self.child.wait()?;
        Ok(())
    }
}

fn write(sink: &mut impl Write, header: &[u8], payload: &[u8]) -> Result<()> {
    let length = u32::try_from(4 + header.len() + payload.len())?;
    let header_length = u32::try_from(header.len())?;
    let frame = [&length.to_be_bytes()[..], &header_length.to_be_bytes()[..], header, payload].concat();
    sink.write_all(&frame)?;
    Ok(sink.flush()?)
}

/// The next frame; `None` at the end of the input.
fn read(source: &mut impl Read) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
    let mut lengths = [0; 8];
    match source.read_exact(&mut lengths) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let [a, b, c, d, e, f, g, h] = lengths;
    let (length, header_length) =
        (u32::from_be_bytes([a, b, c, d]) as usize, u32::from_be_bytes([e, f, g, h]) as usize);
    let mut header = vec![0; header_length];
    source.read_exact(&mut header)?;
    let mut payload = vec![0; length - 4 - header_length];
    source.read_exact(&mut payload)?;
    Ok(Some((header, payload)))
}
