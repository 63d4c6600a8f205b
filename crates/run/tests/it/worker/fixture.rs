//! Worker scripts in Python, the work they get, and a socket on which they report their progress to the test.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use redrive_core::{Failure, Span};
use redrive_model::Content;
use redrive_run::{Call, Handled, Handler, Work, WorkerCommand, WorkerPool};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

pub(crate) const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// How long a test waits for anything: longer means that it hangs.
const WAIT_MAX: Duration = Duration::from_secs(30);
pub(crate) const STOP_WITHIN: Span = Span::from_secs(20);

/// Functions for every worker script of these tests.
const PRELUDE: &str = r#"
import json, os, signal, struct, sys
import worker

connections = []

def report(text):
    """Reports to the test; the connection stays open for as long as the process lives."""
    import socket
    connection = socket.create_connection(("127.0.0.1", int(os.environ["REPORT_PORT"])))
    connection.sendall(text.encode() + b"\n")
    connections.append(connection)
    return connection

def hang():
    while True:
        signal.pause()

def read():
    lengths = sys.stdin.buffer.read(8)
    if not lengths:
        sys.exit(0)
    length, header = struct.unpack(">II", lengths)
    return json.loads(sys.stdin.buffer.read(header)), sys.stdin.buffer.read(length - 4 - header)

def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

def write(header, payload=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    raw(struct.pack(">II", 4 + len(text) + len(payload), len(text)) + text + payload)

def hello():
    write({"type": "hello", "version": 1})

def done(request, payload=b""):
    write({"type": "reply", "call": request["call"], "outcome": "done"}, payload)
"#;

/// A handler that executes its payload as Python; the variable `result` is its result.
pub(crate) const EXEC: &str = r#"
def handle(request, payload, beat):
    scope = dict(globals(), request=request, payload=payload, beat=beat, result=None)
    exec(payload.decode(), scope)
    return scope["result"]

worker.run(handle)
"#;

/// The same without the loop of the example: the payload writes the frames itself.
pub(crate) const RAW_EXEC: &str = r#"
hello()
while True:
    request, payload = read()
    exec(payload.decode())
"#;

/// The command of a worker with this script.
pub(crate) fn python(script: &str) -> WorkerCommand {
    let mut command = WorkerCommand::new("python3", ["-SB", "-c", &format!("{PRELUDE}\n{script}")]);
    command.env.insert("PYTHONPATH".into(), EXAMPLES.into());
    command
}

pub(crate) async fn pool(script: &str) -> WorkerPool {
    WorkerPool::start(python(script)).await.unwrap()
}

/// Work with this payload, at its first attempt.
pub(crate) fn work(payload: impl Into<Bytes>) -> Work {
    Work {
        id: "work-1".into(),
        source: "queue".into(),
        attempt: 1,
        deliveries: 1,
        destination: "workers".into(),
        ..crate::work::work(Content::of_payload(payload))
    }
}

pub(crate) async fn call_with(pool: &WorkerPool, work: Work) -> Handled {
    with_timeout(pool.handle(Call::new(Arc::new(work)))).await
}

pub(crate) async fn call(pool: &WorkerPool, payload: impl Into<Bytes>) -> Handled {
    call_with(pool, work(payload)).await
}

/// Calls a pool in a separate task.
pub(crate) fn spawn_call(pool: &WorkerPool, payload: impl Into<Bytes>) -> tokio::task::JoinHandle<Handled> {
    let (pool, work) = (pool.clone(), work(payload));
    tokio::spawn(async move { pool.handle(Call::new(Arc::new(work))).await })
}

pub(crate) fn result(handled: Handled) -> Bytes {
    match handled {
        Handled::Done { result } => result.unwrap_or_default(),
        other => panic!("expected a success: {other:?}"),
    }
}

pub(crate) fn failure(handled: Handled) -> Failure {
    match handled {
        Handled::Failed(failure) => *failure,
        other => panic!("expected a failure: {other:?}"),
    }
}

/// The process id of a worker with the script [`EXEC`].
pub(crate) async fn pid(pool: &WorkerPool) -> i32 {
    number(&result(call(pool, "result = str(os.getpid()).encode()").await))
}

pub(crate) fn number(text: &[u8]) -> i32 {
    std::str::from_utf8(text).unwrap().trim().parse().unwrap()
}

/// Whether the process does not exist, not even as a zombie.
pub(crate) fn is_gone(pid: i32) -> bool {
    test_kill_process(Pid::from_raw(pid).unwrap()) == Err(Errno::SRCH)
}

pub(crate) async fn with_timeout<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(WAIT_MAX, future).await.expect("timed out")
}

/// Accepts the reports of workers.
pub(crate) struct ReportListener {
    listener: TcpListener,
}

/// One report. Its connection stays open while a process holds the other end.
pub(crate) struct Report {
    pub(crate) text: String,
    connection: BufReader<TcpStream>,
}

impl ReportListener {
    pub(crate) async fn new() -> Self {
        Self { listener: TcpListener::bind(("127.0.0.1", 0)).await.unwrap() }
    }

    /// The command of a worker with this script that can report.
    pub(crate) fn python(&self, script: &str) -> WorkerCommand {
        let mut command = python(script);
        command.env.insert("REPORT_PORT".into(), self.listener.local_addr().unwrap().port().to_string().into());
        command
    }

    pub(crate) async fn pool(&self, script: &str) -> WorkerPool {
        WorkerPool::start(self.python(script)).await.unwrap()
    }

    pub(crate) async fn next(&self) -> Report {
        with_timeout(async {
            let (stream, _) = self.listener.accept().await.unwrap();
            let mut connection = BufReader::new(stream);
            let mut text = String::new();
            connection.read_line(&mut text).await.unwrap();
            Report { text: text.trim().to_owned(), connection }
        })
        .await
    }
}

impl Report {
    /// Waits until no process holds the other end of the connection.
    pub(crate) async fn until_closed(mut self) {
        // The connection of a killed process may end with a reset.
        let _is_reset = with_timeout(self.connection.read_to_end(&mut Vec::new())).await.is_err();
    }
}
