//! Workers in Python, the work they get, and a line on which they tell what they are at.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use redrive_core::{Failure, Span, Time, Trigger};
use redrive_model::{Content, Origin};
use redrive_run::{Call, Handled, Handler, Work, WorkerCommand, WorkerPool};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

pub(crate) const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Nothing here takes so long; what does, hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
pub(crate) const WITHIN: Span = Span::from_secs(20);

/// What every worker of these tests has at hand.
const PRELUDE: &str = r#"
import json, os, signal, struct, sys
import worker

lines = []

def tell(text):
    """Tells the test; the line stays open for as long as the process lives."""
    import socket
    line = socket.create_connection(("127.0.0.1", int(os.environ["TELL"])))
    line.sendall(text.encode() + b"\n")
    lines.append(line)
    return line

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

/// A handler that does what its payload says, in Python; what it leaves in `result` is its result.
pub(crate) const OBEDIENT: &str = r#"
def handle(request, payload, beat):
    scope = dict(globals(), request=request, payload=payload, beat=beat, result=None)
    exec(payload.decode(), scope)
    return scope["result"]

worker.run(handle)
"#;

/// The same, without the loop of the example: it writes its frames itself.
pub(crate) const RAW: &str = r#"
hello()
while True:
    request, payload = read()
    exec(payload.decode())
"#;

/// A worker that runs this script.
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
        origin: Arc::new(Origin::default()),
        content: Arc::new(Content::of_payload(payload)),
        attempt: 1,
        deliveries: 1,
        since: Time::from_secs(0),
        trigger: Trigger::Automatic,
        destination: "workers".into(),
        edition: None,
        parts: Vec::new(),
        terms: None,
        trace_id: None,
        request_id: None,
        submitted_by: None,
        metadata: BTreeMap::new(),
    }
}

pub(crate) async fn ask_with(pool: &WorkerPool, work: Work) -> Handled {
    soon(pool.handle(Call::new(Arc::new(work)))).await
}

pub(crate) async fn ask(pool: &WorkerPool, payload: impl Into<Bytes>) -> Handled {
    ask_with(pool, work(payload)).await
}

/// Asks a pool in a task of its own.
pub(crate) fn asked(pool: &WorkerPool, payload: impl Into<Bytes>) -> tokio::task::JoinHandle<Handled> {
    let (pool, work) = (pool.clone(), work(payload));
    tokio::spawn(async move { pool.handle(Call::new(Arc::new(work))).await })
}

pub(crate) fn result(handled: Handled) -> Bytes {
    match handled {
        Handled::Done { result } => result.unwrap_or_default(),
        other => panic!("not done: {other:?}"),
    }
}

pub(crate) fn failure(handled: Handled) -> Failure {
    match handled {
        Handled::Failed(failure) => *failure,
        other => panic!("not failed: {other:?}"),
    }
}

/// The process that an obedient worker is.
pub(crate) async fn pid(pool: &WorkerPool) -> i32 {
    number(&result(ask(pool, "result = str(os.getpid()).encode()").await))
}

pub(crate) fn number(text: &[u8]) -> i32 {
    std::str::from_utf8(text).unwrap().trim().parse().unwrap()
}

/// Whether there is no such process, not even one that nobody waited for.
pub(crate) fn is_gone(pid: i32) -> bool {
    test_kill_process(Pid::from_raw(pid).unwrap()) == Err(Errno::SRCH)
}

pub(crate) async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(PATIENCE, future).await.expect("it hangs")
}

/// Where workers tell what they are at.
pub(crate) struct Ear {
    listener: TcpListener,
}

/// Something that was told; the line stays open while whoever told it lives.
pub(crate) struct Told {
    pub(crate) text: String,
    line: BufReader<TcpStream>,
}

impl Ear {
    pub(crate) async fn new() -> Self {
        Self { listener: TcpListener::bind(("127.0.0.1", 0)).await.unwrap() }
    }

    /// A worker that can tell.
    pub(crate) fn python(&self, script: &str) -> WorkerCommand {
        let mut command = python(script);
        command.env.insert("TELL".into(), self.listener.local_addr().unwrap().port().to_string().into());
        command
    }

    pub(crate) async fn pool(&self, script: &str) -> WorkerPool {
        WorkerPool::start(self.python(script)).await.unwrap()
    }

    pub(crate) async fn hear(&self) -> Told {
        soon(async {
            let (stream, _) = self.listener.accept().await.unwrap();
            let mut line = BufReader::new(stream);
            let mut text = String::new();
            line.read_line(&mut text).await.unwrap();
            Told { text: text.trim().to_owned(), line }
        })
        .await
    }
}

impl Told {
    /// Waits until nobody holds the other end any more.
    pub(crate) async fn until_dead(mut self) {
        // A process that was killed may leave a reset instead of an end.
        let _is_reset = soon(self.line.read_to_end(&mut Vec::new())).await.is_err();
    }
}
