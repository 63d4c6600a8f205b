//! A worker that crashes or hangs costs one attempt and is replaced.

use std::time::Duration;

use redrive_core::{Category, Classifier, Evidence, Failure, IoKind, Span};
use redrive_run::{Handled, WorkerPool};
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::Instant;

use super::fixture::{
    EXEC, RAW_EXEC, ReportListener, STOP_WITHIN, call, call_with, failure, is_gone, number, pid, pool, spawn_call,
    with_timeout, work,
};

/// Asserts that the attempt failed by a crash, that the failure is retryable, and that another process replaced the
/// worker.
async fn assert_crashed(pool: &WorkerPool, failure: &Failure, how: &str, before: i32) {
    assert_eq!(failure.error.kind.as_ref().unwrap().as_str(), "worker.crashed");
    assert!(failure.error.message.contains(how), "{failure}");
    assert_eq!(failure.error.evidence, Some(Evidence::Io(IoKind::BrokenPipe)));
    assert_eq!(Classifier::built_in().classify(failure, 1).category, Category::Network);
    assert!(is_gone(before));
    assert_ne!(pid(pool).await, before);
}

#[tokio::test]
async fn a_worker_that_exits_during_a_call_costs_one_attempt_and_is_replaced() {
    let pool = pool(EXEC).await;
    let before = pid(&pool).await;
    let failure = failure(call(&pool, "os._exit(3)").await);
    assert_crashed(&pool, &failure, "exit status: 3", before).await;
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_is_killed_during_a_call_costs_one_attempt_and_is_replaced() {
    let pool = pool(EXEC).await;
    let before = pid(&pool).await;
    let failure = failure(call(&pool, "os.kill(os.getpid(), signal.SIGKILL)").await);
    assert_crashed(&pool, &failure, "signal: 9 (SIGKILL)", before).await;
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_closes_its_stdout_is_killed() {
    let pool = pool("hello()\nread()\nos.close(1)\nhang()").await;
    let failure = failure(call(&pool, "x").await);
    assert!(failure.error.message.contains("without exiting, and was killed"), "{failure}");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn an_incomplete_reply_of_a_worker_that_exited_is_a_crash() {
    let pool = pool(RAW_EXEC).await;
    let failure = failure(call(&pool, "raw(struct.pack('>II', 100, 50) + b'{')\nos._exit(7)").await);
    assert_eq!(failure.error.kind.as_ref().unwrap().as_str(), "worker.crashed");
    assert!(failure.error.message.contains("exit status: 7"), "{failure}");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_worker_whose_call_is_dropped_is_killed_and_replaced() {
    let listener = ReportListener::new().await;
    let pool = listener.pool(EXEC).await;
    let hanging = spawn_call(&pool, "report(str(os.getpid()))\nhang()");
    let report = listener.next().await;
    let before = number(report.text.as_bytes());
    assert!(!is_gone(before));
    hanging.abort();
    // The next call gets a new worker, which is started after the old one has ended.
    assert_ne!(pid(&pool).await, before);
    assert!(is_gone(before));
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn child_processes_of_a_worker_are_killed_with_it() {
    let listener = ReportListener::new().await;
    let pool = listener.pool(EXEC).await;
    let spawning = "
import subprocess
connection = report('at work')
child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'],
                         pass_fds=[connection.fileno()])
report('it has a child')
hang()
";
    let hanging = spawn_call(&pool, spawning);
    let held_by_both = listener.next().await;
    assert_eq!(listener.next().await.text, "it has a child");
    hanging.abort();
    held_by_both.until_closed().await;
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_worker_under_a_shell_is_killed_when_the_shell_dies() {
    let listener = ReportListener::new().await;
    let mut command = listener.python(EXEC);
    // The shell stays the parent of the worker, because a command follows.
    let worker = std::mem::replace(&mut command.program, "sh".into());
    let shell = ["-c".into(), "\"$@\"; exit 5".into(), "sh".into(), worker.into_os_string()];
    command.args.splice(0..0, shell);
    let pool = WorkerPool::start(command).await.unwrap();
    let running = spawn_call(&pool, "report(str(os.getppid()))\nhang()");
    let report = listener.next().await;
    kill_process(Pid::from_raw(number(report.text.as_bytes())).unwrap(), Signal::KILL).unwrap();
    let failure = failure(with_timeout(running).await.unwrap());
    assert!(failure.error.message.contains("signal: 9 (SIGKILL)"), "{failure}");
    report.until_closed().await;
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_crash_is_detected_even_if_another_process_holds_the_pipes_open() {
    let listener = ReportListener::new().await;
    let pool = listener.pool(RAW_EXEC).await;
    let leaving = "
import subprocess
connection = report('leaving')
subprocess.Popen([sys.executable, '-c', 'import os, sys; os.read(int(sys.argv[1]), 1)', str(connection.fileno())],
                 pass_fds=[connection.fileno()], start_new_session=True)
os._exit(3)
";
    let failure = failure(call(&pool, leaving).await);
    assert!(failure.error.message.contains("exit status: 3"), "{failure}");
    // Closing the connection ends the process that was left behind.
    drop(listener.next().await);
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_dies_while_idle_costs_no_attempt() {
    let listener = ReportListener::new().await;
    let pool = listener.pool(EXEC).await;
    assert_eq!(call(&pool, "report(str(os.getpid()))").await, Handled::DONE);
    let report = listener.next().await;
    let killed = number(report.text.as_bytes());
    kill_process(Pid::from_raw(killed).unwrap(), Signal::KILL).unwrap();
    report.until_closed().await;
    // The pool may or may not have noticed yet, and the pipe may still accept the request, or a part of it; no attempt is
    // charged either way.
    let mut handled = call(&pool, "pass").await;
    if matches!(handled, Handled::Untouched | Handled::Deferred { .. }) {
        handled = call(&pool, "pass").await;
    }
    assert_eq!(handled, Handled::DONE);
    assert!(is_gone(killed));
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_request_that_was_not_fully_written_costs_no_attempt_and_counts_as_a_delivery() {
    let pool = pool("hello()\nsys.stdin.buffer.raw.read(10)\nos._exit(1)").await;
    // Larger than the pipe: the worker exits before the request is fully written.
    let returned = call(&pool, vec![0; 1 << 20]).await;
    assert!(matches!(returned, Handled::Deferred { .. }), "{returned:?}");
    // A request that fits into the pipe may have been read.
    let failed = failure(call(&pool, "small").await);
    assert!(failed.error.message.contains("exit status: 1"), "{failed}");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_request_that_was_not_read_returns_untouched() {
    let listener = ReportListener::new().await;
    let pool = listener.pool("hello()\nreport('not reading').recv(1)\nos._exit(1)").await;
    let report = listener.next().await;
    let call = spawn_call(&pool, "small");
    tokio::task::yield_now().await;
    drop(report);
    assert_eq!(with_timeout(call).await.unwrap(), Handled::Untouched);
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn work_that_crashes_every_worker_while_it_is_read_is_eventually_charged() {
    let pool = pool("hello()\nsys.stdin.buffer.raw.read(10)\nos._exit(1)").await;
    let mut poison = work(vec![0; 1 << 20]);
    poison.deliveries = 9;
    let failed = failure(call_with(&pool, poison).await);
    assert_eq!(failed.error.kind.unwrap().as_str(), "worker.crashed");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn workers_that_die_immediately_are_restarted_with_growing_delays() {
    let listener = ReportListener::new().await;
    let pool = listener.pool("hello()\nreport('started')\nos._exit(1)").await;
    listener.next().await;
    let first = Instant::now();
    for _ in 0..4 {
        listener.next().await;
    }
    // Immediately, then after at least half of 0.1 s, 0.2 s and 0.4 s; the first delay may have started before its
    // report arrived.
    assert!(first.elapsed() >= Duration::from_millis(300), "{:?}", first.elapsed());
    with_timeout(pool.stop(STOP_WITHIN)).await;
}
