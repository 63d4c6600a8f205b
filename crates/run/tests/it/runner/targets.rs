//! The runner with real handlers: worker processes that crash or hang, and a host that cannot be reached.

use redrive_core::{Backoff, Category, Policy, Span};
use redrive_model::{Cause, NewItem};
use redrive_run::{HttpSettings, HttpTarget, RunnerSettings};

use crate::fixture::{Fixture, without_breaker};
use crate::worker::fixture::{EXEC, python};

fn no_delay(attempts: u32) -> Policy {
    Policy::builder().max_attempts(attempts).backoff(Backoff::fixed(Span::ZERO)).build().unwrap()
}

/// The item may crash as many workers as it has attempts; other work is not affected.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_that_crashes_its_worker_becomes_a_letter_and_other_work_is_done() {
    let fixture = Fixture::new().await;
    let poison = NewItem::of_payload("os.kill(os.getpid(), signal.SIGKILL)");
    let good = || NewItem::of_payload("result = b'done'");
    fixture.produce([good(), good(), poison, good(), good(), good()]).await;
    let mut command = python(EXEC);
    command.processes = 2;
    let pool = redrive_run::WorkerPool::start(command).await.unwrap();
    let runner = fixture.runner(fixture.orders(), pool.clone(), no_delay(3), without_breaker(2));
    let running = runner.start().await.unwrap();
    fixture.until_letters(1).await;
    fixture.until_empty().await;
    let report = running.stop(Span::from_secs(10)).await;
    assert_eq!((report.done, report.retried, report.dead_lettered), (5, 2, 1), "{report:?}");
    let letter = fixture.only_letter().await;
    let kinds: Vec<_> = letter.attempts.iter().map(|attempt| attempt.error_type.as_deref()).collect();
    assert_eq!(kinds, [Some("worker.crashed"); 3]);
    assert!(letter.attempts[0].error.contains("signal"), "{}", letter.attempts[0].error);
    pool.stop(Span::from_secs(10)).await;
    fixture.assert_conserved().await;
}

/// The worker is killed with its attempt, and the next call gets another worker.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hanging_worker_costs_one_attempt() {
    let fixture = Fixture::new().await;
    fixture.produce([NewItem::of_payload("hang()")]).await;
    let pool = redrive_run::WorkerPool::start(python(EXEC)).await.unwrap();
    let settings = RunnerSettings { timeout: Span::from_secs(30), ..without_breaker(1) };
    let running = fixture.runner(fixture.orders(), pool.clone(), no_delay(1), settings).start().await.unwrap();
    crate::fixture::wait_until("a running worker", || async { running.health().await.running == 1 }).await;
    fixture.advance_in_steps(Span::from_secs(31), Span::from_secs(10)).await;
    let letter = fixture.first_letter().await;
    assert_eq!(letter.attempts[0].cause, Some(Cause::TimedOut));
    fixture.produce([NewItem::of_payload("result = b'done'")]).await;
    fixture.until_empty().await;
    assert_eq!(running.stop(Span::from_secs(10)).await.done, 1);
    pool.stop(Span::from_secs(10)).await;
}

/// Every attempt is refused by the host, and the work becomes a letter.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_work_is_lost_if_the_target_cannot_be_reached() {
    let fixture = Fixture::new().await;
    fixture.produce([NewItem::of_payload("order")]).await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let target = HttpTarget::new(&HttpSettings::new(format!("http://127.0.0.1:{port}/orders"))).unwrap();
    let running = fixture.runner(fixture.orders(), target, no_delay(3), without_breaker(1)).start().await.unwrap();
    let letter = fixture.first_letter().await;
    assert_eq!(letter.content.payload, "order");
    let found: Vec<_> = letter.attempts.iter().map(|attempt| (attempt.category, attempt.rule.as_deref())).collect();
    assert_eq!(found, [(Some(Category::Network), Some("io:ConnectionRefused")); 3]);
    running.stop(Span::ZERO).await;
    fixture.assert_conserved().await;
}
