//! Requests that were written ahead: when they begin, what they cost, and what becomes of them.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{Failure, Span};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::ahead::Batch;
use super::request::WorkerRequest;
use super::tests::work;
use super::turn::WaitingCall;
use super::{WorkerCommand, WorkerPool};
use crate::{Call, Handled, Handler};

/// Does what its payload says, in Python, and reads no byte more than it is at: so it can see what is ahead.
const WORKER: &str = r#"
import json, os, select, signal, socket, struct, sys

def read(count):
    data = b""
    while len(data) < count:
        piece = os.read(0, count - len(data))
        if not piece:
            sys.exit(0)
        data += piece
    return data

def write(header, payload=b""):
    text = json.dumps(header).encode()
    os.write(1, struct.pack(">II", 4 + len(text) + len(payload), len(text)) + text + payload)

def tell_and_wait(port):
    "Tells the test, and goes on when the test says so."
    socket.create_connection(("127.0.0.1", port)).recv(1)

def is_ahead(within=0):
    return bool(select.select([0], [], [], within)[0])

write(json.loads(sys.argv[1]))
while True:
    length, header = struct.unpack(">II", read(8))
    request = json.loads(read(header))
    result = b""
    exec(read(length - 4 - header).decode())
    write({"type": "reply", "call": request["call"], "outcome": "done"}, result)
"#;

const PID: &str = "result = str(os.getpid()).encode()";
const PATIENCE: Duration = Duration::from_secs(30);
const WITHIN: Span = Span::from_secs(20);

/// A pool of workers that take requests ahead, and were quick.
async fn quick(processes: usize) -> WorkerPool {
    let pool = greeting(r#"{"type": "hello", "version": 1, "ahead": 4}"#, processes).await;
    pool.hurry();
    pool
}

async fn greeting(hello: &str, processes: usize) -> WorkerPool {
    let command = WorkerCommand { processes, ..WorkerCommand::new("python3", ["-SB", "-c", WORKER, hello]) };
    WorkerPool::start(command).await.unwrap()
}

/// A call in a task of its own. Those that are made in a row wait before the first one looks for its answer.
fn asked(pool: &WorkerPool, code: impl Into<bytes::Bytes>) -> (Call, JoinHandle<Handled>) {
    let (pool, call) = (pool.clone(), Call::new(Arc::new(work(code))));
    let handled = tokio::spawn({
        let call = call.clone();
        async move { pool.handle(call).await }
    });
    (call, handled)
}

async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(PATIENCE, future).await.expect("it hangs")
}

async fn handled(task: JoinHandle<Handled>) -> Handled {
    soon(task).await.unwrap()
}

async fn result(task: JoinHandle<Handled>) -> String {
    match handled(task).await {
        Handled::Done { result } => String::from_utf8(result.unwrap_or_default().to_vec()).unwrap(),
        other => panic!("not done: {other:?}"),
    }
}

async fn failure(task: JoinHandle<Handled>) -> Failure {
    match handled(task).await {
        Handled::Failed(failure) => *failure,
        other => panic!("not failed: {other:?}"),
    }
}

/// Where a worker tells that it is at work.
async fn ear() -> (TcpListener, String) {
    let ear = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let told = format!("tell_and_wait({})", ear.local_addr().unwrap().port());
    (ear, told)
}

async fn hear(ear: &TcpListener) -> TcpStream {
    soon(ear.accept()).await.unwrap().0
}

async fn go_on(mut line: TcpStream) {
    line.write_all(b"1").await.unwrap();
}

#[tokio::test]
async fn a_request_that_waits_is_written_ahead_to_a_quick_worker_and_answered_in_its_turn() {
    let pool = quick(1).await;
    let (_, first) = asked(&pool, "result = str(is_ahead(20)).encode()");
    let others: Vec<_> = (0..9).map(|call| asked(&pool, format!("result = b'{call}'"))).collect();
    assert_eq!(result(first).await, "True");
    for (call, (_, other)) in others.into_iter().enumerate() {
        assert_eq!(result(other).await, call.to_string());
    }
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_does_not_ask_for_requests_ahead_gets_none() {
    let pool = greeting(r#"{"type": "hello", "version": 1}"#, 1).await;
    pool.hurry();
    assert_eq!(seen_ahead(&pool, "pass".to_owned()).await, "False");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_was_not_quick_gets_no_request_ahead() {
    let pool = greeting(r#"{"type": "hello", "version": 1, "ahead": 4}"#, 1).await;
    assert_eq!(seen_ahead(&pool, "pass".to_owned()).await, "False");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_request_that_a_pipe_may_take_in_pieces_is_not_written_ahead() {
    let pool = quick(1).await;
    assert_eq!(seen_ahead(&pool, format!("pass #{}", "x".repeat(4096))).await, "False");
    pool.hurry();
    assert_eq!(seen_ahead(&pool, format!("pass #{}", "x".repeat(2048))).await, "True");
    pool.stop(WITHIN).await;
}

/// Whether this request is ahead while another one is at work; it is done all the same.
async fn seen_ahead(pool: &WorkerPool, next: String) -> String {
    let (ear, told) = ear().await;
    let (_, first) = asked(pool, format!("{told}\nresult = str(is_ahead()).encode()"));
    let (_, next) = asked(pool, next);
    go_on(hear(&ear).await).await;
    let seen = result(first).await;
    assert_eq!(handled(next).await, Handled::DONE);
    seen
}

#[tokio::test]
async fn work_goes_to_a_free_worker_and_not_behind_a_busy_one() {
    let pool = quick(2).await;
    let (ear, told) = ear().await;
    let (_, busy) = asked(&pool, format!("{told}\n{PID}"));
    let line = hear(&ear).await;
    let mut others = Vec::new();
    for _ in 0..3 {
        others.push(result(asked(&pool, PID).1).await);
    }
    go_on(line).await;
    let busy = result(busy).await;
    assert!(others.iter().all(|other| *other != busy), "{others:?} {busy}");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn of_those_who_wait_one_is_left_for_every_other_worker() {
    let pool = quick(2).await;
    let (ear, told) = ear().await;
    let at_work = format!("{told}\nresult = str(is_ahead()).encode()");
    let (_, one) = asked(&pool, at_work.clone());
    let (_, two) = asked(&pool, at_work);
    let (_, waits) = asked(&pool, "pass");
    let lines = [hear(&ear).await, hear(&ear).await];
    for line in lines {
        go_on(line).await;
    }
    assert_eq!([result(one).await, result(two).await], ["False", "False"]);
    assert_eq!(handled(waits).await, Handled::DONE);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_call_that_was_written_ahead_begins_when_the_one_before_is_answered() {
    let pool = quick(1).await;
    let (ear, told) = ear().await;
    let (first, first_task) = asked(&pool, format!("is_ahead(20)\n{told}"));
    let (next, next_task) = asked(&pool, told);
    let line = hear(&ear).await;
    assert!(!first.is_held() && next.is_held());
    go_on(line).await;
    assert_eq!(handled(first_task).await, Handled::DONE);
    let line = hear(&ear).await;
    assert!(!next.is_held());
    go_on(line).await;
    assert_eq!(handled(next_task).await, Handled::DONE);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_crash_costs_the_call_at_work_and_those_ahead_are_done_by_the_next_worker() {
    let pool = quick(1).await;
    let before = result(asked(&pool, PID).1).await;
    pool.hurry();
    let (_, crashes) = asked(&pool, "os._exit(3 if is_ahead(20) else 4)");
    let others: Vec<_> = (0..3).map(|_| asked(&pool, PID).1).collect();
    let crashed = failure(crashes).await;
    assert!(crashed.error.message.contains("exit status: 3"), "{crashed}");
    for other in others {
        assert_ne!(result(other).await, before);
    }
    pool.stop(WITHIN).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_is_lost_or_charged_for_another_where_every_third_kills_its_worker() {
    let pool = quick(3).await;
    let code = |call: i32| if call % 3 == 0 { "os._exit(1)" } else { "result = b'done'" };
    let calls: Vec<_> = (0..60).map(|call| (call, asked(&pool, code(call)).1)).collect();
    for (call, task) in calls {
        pool.hurry();
        match (call % 3, handled(task).await) {
            (0, Handled::Failed(_)) | (1.., Handled::Done { .. }) => {}
            (_, other) => panic!("{call}: {other:?}"),
        }
    }
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn rubbish_costs_the_call_at_work_and_those_ahead_are_done_by_the_next_worker() {
    let pool = quick(1).await;
    let (_, rubbish) = asked(&pool, "is_ahead(20)\nos.write(1, b'rubbish!')");
    let (_, next) = asked(&pool, "pass");
    let broken = failure(rubbish).await;
    assert_eq!(broken.error.kind.unwrap().as_str(), "worker.protocol");
    assert_eq!(handled(next).await, Handled::DONE);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn when_a_call_that_hangs_is_given_up_those_ahead_are_done_by_the_next_worker() {
    let pool = quick(1).await;
    let before = result(asked(&pool, PID).1).await;
    pool.hurry();
    let (ear, told) = ear().await;
    let (_, hangs) = asked(&pool, format!("is_ahead(20)\n{told}\nsignal.pause()"));
    let (next, next_task) = asked(&pool, PID);
    let _line = hear(&ear).await;
    assert!(next.is_held());
    hangs.abort();
    assert_ne!(result(next_task).await, before);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_crash_after_the_answer_before_costs_the_call_that_was_written_ahead() {
    let pool = quick(1).await;
    let (_, first) = asked(&pool, "result = str(is_ahead(20)).encode()");
    let (_, crashes) = asked(&pool, "os._exit(5)");
    let (_, last) = asked(&pool, "pass");
    assert_eq!(result(first).await, "True");
    let crashed = failure(crashes).await;
    assert!(crashed.error.message.contains("exit status: 5"), "{crashed}");
    assert_eq!(handled(last).await, Handled::DONE);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_request_ahead_of_which_nothing_was_read_goes_back_uncharged() {
    let pool = quick(1).await;
    let (ear, told) = ear().await;
    // It ends after its answer, and before it reads the next request.
    let leaving = format!(
        "is_ahead(20)\n{told}\nwrite({{'type': 'reply', 'call': request['call'], 'outcome': 'done'}})\nos._exit(1)"
    );
    let (_, first) = asked(&pool, leaving);
    let (_, next) = asked(&pool, "pass");
    let (_, last) = asked(&pool, "pass");
    go_on(hear(&ear).await).await;
    assert_eq!(handled(first).await, Handled::DONE);
    assert_eq!(handled(next).await, Handled::Untouched);
    assert_eq!(handled(last).await, Handled::DONE);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_whose_next_call_was_given_up_ends_after_its_answer() {
    let pool = quick(1).await;
    let (ear, told) = ear().await;
    let (_, first) = asked(&pool, format!("is_ahead(20)\n{told}\n{PID}"));
    let (given_up, given_up_task) = asked(&pool, "signal.pause()");
    let (_, last) = asked(&pool, PID);
    let line = hear(&ear).await;
    given_up_task.abort();
    assert!(soon(given_up_task).await.unwrap_err().is_cancelled());
    assert!(given_up.is_held(), "it did not begin, and is not charged");
    go_on(line).await;
    let before = result(first).await;
    assert_ne!(result(last).await, before);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn calls_that_were_written_ahead_may_finish_when_the_pool_is_stopped() {
    let pool = quick(1).await;
    let (ear, told) = ear().await;
    let (_, first) = asked(&pool, format!("is_ahead(20)\n{told}"));
    let (_, next) = asked(&pool, "pass");
    let line = hear(&ear).await;
    let stopping = tokio::spawn({
        let pool = pool.clone();
        async move { pool.stop(WITHIN).await }
    });
    tokio::task::yield_now().await;
    go_on(line).await;
    assert_eq!(handled(first).await, Handled::DONE);
    assert_eq!(handled(next).await, Handled::DONE);
    soon(stopping).await.unwrap();
}

#[tokio::test]
async fn calls_that_were_written_ahead_go_back_untouched_when_the_worker_is_killed_at_the_stop() {
    let pool = quick(1).await;
    let (ear, told) = ear().await;
    let (_, hangs) = asked(&pool, format!("is_ahead(20)\n{told}\nsignal.pause()"));
    let (_, next) = asked(&pool, "pass");
    let _line = hear(&ear).await;
    soon(pool.stop(Span::ZERO)).await;
    assert_eq!(failure(hangs).await.error.kind.unwrap().as_str(), "worker.crashed");
    assert_eq!(handled(next).await, Handled::Untouched);
}

#[test]
fn a_call_that_came_back_from_a_worker_is_not_written_ahead_again() {
    let waiter = |is_sent_back| {
        let call = Call::new(Arc::new(work("pass")));
        let request = Arc::new(WorkerRequest::new(1, call.work(), 4096).unwrap());
        WaitingCall { number: 1, request, call, is_sent_back, turn: oneshot::channel().0 }
    };
    assert!(Batch::default().has_room_for(&waiter(false)));
    assert!(!Batch::default().has_room_for(&waiter(true)));
}
