//! A worker that violates the protocol is killed and replaced; its call costs one attempt.

use std::sync::Arc;

use redrive_core::{Category, Classifier};
use redrive_model::{Content, Header};
use redrive_run::{Handled, WorkerPool};

use super::fixture::{RAW_EXEC, STOP_WITHIN, call, call_with, failure, is_gone, number, pool, python, result, work};

const PID: &str = "done(request, str(os.getpid()).encode())";

#[tokio::test]
async fn a_protocol_violation_costs_one_attempt_and_the_worker_is_replaced() {
    let pool = pool(RAW_EXEC).await;
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
        let before = number(&result(call(&pool, PID).await));
        let failed = failure(call(&pool, code).await);
        assert_eq!(failed.error.kind.as_ref().unwrap().as_str(), "worker.protocol", "{code}");
        assert!(failed.error.message.contains(expected), "{code}: {failed}");
        // The category does not blame the work.
        assert_eq!(Classifier::built_in().classify(&failed, 1).category, Category::Network, "{code}");
        assert!(is_gone(before), "{code}");
    }
    result(call(&pool, PID).await);
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn the_parse_error_of_a_header_is_the_cause_of_the_failure() {
    let pool = pool(RAW_EXEC).await;
    let failed = failure(call(&pool, "write(b'{}')").await);
    assert!(failed.causes[0].message.contains("missing field `type`"), "{failed:?}");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_worker_that_fills_its_stdout_before_it_reads_violates_the_protocol() {
    let pool = pool("hello()\nraw(b'chatter ' * 100_000)\nhang()").await;
    let failed = failure(call(&pool, vec![0; 1 << 20]).await);
    assert_eq!(failed.error.kind.unwrap().as_str(), "worker.protocol");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_reply_before_the_request_was_fully_read_violates_the_protocol() {
    let script = "
hello()
head = sys.stdin.buffer.raw.read(8)
length, header = struct.unpack('>II', head)
done(json.loads(sys.stdin.buffer.raw.read(header)))
hang()
";
    let pool = pool(script).await;
    let failed = failure(call(&pool, vec![0; 1 << 20]).await);
    assert!(failed.error.message.contains("before it had read the whole request"), "{failed}");
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn a_beat_after_its_reply_is_ignored() {
    let pool = pool(RAW_EXEC).await;
    call(&pool, "done(request)\nwrite({'type': 'beat', 'call': request['call']})").await;
    assert_eq!(call(&pool, "done(request)").await, Handled::DONE);
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn work_that_exceeds_the_frame_size_fails_validation_and_affects_no_worker() {
    let mut command = python("worker.run(lambda request, payload, beat: str(os.getpid()).encode())");
    command.frame_bytes_max = 1024;
    let pool = WorkerPool::start(command).await.unwrap();
    let before = result(call(&pool, "fits").await);
    let mut header_too_large = work("fits");
    header_too_large.content = Arc::new(Content {
        headers: vec![Header { name: "h".into(), value: vec![b'x'; 1024].into() }],
        ..Content::default()
    });
    for too_large in [work(vec![0; 1000]), work(vec![0; 10_000]), header_too_large] {
        let failed = failure(call_with(&pool, too_large).await);
        assert!(failed.error.kind.as_ref().unwrap().as_str().starts_with("validation."), "{failed:?}");
        assert!(failed.error.message.contains("raise frame_bytes_max"), "{failed}");
        assert_eq!(Classifier::built_in().classify(&failed, 1).category, Category::Validation);
    }
    assert_eq!(result(call(&pool, "fits").await), before);
    pool.stop(STOP_WITHIN).await;
}

#[tokio::test]
async fn the_frame_limit_is_in_the_environment_of_a_worker() {
    let mut command = python("worker.run(lambda *_: os.environ['REDRIVE_FRAME_BYTES_MAX'].encode())");
    command.frame_bytes_max = 4321;
    let pool = WorkerPool::start(command).await.unwrap();
    assert_eq!(result(call(&pool, "").await), "4321");
    pool.stop(STOP_WITHIN).await;
}
