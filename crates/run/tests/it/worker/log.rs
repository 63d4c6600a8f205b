//! Log events about workers.

use std::fmt::Debug;
use std::sync::{LazyLock, Mutex};
use std::thread::{self, ThreadId};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber};

use super::fixture::{EXEC, STOP_WITHIN, call, pool};

/// A subscriber that keeps all events of this process.
///
/// All tests share it: tracing would disable a callsite for all threads if a thread without a subscriber reached it
/// first.
#[derive(Default)]
struct Log(Mutex<Vec<Logged>>);

#[derive(Debug, Clone)]
struct Logged {
    thread: ThreadId,
    level: Level,
    target: String,
    fields: String,
}

static LOG: LazyLock<Dispatch> = LazyLock::new(|| {
    let log = Dispatch::new(Log::default());
    tracing::dispatcher::set_global_default(log.clone()).unwrap();
    log
});

/// The events of this thread while `future` runs, which is everything on a single-threaded runtime.
async fn logged(future: impl Future<Output = ()>) -> Vec<Logged> {
    let log = LOG.downcast_ref::<Log>().unwrap();
    future.await;
    let here = thread::current().id();
    log.0.lock().unwrap().iter().filter(|event| event.thread == here).cloned().collect()
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0 += &format!("{}={value:?} ", field.name());
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        let metadata = event.metadata();
        self.0.lock().unwrap().push(Logged {
            thread: thread::current().id(),
            level: *metadata.level(),
            target: metadata.target().to_owned(),
            fields: fields.0,
        });
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn stderr_of_a_worker_is_logged_line_by_line_and_its_payload_is_not() {
    let log = logged(async {
        let pool = pool(EXEC).await;
        let code = "secret = 'hunter2'; print('first ' + 'line'); sys.stderr.write('x' * 10_000 + '\\nlast, unended')";
        call(&pool, code).await;
        call(&pool, "os._exit(1)").await;
        pool.stop(STOP_WITHIN).await;
    })
    .await;
    let lines: Vec<&Logged> = log.iter().filter(|event| event.fields.contains("line=")).collect();
    // The long line is logged in three pieces.
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[0].fields.contains("line=first line"), "{lines:?}");
    assert!(lines[4].fields.contains("line=last, unended"), "{lines:?}");
    assert!(lines.iter().all(|line| line.level == Level::INFO && line.fields.len() < 5_000));
    let ours: Vec<&Logged> = log.iter().filter(|event| event.target.starts_with("redrive")).collect();
    assert!(ours.len() > lines.len());
    assert!(ours.iter().all(|event| event.target == "redrive_run::worker" && !event.fields.contains("hunter2")));
}

#[tokio::test]
async fn a_worker_that_answered_a_call_before_it_died_is_replaced_without_delay() {
    let log = logged(async {
        let pool = pool(EXEC).await;
        for _ in 0..3 {
            call(&pool, "pass").await;
            call(&pool, "os._exit(1)").await;
        }
        pool.stop(STOP_WITHIN).await;
    })
    .await;
    let replaced: Vec<&Logged> = log.iter().filter(|event| event.fields.contains("is replaced")).collect();
    assert_eq!(replaced.len(), 3, "{log:?}");
    assert!(replaced.iter().all(|event| event.fields.contains("failures=0")), "{replaced:?}");
}
