//! The guard of these tests, its tasks and its failures.

use std::sync::Arc;

use redrive_core::{Category, Evidence, Failure, Policy, QueueName, Strategy};
use redrive_model::{Content, CreateQueue};
use redrive_run::{Disposition, Guard, StoreLetterBox, Task};
use redrive_store::Store;

use crate::fixture::{Fixture, dead, queue, queue_name};

pub(super) fn guard(fixture: &Fixture, strategy: Strategy) -> Guard {
    guard_with(fixture, Policy::builder().strategy(strategy).build().unwrap())
}

pub(super) fn guard_with(fixture: &Fixture, policy: Policy) -> Guard {
    Guard::new(StoreLetterBox::new(fixture.store()), dead(), policy).with_clock(Arc::new(fixture.clock.clone()))
}

pub(super) fn task(id: &str) -> Task {
    Task::new("sweep", Content::of_payload(id.to_owned())).with_id(id)
}

pub(super) async fn raise(guard: &Guard, task: Task, failure: Failure) -> Disposition {
    let guarded = guard.run(task, || async { Err::<(), _>(failure.clone()) }).await;
    assert_eq!(guarded.result.as_ref().unwrap_err(), &failure);
    guarded.disposition.expect("a failure has a disposition")
}

/// A failure of this category.
pub(super) fn failure_of(category: Category) -> Failure {
    Failure::typed(match category {
        Category::Transient => Evidence::http(503),
        Category::Network => Evidence::http(504),
        Category::Resource => Evidence::http(507),
        Category::Permission => Evidence::http(403),
        Category::Validation => Evidence::http(422),
        Category::Permanent => Evidence::http(404),
    })
}

/// Creates a dead queue with changed settings.
pub(super) async fn create_queue(
    fixture: &Fixture,
    name: &str,
    change: impl FnOnce(&mut redrive_model::QueueSettings),
) -> QueueName {
    let mut settings = queue(name);
    change(&mut settings);
    fixture.store.local.create_queue(CreateQueue { settings }).await.unwrap();
    queue_name(name)
}
