//! A worker that breaks the protocol is ended; it costs one attempt, and nothing is lost.

use std::sync::Arc;

use redrive_core::{Category, Classifier};
use redrive_model::{Content, Header};
use redrive_run::{Handled, WorkerPool};

use super::rig::{RAW, WITHIN, ask, ask_with, failure, is_gone, number, pool, python, result, work};

const PID: &str = "done(request, str(os.getpid()).encode())";

#[tokio::test]
async fn a_worker_that_breaks_the_protocol_is_replaced_and_costs_one_attempt() {
    let pool = pool(RAW).await;
    let cases = [
        ("raw(b'Traceback: some words that are no frame')", "print nothing but frames to stdout"),
        ("raw(struct.pack('>II', 17 << 20, 2))", "raise frame_bytes_max"),
        ("raw(struct.pack('>II', 2, 2))", "print nothing but frames"),
        ("raw(struct.pack('>II', 8, 200))", "print nothing but frames"),
        ("write(b'x' * (2 << 20))", "put data into the payload"),
        ("write(b'{not json')", "cannot be read"),
        ("write(b'[1]')", "cannot be read"),
        ("write({'type': 'surprise', 'call': request['call']})", "cannot be read"),
        ("write({'type': 'reply', 'call': request['call'] + 1, 'outcome': 'done'})", "but was asked call"),
        ("write({'type': 'reply', 'call': request['call'] - 1, 'outcome': 'done'})", "but was asked call"),
        ("write({'type': 'beat', 'call': request['call'] + 1})", "but was asked call"),
        ("write({'type': 'reply', 'outcome': 'done'})", "no 'call'"),
        ("write({'type': 'reply', 'call': request['call']})", "no 'outcome'"),
        ("write({'type': 'reply', 'call': request['call'], 'outcome': 'partial'})", "no 'failed_parts'"),
        ("write({'type': 'reply', 'call': request['call'], 'outcome': 'deferred'})", "no 'until' or 'after_ms'"),
        ("hello()", "hello frame where only a reply or a beat may stand"),
    ];
    for (code, expected) in cases {
        let before = number(&result(ask(&pool, PID).await));
        let failed = failure(ask(&pool, code).await);
        assert_eq!(failed.error.kind.as_ref().unwrap().as_str(), "worker.protocol", "{code}");
        assert!(failed.error.message.contains(expected), "{code}: {failed}");
        // The work is not to blame.
        assert_eq!(Classifier::built_in().classify(&failed, 1).category, Category::Network, "{code}");
        assert!(is_gone(before), "{code}");
    }
    result(ask(&pool, PID).await);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn what_is_wrong_with_a_header_is_told_as_its_cause() {
    let pool = pool(RAW).await;
    let failed = failure(ask(&pool, "write(b'{}')").await);
    assert!(failed.causes[0].message.contains("missing field `type`"), "{failed:?}");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_fills_its_stdout_before_it_reads_is_not_waited_for() {
    let pool = pool("hello()\nraw(b'chatter ' * 100_000)\nhang()").await;
    let failed = failure(ask(&pool, vec![0; 1 << 20]).await);
    assert_eq!(failed.error.kind.unwrap().as_str(), "worker.protocol");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_reply_before_the_whole_request_was_read_is_refused() {
    let script = "
hello()
head = sys.stdin.buffer.raw.read(8)
length, header = struct.unpack('>II', head)
done(json.loads(sys.stdin.buffer.raw.read(header)))
hang()
";
    let pool = pool(script).await;
    let failed = failure(ask(&pool, vec![0; 1 << 20]).await);
    assert!(failed.error.message.contains("before it had read the whole request"), "{failed}");
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_beat_that_comes_after_its_reply_is_let_pass() {
    let pool = pool(RAW).await;
    ask(&pool, "done(request)\nwrite({'type': 'beat', 'call': request['call']})").await;
    assert_eq!(ask(&pool, "done(request)").await, Handled::DONE);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn work_that_does_not_fit_in_a_frame_fails_validation_and_touches_no_worker() {
    let mut command = python("worker.run(lambda request, payload, beat: str(os.getpid()).encode())");
    command.frame_bytes_max = 1024;
    let pool = WorkerPool::start(command).await.unwrap();
    let before = result(ask(&pool, "fits").await);
    let mut header_too_large = work("fits");
    header_too_large.content = Arc::new(Content {
        headers: vec![Header { name: "h".into(), value: vec![b'x'; 1024].into() }],
        ..Content::default()
    });
    for too_large in [work(vec![0; 1000]), work(vec![0; 10_000]), header_too_large] {
        let failed = failure(ask_with(&pool, too_large).await);
        assert!(failed.error.kind.as_ref().unwrap().as_str().starts_with("validation."), "{failed:?}");
        assert!(failed.error.message.contains("raise frame_bytes_max"), "{failed}");
        assert_eq!(Classifier::built_in().classify(&failed, 1).category, Category::Validation);
    }
    assert_eq!(result(ask(&pool, "fits").await), before);
    pool.stop(WITHIN).await;
}

#[tokio::test]
async fn a_worker_is_told_how_large_a_frame_may_be() {
    let mut command = python("worker.run(lambda *_: os.environ['REDRIVE_FRAME_BYTES_MAX'].encode())");
    command.frame_bytes_max = 4321;
    let pool = WorkerPool::start(command).await.unwrap();
    assert_eq!(result(ask(&pool, "").await), "4321");
    pool.stop(WITHIN).await;
}
