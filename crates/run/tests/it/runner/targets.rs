//! The runner with handlers of the real kind: processes that die, a host that is not there.

use redrive_core::{Backoff, Category, Policy, Span};
use redrive_model::{Cause, NewItem};
use redrive_run::{HttpSettings, HttpTarget, RunnerSettings};

use crate::rig::{World, unbroken};
use crate::worker::rig::{OBEDIENT, python};

fn at_once(attempts: u32) -> Policy {
    Policy::builder().max_attempts(attempts).backoff(Backoff::fixed(Span::ZERO)).build().unwrap()
}

/// What kills its worker costs as many workers as it has attempts, and no other work.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_that_kills_its_worker_is_a_letter_and_the_rest_is_done() {
    let world = World::new().await;
    let poison = NewItem::of_payload("os.kill(os.getpid(), signal.SIGKILL)");
    let good = || NewItem::of_payload("result = b'done'");
    world.produce([good(), good(), poison, good(), good(), good()]).await;
    let mut command = python(OBEDIENT);
    command.processes = 2;
    let pool = redrive_run::WorkerPool::start(command).await.unwrap();
    let runner = world.runner(world.orders(), pool.clone(), at_once(3), unbroken(2));
    let running = runner.start().await.unwrap();
    world.until_dead(1).await;
    world.until_empty().await;
    let report = running.stop(Span::from_secs(10)).await;
    assert_eq!((report.done, report.retried, report.dead_lettered), (5, 2, 1), "{report:?}");
    let letter = world.the_letter().await;
    let kinds: Vec<_> = letter.attempts.iter().map(|attempt| attempt.error_type.as_deref()).collect();
    assert_eq!(kinds, [Some("worker.crashed"); 3]);
    assert!(letter.attempts[0].error.contains("signal"), "{}", letter.attempts[0].error);
    pool.stop(Span::from_secs(10)).await;
    world.conserved().await;
}

/// A worker that hangs is killed with its attempt, and the next call finds another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_hangs_costs_one_attempt() {
    let world = World::new().await;
    world.produce([NewItem::of_payload("hang()")]).await;
    let pool = redrive_run::WorkerPool::start(python(OBEDIENT)).await.unwrap();
    let settings = RunnerSettings { timeout: Span::from_secs(30), ..unbroken(1) };
    let running = world.runner(world.orders(), pool.clone(), at_once(1), settings).start().await.unwrap();
    crate::rig::until("the worker to be at it", || async { running.health().await.running == 1 }).await;
    world.stroll(Span::from_secs(31), Span::from_secs(10)).await;
    world.until_dead(1).await;
    let letter = world.the_letter().await;
    assert_eq!(letter.attempts[0].cause, Some(Cause::TimedOut));
    world.produce([NewItem::of_payload("result = b'done'")]).await;
    world.until_empty().await;
    assert_eq!(running.stop(Span::from_secs(10)).await.done, 1);
    pool.stop(Span::from_secs(10)).await;
}

/// Nobody listens there: every attempt is a fault of the network, and the work is a letter in the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_target_that_is_not_there_loses_nothing() {
    let world = World::new().await;
    world.produce([NewItem::of_payload("order")]).await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let target = HttpTarget::new(&HttpSettings::new(format!("http://127.0.0.1:{port}/orders"))).unwrap();
    let running = world.runner(world.orders(), target, at_once(3), unbroken(1)).start().await.unwrap();
    world.until_dead(1).await;
    let letter = world.the_letter().await;
    assert_eq!(letter.content.payload, "order");
    let found: Vec<_> = letter.attempts.iter().map(|attempt| (attempt.category, attempt.rule.as_deref())).collect();
    assert_eq!(found, [(Some(Category::Network), Some("io:ConnectionRefused")); 3]);
    running.stop(Span::ZERO).await;
    world.conserved().await;
}
