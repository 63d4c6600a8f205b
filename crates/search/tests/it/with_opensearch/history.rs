//! Random operations on letters.

use std::sync::Arc;

use redrive_core::{Category, QueueName, RetryPolicy};
use redrive_model::{
    Annotate, Archive, Capture, Clear, Content, CreateQueue, DeadCause, DeleteQueue, Edit, NewLetter, Purge,
    QueueSettings, Restore, SettleAction,
};
use redrive_store::Store;

use super::fixture::letters;
use crate::failures::{failed, failure_of, name, try_once};

/// A deterministic random number generator.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }
}

const QUEUES: [&str; 3] = ["dead", "dead/two", "Ünicode"];

/// Performs `count` random operations. Rejected ones are ignored.
pub(super) async fn perform_random(store: &dyn Store, random: &mut Random, count: usize) {
    for queue in QUEUES {
        let _exists = store.create_queue(CreateQueue { settings: QueueSettings::new(name(queue)) }).await;
    }
    for _ in 0..count {
        perform_one(store, random).await;
    }
}

async fn perform_one(store: &dyn Store, random: &mut Random) {
    let queue = name(QUEUES[random.below(QUEUES.len())]);
    let number = random.below(40);
    if number < 12 {
        return capture(store, random, &queue).await;
    }
    if number == 39 {
        let _rejected = store.delete_queue(DeleteQueue { name: queue.clone(), force: true }).await;
        let _exists = store.create_queue(CreateQueue { settings: QueueSettings::new(queue) }).await;
        return;
    }
    let all: Vec<_> = letters(store).await.into_iter().filter(|(of, _)| *of == queue).collect();
    let Some((_, letter)) = random.one_of(&all).cloned() else { return };
    let letters = vec![letter];
    match number {
        12..=15 => drop(try_once(store, &queue, letter, SettleAction::Complete { attempt: None }).await),
        16..=20 => drop(try_once(store, &queue, letter, failed("deadline exceeded", Category::Network)).await),
        21..=22 => {
            let dead = SettleAction::Dead { attempt: None, why: DeadCause::Exhausted };
            try_once(store, &queue, letter, dead).await;
        }
        23..=24 => drop(crate::failures::claim(store, &queue, letter).await),
        25..=28 => drop(store.archive(Archive { queue, letters }).await),
        29..=30 => drop(store.restore(Restore { queue, letters }).await),
        31..=32 => drop(store.annotate(Annotate { queue, letter, note: "seen".into() }).await),
        33..=35 => {
            let content = Some(Arc::new(Content::of_payload("{\"edited\":true}")));
            let edit = Edit { queue, letter, content, policy: None, max_retries: Some(9), priority: None };
            drop(store.edit(edit).await);
        }
        36..=37 => drop(store.purge(Purge { queue, letters }).await),
        _ => {
            let clear = Clear { queue, ready: true, destructive: false, scheduled: false };
            drop(store.clear(clear).await);
        }
    }
}

async fn capture(store: &dyn Store, random: &mut Random, queue: &QueueName) {
    let category = *random.one_of(Category::ALL).unwrap();
    let policy = *random.one_of(&[RetryPolicy::Never, RetryPolicy::Exponential, RetryPolicy::Immediate]).unwrap();
    let failures = (0..=random.below(4)).map(|_| {
        let number = random.below(200);
        let failure = failure_of(&format!("wf_{number}"), &format!("fault {}", number % 7), category);
        NewLetter { policy, max_retries: u32::try_from(number % 4).unwrap(), ..failure }
    });
    let letters = failures.collect();
    let _rejected = store.capture(Capture::new(queue.clone(), letters)).await;
}
