//! A pool that is stopped or dropped leaves no process behind.

use redrive_core::Span;
use redrive_run::{Handled, WorkerCommand, WorkerPool};

use super::fixture::{
    EXEC, ReportListener, STOP_WITHIN, call, failure, is_gone, number, pid, pool, spawn_call, with_timeout,
};

#[tokio::test]
async fn idle_workers_exit_when_the_pool_closes_their_stdin() {
    let listener = ReportListener::new().await;
    let script = format!("{EXEC}\nreport('exited')");
    let pool = WorkerPool::start(WorkerCommand { processes: 2, ..listener.python(&script) }).await.unwrap();
    let one = pid(&pool).await;
    with_timeout(pool.stop(STOP_WITHIN)).await;
    assert!(is_gone(one));
    for _ in 0..2 {
        assert_eq!(listener.next().await.text, "exited");
    }
}

#[tokio::test]
async fn a_stop_returns_waiting_calls_untouched_and_lets_running_calls_finish() {
    let listener = ReportListener::new().await;
    let pool = listener.pool(EXEC).await;
    // The call runs until the test closes the connection.
    let running = spawn_call(&pool, "connection = report(str(os.getpid()))\nconnection.recv(1)\nresult = b'finished'");
    let report = listener.next().await;
    let worker = number(report.text.as_bytes());
    let waiting = spawn_call(&pool, "pass");
    tokio::task::yield_now().await;
    let stopping = tokio::spawn({
        let pool = pool.clone();
        async move { pool.stop(STOP_WITHIN).await }
    });
    assert_eq!(with_timeout(waiting).await.unwrap(), Handled::Untouched);
    assert_eq!(call(&pool, "pass").await, Handled::Untouched);
    assert!(!running.is_finished() && !stopping.is_finished());
    drop(report);
    assert_eq!(with_timeout(running).await.unwrap(), Handled::Done { result: Some("finished".into()) });
    with_timeout(stopping).await.unwrap();
    assert!(is_gone(worker));
}

#[tokio::test]
async fn a_call_that_exceeds_the_stop_time_is_killed_and_fails() {
    let listener = ReportListener::new().await;
    let pool = listener.pool(EXEC).await;
    let running = spawn_call(&pool, "report(str(os.getpid()))\nhang()");
    let worker = number(listener.next().await.text.as_bytes());
    with_timeout(pool.stop(Span::from_millis(1))).await;
    assert!(is_gone(worker));
    let failed = failure(with_timeout(running).await.unwrap());
    assert_eq!(failed.error.kind.as_ref().unwrap().as_str(), "worker.crashed");
    assert!(failed.error.message.contains("since the pool was stopped"), "{failed}");
}

#[tokio::test]
async fn a_worker_that_ignores_its_closed_stdin_is_killed() {
    let listener = ReportListener::new().await;
    let pool = listener.pool("hello()\nreport(str(os.getpid()))\nhang()").await;
    let worker = number(listener.next().await.text.as_bytes());
    with_timeout(pool.stop(Span::from_millis(1))).await;
    assert!(is_gone(worker));
}

#[tokio::test]
async fn a_pool_can_be_stopped_more_than_once() {
    let pool = pool(EXEC).await;
    let worker = pid(&pool).await;
    with_timeout(async { tokio::join!(pool.stop(STOP_WITHIN), pool.stop(STOP_WITHIN)) }).await;
    with_timeout(pool.stop(Span::ZERO)).await;
    assert!(is_gone(worker));
}

#[tokio::test]
async fn dropping_the_last_clone_of_a_pool_kills_its_workers() {
    let listener = ReportListener::new().await;
    let pool = listener.pool(EXEC).await;
    assert_eq!(call(&pool, "report('here')").await, Handled::DONE);
    let report = listener.next().await;
    let clone = pool.clone();
    drop(pool);
    assert_eq!(call(&clone, "pass").await, Handled::DONE);
    drop(clone);
    report.until_closed().await;
}

#[test]
fn dropping_the_runtime_kills_the_workers() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let observer = runtime();
    let listener = observer.block_on(ReportListener::new());
    let dropped_runtime = runtime();
    let pool = dropped_runtime.block_on(listener.pool("hello()\nreport('here')\nhang()"));
    let report = observer.block_on(listener.next());
    drop(dropped_runtime);
    observer.block_on(report.until_closed());
    drop(pool);
}
