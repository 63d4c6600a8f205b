//! One suite for all kinds of handlers: in the process, behind a network, and in worker processes.

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use redrive_core::{Evidence, Failure, Span};
use redrive_kafka::{KafkaConsumer, KafkaSettings};
use redrive_run::{
    Call, GrpcSettings, GrpcTarget, Handled, Handler, HttpSettings, HttpTarget, WorkerCommand, WorkerPool,
};

use crate::fixture::{Cluster, NewRecord, Recorder, busy, serve_grpc, serve_http, wait_until};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// What a handler does with a record, by its value and the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reaction {
    Success,
    /// A failure that a retry may resolve.
    Busy,
    /// A failure that no retry resolves.
    Missing,
    Hang,
}

impl Reaction {
    fn to(value: &str, attempt: u32) -> Self {
        match value.split('-').next().unwrap() {
            "retry" if attempt < 3 => Self::Busy,
            "busy" => Self::Busy,
            "missing" => Self::Missing,
            "hang" => Self::Hang,
            _ => Self::Success,
        }
    }

    fn of(call: &Call) -> Self {
        Self::to(std::str::from_utf8(&call.content.payload).unwrap(), call.attempt)
    }

    fn handled(self) -> Handled {
        let failed = |status| Handled::failed(Failure::new("failed").with_evidence(Evidence::http(status)));
        match self {
            Self::Success => Handled::DONE,
            Self::Missing => failed(404),
            Self::Busy | Self::Hang => failed(503),
        }
    }
}

/// The values of the suite, with the attempts of those that become letters.
fn suite_values() -> Vec<(String, Option<&'static str>)> {
    let several = |name: &str, count: u32, attempts| -> Vec<(String, Option<&'static str>)> {
        (0..count).map(|number| (format!("{name}-{number}"), attempts)).collect()
    };
    [
        several("ok", 30, None),
        several("retry", 3, None),
        several("missing", 2, Some("1")),
        several("busy", 1, Some("3")),
        several("hang", 1, Some("3")),
        several("then", 20, None),
    ]
    .concat()
}

/// Processes all values with the handler, and checks how each of them ended.
async fn run_suite(name: &str, handler: impl Handler, values: Vec<(String, Option<&'static str>)>) {
    let (cluster, topic) = Cluster::with_topic(name, 4).await;
    let record = |(index, (value, _)): (usize, &(String, _))| NewRecord::keyed(&format!("k{}", index % 10), value);
    cluster.produce(&topic, values.iter().enumerate().map(record));
    let settings = KafkaSettings { task_timeout: Span::from_secs(1), ..cluster.settings(&topic) };
    let group = settings.group_id.clone();
    let consumer = KafkaConsumer::start(settings, handler, None).await.unwrap();
    let end = i64::try_from(values.len()).unwrap();
    wait_until("the commit reaches the end", async || cluster.committed_sum(&group, &topic, 4) == end).await;
    assert!(consumer.snapshot().is_healthy());
    let report = consumer.stop().await;
    let letters: BTreeMap<String, Option<String>> =
        cluster.letters(&topic).iter().map(|letter| (letter.text(), letter.header("x-retry-attempt"))).collect();
    let expected: BTreeMap<String, Option<String>> =
        values.iter().filter_map(|(value, attempts)| Some((value.clone(), Some((*attempts)?.to_owned())))).collect();
    assert_eq!(letters, expected, "{name}: {report:?}");
    assert_eq!(report.done, (values.len() - expected.len()) as u64, "{name}: {report:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn async_handlers_pass_the_suite() {
    let handler = |call: Call| async move {
        match Reaction::of(&call) {
            Reaction::Hang => std::future::pending().await,
            reaction => reaction.handled(),
        }
    };
    run_suite("async", handler, suite_values()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blocking_handlers_on_a_pool_pass_the_suite() {
    let handler = |call: Call| async move {
        let blocking = move || {
            let reaction = Reaction::of(&call);
            if reaction == Reaction::Hang {
                // Nothing is ever sent: the thread outlives its attempt, and ends.
                let (_tx, rx) = sync_channel::<()>(1);
                let _has_waited = rx.recv_timeout(Duration::from_millis(1_500));
            }
            reaction.handled()
        };
        tokio::task::spawn_blocking(blocking).await.unwrap()
    };
    run_suite("blocking", handler, suite_values()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_http_target_passes_the_suite() {
    let url = serve_http(|value, attempt| match Reaction::to(value, attempt) {
        Reaction::Success => Some(200),
        Reaction::Busy => Some(503),
        Reaction::Missing => Some(404),
        Reaction::Hang => None,
    })
    .await;
    run_suite("http", HttpTarget::new(&HttpSettings::new(url)).unwrap(), suite_values()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_grpc_target_passes_the_suite() {
    let url = serve_grpc(|value, attempt| match Reaction::to(value, attempt) {
        Reaction::Success => Some(0),
        // UNAVAILABLE and NOT_FOUND.
        Reaction::Busy => Some(14),
        Reaction::Missing => Some(5),
        Reaction::Hang => None,
    })
    .await;
    let target = GrpcTarget::new(&GrpcSettings::new(url, "/orders.v1.Orders/Place")).unwrap();
    run_suite("grpc", target, suite_values()).await;
}

/// The same reactions in Python, and two more: the process is killed, or aborts.
const WORKER: &str = r#"
import os, resource, signal
import worker

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

class Status(Exception):
    def __init__(self, status):
        super().__init__("failed")
        self.evidence = {"http": status}

def handle(request, payload, beat):
    verb, attempt = payload.decode().split("-")[0], request["attempt"]
    if verb == "missing":
        raise Status(404)
    if verb == "busy" or verb == "retry" and attempt < 3:
        raise Status(503)
    if verb == "hang":
        signal.pause()
    if verb == "killed" and attempt == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if verb == "abort":
        os.abort()

worker.run(handle)
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn worker_processes_pass_the_suite_and_a_poison_record_that_aborts_its_worker_becomes_a_letter() {
    let mut command = WorkerCommand::new("python3", ["-SB", "-c", WORKER]);
    command.processes = 3;
    command.env.insert("PYTHONPATH".into(), EXAMPLES.into());
    let pool = WorkerPool::start(command).await.unwrap();
    let mut values = suite_values();
    // In the middle of the others, so that a worker dies while the pool is busy.
    for (index, number) in (0..4).enumerate() {
        values.insert(5 + 7 * index, (format!("killed-{number}"), None));
    }
    values.insert(20, ("abort-0".to_owned(), Some("3")));
    run_suite("workers", pool.clone(), values).await;
    pool.stop(Span::from_secs(10)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_fail_do_not_stop_the_other_keys() {
    let (cluster, topic) = Cluster::with_topic("keys", 4).await;
    let records: Vec<NewRecord> = (0..400)
        .map(|number| {
            let verb = if number % 4 == 0 { "busy" } else { "ok" };
            NewRecord::keyed(&format!("{verb}{}", number % 40), &format!("{verb}-{number}"))
        })
        .collect();
    cluster.produce(&topic, &records);
    let handler = Recorder::new(|call: &Call| match Reaction::of(call) {
        Reaction::Busy => Err(busy()),
        _ => Ok(()),
    });
    // Failing keys wait for their retries for longer than the test takes.
    let settings = cluster.settings_without_retries(&topic);
    let consumer = KafkaConsumer::start(settings, handler.clone(), None).await.unwrap();
    let is_healthy_key = |value: &&String| value.starts_with("ok");
    let done = async {
        wait_until("the healthy keys are done", async || handler.values().iter().filter(is_healthy_key).count() == 300)
            .await;
    };
    // Ten keys fail at the same time. A pause of all keys would take ten seconds.
    tokio::time::timeout(Duration::from_secs(8), done).await.expect("the healthy keys do not wait for the others");
    consumer.stop().await;
}
