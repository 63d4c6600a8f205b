//! A pool that stops, or is dropped, leaves no process behind.

use redrive_core::Span;
use redrive_run::{Handled, WorkerCommand, WorkerPool};

use super::rig::{Ear, OBEDIENT, WITHIN, ask, asked, failure, is_gone, number, pid, pool, soon};

#[tokio::test]
async fn workers_without_work_end_by_themselves_when_their_stdin_is_closed() {
    let ear = Ear::new().await;
    let script = format!("{OBEDIENT}\ntell('ended by itself')");
    let pool = WorkerPool::start(WorkerCommand { processes: 2, ..ear.python(&script) }).await.unwrap();
    let one = pid(&pool).await;
    soon(pool.stop(WITHIN)).await;
    assert!(is_gone(one));
    for _ in 0..2 {
        assert_eq!(ear.hear().await.text, "ended by itself");
    }
}

#[tokio::test]
async fn a_call_that_waits_goes_back_untouched_and_one_at_work_may_finish() {
    let ear = Ear::new().await;
    let pool = ear.pool(OBEDIENT).await;
    // It works until the test hangs up.
    let at_work = asked(&pool, "line = tell(str(os.getpid()))\nline.recv(1)\nresult = b'finished'");
    let told = ear.hear().await;
    let worker = number(told.text.as_bytes());
    let waiting = asked(&pool, "pass");
    tokio::task::yield_now().await;
    let stopping = tokio::spawn({
        let pool = pool.clone();
        async move { pool.stop(WITHIN).await }
    });
    assert_eq!(soon(waiting).await.unwrap(), Handled::Untouched);
    assert_eq!(ask(&pool, "pass").await, Handled::Untouched);
    assert!(!at_work.is_finished() && !stopping.is_finished());
    drop(told);
    assert_eq!(soon(at_work).await.unwrap(), Handled::Done { result: Some("finished".into()) });
    soon(stopping).await.unwrap();
    assert!(is_gone(worker));
}

#[tokio::test]
async fn what_is_still_at_work_when_time_is_up_is_killed_and_has_failed() {
    let ear = Ear::new().await;
    let pool = ear.pool(OBEDIENT).await;
    let at_work = asked(&pool, "tell(str(os.getpid()))\nhang()");
    let worker = number(ear.hear().await.text.as_bytes());
    soon(pool.stop(Span::from_millis(1))).await;
    assert!(is_gone(worker));
    let failed = failure(soon(at_work).await.unwrap());
    assert_eq!(failed.error.kind.as_ref().unwrap().as_str(), "worker.crashed");
    assert!(failed.error.message.contains("since the pool was stopped"), "{failed}");
}

#[tokio::test]
async fn a_worker_that_ignores_its_closed_stdin_is_killed() {
    let ear = Ear::new().await;
    let pool = ear.pool("hello()\ntell(str(os.getpid()))\nhang()").await;
    let worker = number(ear.hear().await.text.as_bytes());
    soon(pool.stop(Span::from_millis(1))).await;
    assert!(is_gone(worker));
}

#[tokio::test]
async fn stopping_twice_is_stopping_once() {
    let pool = pool(OBEDIENT).await;
    let worker = pid(&pool).await;
    soon(async { tokio::join!(pool.stop(WITHIN), pool.stop(WITHIN)) }).await;
    soon(pool.stop(Span::ZERO)).await;
    assert!(is_gone(worker));
}

#[tokio::test]
async fn with_the_last_clone_of_a_pool_its_workers_are_killed() {
    let ear = Ear::new().await;
    let pool = ear.pool(OBEDIENT).await;
    assert_eq!(ask(&pool, "tell('here')").await, Handled::DONE);
    let told = ear.hear().await;
    let clone = pool.clone();
    drop(pool);
    assert_eq!(ask(&clone, "pass").await, Handled::DONE);
    drop(clone);
    told.until_dead().await;
}

#[test]
fn with_the_runtime_its_workers_are_killed() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let observer = runtime();
    let ear = observer.block_on(Ear::new());
    let doomed = runtime();
    let pool = doomed.block_on(ear.pool("hello()\ntell('here')\nhang()"));
    let told = observer.block_on(ear.hear());
    drop(doomed);
    observer.block_on(told.until_dead());
    drop(pool);
}
