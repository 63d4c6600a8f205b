//! A worker pool as the handler of a runner.

use std::sync::Arc;

use redrive_core::{Backoff, Policy, QueueName, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{CreateQueue, NewItem, Produce, QueueSettings};
use redrive_run::{Runner, RunnerSettings, StoreQueue, WorkerCommand, WorkerPool};
use redrive_store::Store;

use super::fixture::{ReportListener, STOP_WITHIN};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_costs_one_attempt_and_the_next_attempt_does_the_work() {
    let script = "
def handle(request, payload, beat):
    if request['attempt'] == 1:
        os._exit(1)
    report('%s %d' % (payload.decode(), request['attempt']))

worker.run(handle)
";
    let listener = ReportListener::new().await;
    let pool = WorkerPool::start(WorkerCommand { processes: 2, ..listener.python(script) }).await.unwrap();

    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
    let queue = QueueName::new("orders").unwrap();
    store.create_queue(CreateQueue { settings: QueueSettings::new(queue.clone()) }).await.unwrap();
    let items = ["one", "two"].map(NewItem::of_payload).to_vec();
    store.produce(Produce::new(queue.clone(), items)).await.unwrap();
    let backoff = Backoff::fixed(Span::from_millis(1));
    let policy = Policy::builder().max_attempts(2).backoff_for_all(backoff).build().unwrap();
    let settings = RunnerSettings { concurrency: pool.processes(), ..RunnerSettings::default() };
    let source = StoreQueue::new(store, queue, Span::from_secs(30));
    let running = Runner::new(source, pool.clone(), policy, settings).unwrap().start().await.unwrap();

    let mut reports = [listener.next().await.text, listener.next().await.text];
    reports.sort();
    assert_eq!(reports, ["one 2", "two 2"]);
    let (report, ()) = tokio::join!(running.stop(STOP_WITHIN), pool.stop(STOP_WITHIN));
    assert_eq!((report.done, report.retried, report.dead_lettered), (2, 2, 0));
}
