//! Many calls over few workers.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use redrive_run::{Handled, WorkerCommand, WorkerPool};

use super::rig::{Ear, OBEDIENT, WITHIN, ask, asked, pool, python, result, soon};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_over_few_workers_all_get_their_own_answer() {
    let script = "worker.run(lambda request, payload, beat: payload + b' ' + str(os.getpid()).encode())";
    let pool = WorkerPool::start(WorkerCommand { processes: 3, ..python(script) }).await.unwrap();
    assert_eq!(pool.processes(), 3);
    let calls: Vec<_> = (0..300).map(|call| asked(&pool, call.to_string())).collect();
    let mut pids = BTreeSet::new();
    for (call, handled) in soon(join_all(calls)).await.into_iter().enumerate() {
        let answer = String::from_utf8(result(handled.unwrap()).to_vec()).unwrap();
        let (echo, pid) = answer.split_once(' ').unwrap();
        assert_eq!(echo, call.to_string());
        pids.insert(pid.to_owned());
    }
    assert!(pids.len() <= 3, "{pids:?}");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn calls_are_at_work_in_as_many_workers_as_there_are() {
    let ear = Ear::new().await;
    let pool = WorkerPool::start(WorkerCommand { processes: 3, ..ear.python(OBEDIENT) }).await.unwrap();
    let hanging: Vec<_> = (0..3).map(|_| asked(&pool, "tell('at work')\nhang()")).collect();
    let mut lines = Vec::new();
    for _ in 0..3 {
        lines.push(ear.hear().await);
    }
    hanging.iter().for_each(tokio::task::JoinHandle::abort);
    for line in lines {
        line.until_dead().await;
    }
    assert_eq!(ask(&pool, "pass").await, Handled::DONE);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn those_who_wait_longest_are_served_first() {
    let counting = "
count = 0
def handle(request, payload, beat):
    global count
    count += 1
    return str(count).encode()
worker.run(handle)
";
    let pool = pool(counting).await;
    let answers = soon(join_all((0..50).map(|_| ask(&pool, "")))).await;
    let counts: Vec<String> =
        answers.into_iter().map(|handled| String::from_utf8(result(handled).to_vec()).unwrap()).collect();
    assert_eq!(counts, (1..=50).map(|count| count.to_string()).collect::<Vec<_>>());
    pool.stop(WITHIN).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_are_given_up_while_they_wait_cost_nobody_a_worker() {
    let ear = Ear::new().await;
    let pool = ear.pool(OBEDIENT).await;
    let hanging = asked(&pool, "tell('at work')\nhang()");
    let told = ear.hear().await;
    let waiting: Vec<_> = (0..20).map(|_| asked(&pool, "pass")).collect();
    waiting.iter().step_by(2).for_each(tokio::task::JoinHandle::abort);
    hanging.abort();
    told.until_dead().await;
    for call in waiting.into_iter().skip(1).step_by(2) {
        assert_eq!(soon(call).await.unwrap(), Handled::DONE);
    }
    pool.stop(WITHIN).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_is_lost_where_every_third_kills_its_worker() {
    let pool = WorkerPool::start(WorkerCommand { processes: 4, ..python(OBEDIENT) }).await.unwrap();
    let code = |call: i32| if call % 3 == 0 { "os._exit(1)" } else { "result = b'done'" };
    let calls: Vec<_> = (0..60).map(|call| asked(&pool, code(call))).collect();
    let (mut done, mut failed) = (0, 0);
    for handled in soon(join_all(calls)).await {
        match handled.unwrap() {
            Handled::Done { .. } => done += 1,
            Handled::Failed(_) => failed += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((done, failed), (40, 20));
    pool.stop(WITHIN).await;
}
