//! Calls that share a pool of workers.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use redrive_run::{Handled, WorkerCommand, WorkerPool};

use super::fixture::{EXEC, ReportListener, STOP_WITHIN, call, pool, python, result, spawn_call, with_timeout};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_gets_its_own_answer() {
    let script = "worker.run(lambda request, payload, beat: payload + b' ' + str(os.getpid()).encode())";
    let pool = WorkerPool::start(WorkerCommand { processes: 3, ..python(script) }).await.unwrap();
    assert_eq!(pool.processes(), 3);
    let calls: Vec<_> = (0..300).map(|call| spawn_call(&pool, call.to_string())).collect();
    let mut pids = BTreeSet::new();
    for (call, handled) in with_timeout(join_all(calls)).await.into_iter().enumerate() {
        let answer = String::from_utf8(result(handled.unwrap()).to_vec()).unwrap();
        let (echo, pid) = answer.split_once(' ').unwrap();
        assert_eq!(echo, call.to_string());
        pids.insert(pid.to_owned());
    }
    assert!(pids.len() <= 3, "{pids:?}");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn calls_run_concurrently_in_all_workers() {
    let listener = ReportListener::new().await;
    let pool = WorkerPool::start(WorkerCommand { processes: 3, ..listener.python(EXEC) }).await.unwrap();
    let hanging: Vec<_> = (0..3).map(|_| spawn_call(&pool, "report('at work')\nhang()")).collect();
    let mut reports = Vec::new();
    for _ in 0..3 {
        reports.push(listener.next().await);
    }
    hanging.iter().for_each(tokio::task::JoinHandle::abort);
    for report in reports {
        report.until_closed().await;
    }
    assert_eq!(call(&pool, "pass").await, Handled::DONE);
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn calls_are_served_in_order_of_arrival() {
    let counting = "
count = 0
def handle(request, payload, beat):
    global count
    count += 1
    return str(count).encode()
worker.run(handle)
";
    let pool = pool(counting).await;
    let answers = with_timeout(join_all((0..50).map(|_| call(&pool, "")))).await;
    let counts: Vec<String> =
        answers.into_iter().map(|handled| String::from_utf8(result(handled).to_vec()).unwrap()).collect();
    assert_eq!(counts, (1..=50).map(|count| count.to_string()).collect::<Vec<_>>());
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropping_a_waiting_call_kills_no_worker() {
    let listener = ReportListener::new().await;
    let pool = listener.pool(EXEC).await;
    let hanging = spawn_call(&pool, "report('at work')\nhang()");
    let report = listener.next().await;
    let waiting: Vec<_> = (0..20).map(|_| spawn_call(&pool, "pass")).collect();
    waiting.iter().step_by(2).for_each(tokio::task::JoinHandle::abort);
    hanging.abort();
    report.until_closed().await;
    for call in waiting.into_iter().skip(1).step_by(2) {
        assert_eq!(with_timeout(call).await.unwrap(), Handled::DONE);
    }
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_is_lost_if_every_third_crashes_its_worker() {
    let pool = WorkerPool::start(WorkerCommand { processes: 4, ..python(EXEC) }).await.unwrap();
    let code = |call: i32| if call % 3 == 0 { "os._exit(1)" } else { "result = b'done'" };
    let calls: Vec<_> = (0..60).map(|call| spawn_call(&pool, code(call))).collect();
    let (mut done, mut failed) = (0, 0);
    for handled in with_timeout(join_all(calls)).await {
        match handled.unwrap() {
            Handled::Done { .. } => done += 1,
            Handled::Failed(_) => failed += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((done, failed), (40, 20));
    pool.stop(STOP_WITHIN).await;
}
