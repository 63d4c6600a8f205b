//! A worker that dies or hangs costs one attempt and one worker.

use std::time::Duration;

use redrive_core::{Category, Classifier, Evidence, Failure, IoKind, Span};
use redrive_run::{Handled, WorkerPool};
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::Instant;

use super::rig::{Ear, OBEDIENT, RAW, WITHIN, ask, ask_with, asked, failure, is_gone, number, pid, pool, soon, work};

/// That the attempt failed by a crash, that it will be tried again, and that another process does it.
async fn assert_crashed(pool: &WorkerPool, failure: &Failure, how: &str, before: i32) {
    assert_eq!(failure.error.kind.as_ref().unwrap().as_str(), "worker.crashed");
    assert!(failure.error.message.contains(how), "{failure}");
    assert_eq!(failure.error.evidence, Some(Evidence::Io(IoKind::BrokenPipe)));
    assert_eq!(Classifier::built_in().classify(failure, 1).category, Category::Network);
    assert!(is_gone(before));
    assert_ne!(pid(pool).await, before);
}

#[tokio::test]
async fn a_worker_that_exits_at_work_costs_one_attempt_and_is_replaced() {
    let pool = pool(OBEDIENT).await;
    let before = pid(&pool).await;
    let failure = failure(ask(&pool, "os._exit(3)").await);
    assert_crashed(&pool, &failure, "exit status: 3", before).await;
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_is_killed_at_work_costs_one_attempt_and_is_replaced() {
    let pool = pool(OBEDIENT).await;
    let before = pid(&pool).await;
    let failure = failure(ask(&pool, "os.kill(os.getpid(), signal.SIGKILL)").await);
    assert_crashed(&pool, &failure, "signal: 9 (SIGKILL)", before).await;
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_closes_its_stdout_and_lives_on_is_killed() {
    let pool = pool("hello()\nread()\nos.close(1)\nhang()").await;
    let failure = failure(ask(&pool, "x").await);
    assert!(failure.error.message.contains("without ending, and was killed"), "{failure}");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_reply_that_was_cut_off_by_the_end_of_the_worker_is_a_crash() {
    let pool = pool(RAW).await;
    let failure = failure(ask(&pool, "raw(struct.pack('>II', 100, 50) + b'{')\nos._exit(7)").await);
    assert_eq!(failure.error.kind.as_ref().unwrap().as_str(), "worker.crashed");
    assert!(failure.error.message.contains("exit status: 7"), "{failure}");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_whose_call_is_given_up_is_killed_and_replaced() {
    let ear = Ear::new().await;
    let pool = ear.pool(OBEDIENT).await;
    let hanging = asked(&pool, "tell(str(os.getpid()))\nhang()");
    let told = ear.hear().await;
    let before = number(told.text.as_bytes());
    assert!(!is_gone(before));
    hanging.abort();
    // The next call gets the next worker, which is started when the last one is gone.
    assert_ne!(pid(&pool).await, before);
    assert!(is_gone(before));
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn whatever_a_worker_has_started_is_killed_with_it() {
    let ear = Ear::new().await;
    let pool = ear.pool(OBEDIENT).await;
    let spawning = "
import subprocess
line = tell('at work')
child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'],
                         pass_fds=[line.fileno()])
tell('it has a child')
hang()
";
    let hanging = asked(&pool, spawning);
    let held_by_both = ear.hear().await;
    assert_eq!(ear.hear().await.text, "it has a child");
    hanging.abort();
    held_by_both.until_dead().await;
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_behind_a_shell_ends_with_the_shell() {
    let ear = Ear::new().await;
    let mut command = ear.python(OBEDIENT);
    // The shell does not become the worker: it has something to do afterwards.
    let worker = std::mem::replace(&mut command.program, "sh".into());
    let shell = ["-c".into(), "\"$@\"; exit 5".into(), "sh".into(), worker.into_os_string()];
    command.args.splice(0..0, shell);
    let pool = WorkerPool::start(command).await.unwrap();
    let at_work = asked(&pool, "tell(str(os.getppid()))\nhang()");
    let told = ear.hear().await;
    kill_process(Pid::from_raw(number(told.text.as_bytes())).unwrap(), Signal::KILL).unwrap();
    let failure = failure(soon(at_work).await.unwrap());
    assert!(failure.error.message.contains("signal: 9 (SIGKILL)"), "{failure}");
    told.until_dead().await;
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_crash_is_noticed_also_when_somebody_else_holds_the_pipes_open() {
    let ear = Ear::new().await;
    let pool = ear.pool(RAW).await;
    let leaving = "
import subprocess
line = tell('leaving')
subprocess.Popen([sys.executable, '-c', 'import os, sys; os.read(int(sys.argv[1]), 1)', str(line.fileno())],
                 pass_fds=[line.fileno()], start_new_session=True)
os._exit(3)
";
    let failure = failure(ask(&pool, leaving).await);
    assert!(failure.error.message.contains("exit status: 3"), "{failure}");
    // Upon this, the one that was left behind ends.
    drop(ear.hear().await);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_dies_while_it_is_free_costs_no_attempt() {
    let ear = Ear::new().await;
    let pool = ear.pool(OBEDIENT).await;
    assert_eq!(ask(&pool, "tell(str(os.getpid()))").await, Handled::DONE);
    let told = ear.hear().await;
    let killed = number(told.text.as_bytes());
    kill_process(Pid::from_raw(killed).unwrap(), Signal::KILL).unwrap();
    told.until_dead().await;
    // Whether the pool has noticed is a race, and the pipe may still take the request; that nobody is charged is none.
    let mut handled = ask(&pool, "pass").await;
    if handled == Handled::Untouched {
        handled = ask(&pool, "pass").await;
    }
    assert_eq!(handled, Handled::DONE);
    assert!(is_gone(killed));
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_request_that_was_not_written_whole_goes_back_uncharged() {
    let pool = pool("hello()\nsys.stdin.buffer.raw.read(10)\nos._exit(1)").await;
    // More than fits in the pipe: the worker is gone before all of it is written.
    assert_eq!(ask(&pool, vec![0; 1 << 20]).await, Handled::Untouched);
    // What fits may have been read, for all that we know.
    let failed = failure(ask(&pool, "small").await);
    assert!(failed.error.message.contains("exit status: 1"), "{failed}");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_request_of_which_nothing_was_read_goes_back_uncharged() {
    let ear = Ear::new().await;
    let pool = ear.pool("hello()\ntell('not reading').recv(1)\nos._exit(1)").await;
    let told = ear.hear().await;
    let written = asked(&pool, "small");
    tokio::task::yield_now().await;
    drop(told);
    assert_eq!(soon(written).await.unwrap(), Handled::Untouched);
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn work_that_kills_every_worker_that_begins_to_read_it_is_charged_at_last() {
    let pool = pool("hello()\nsys.stdin.buffer.raw.read(10)\nos._exit(1)").await;
    let mut poison = work(vec![0; 1 << 20]);
    poison.deliveries = 9;
    let failed = failure(ask_with(&pool, poison).await);
    assert_eq!(failed.error.kind.unwrap().as_str(), "worker.crashed");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn workers_that_die_at_once_are_started_less_and_less_often() {
    let ear = Ear::new().await;
    let pool = ear.pool("hello()\ntell('started')\nos._exit(1)").await;
    ear.hear().await;
    let first = Instant::now();
    for _ in 0..4 {
        ear.hear().await;
    }
    // At once, then after 0.1 s, 0.2 s and 0.4 s; the first of them may have begun before it was heard of.
    assert!(first.elapsed() >= Duration::from_millis(600), "{:?}", first.elapsed());
    soon(pool.stop(WITHIN)).await;
}
