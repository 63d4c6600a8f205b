//! While no worker can be started, work returns untouched.

use redrive_run::{Handled, WorkerCommand, WorkerPool};
use redrive_testkit::folder;

use super::fixture::{EXAMPLES, STOP_WITHIN, call, failure, result};

const SCRIPT: &str = "
import os, worker
def handle(request, payload, beat):
    if payload == b'crash':
        os._exit(1)
    return b'done'
worker.run(handle)
";

#[tokio::test]
async fn work_returns_untouched_while_no_worker_can_be_started_and_is_done_afterwards() {
    let folder = folder("worker");
    let script = folder.path().join("vanishing.py");
    std::fs::write(&script, SCRIPT).unwrap();
    let mut command =
        WorkerCommand { processes: 2, ..WorkerCommand::new("python3", ["-B".as_ref(), script.as_os_str()]) };
    command.env.insert("PYTHONPATH".into(), EXAMPLES.into());
    let pool = WorkerPool::start(command).await.unwrap();
    assert_eq!(result(call(&pool, "work").await), "done");

    std::fs::remove_file(&script).unwrap();
    for _ in 0..2 {
        failure(call(&pool, "crash").await);
    }
    for _ in 0..2 {
        assert_eq!(call(&pool, "work").await, Handled::Untouched);
    }

    std::fs::write(&script, SCRIPT).unwrap();
    // A call before the next successful start may return untouched once more.
    let mut handled = call(&pool, "work").await;
    for _ in 0..10 {
        if handled == Handled::Untouched {
            handled = call(&pool, "work").await;
        }
    }
    assert_eq!(result(handled), "done");
    pool.stop(STOP_WITHIN).await;
}
