//! Consume a queue: a runner calls a handler for every item, retries what may succeed later, and moves the rest to the
//! dead queue.
//!
//! A handler never retries and never decides: it reports what happened. The policy classifies the failure; here a
//! transient one is retried, up to three attempts, and an invalid order becomes a letter at once.
//!
//! Run it with `cargo run -p redrive --example consume`.
//!
//! Output:
//!
//! ```text
//! 'a novel', attempt 1: placed
//! 'an atlas', attempt 1: the shop is busy
//! '', attempt 1: validation failed: the order has no title
//! 'an atlas', attempt 2: placed
//! 2 done, 1 retried, 1 dead-lettered
//! letter in 'orders-dead': b"", validation, pending
//! ```

use std::error::Error;
use std::sync::Arc;

use redrive::core::{Backoff, Evidence, Failure, Policy, QueueName, Span};
use redrive::embedded::{EmbeddedOptions, EmbeddedStore};
use redrive::model::{CreateQueue, ListLetters, NewItem, Produce, QueueSettings};
use redrive::run::{Call, Runner, RunnerSettings, StoreQueue};
use redrive::store::Store;
use tokio::sync::mpsc;

/// Places an order. The shop is busy at the first attempt of an atlas, and rejects an order without a title.
async fn place(call: &Call) -> Result<(), Failure> {
    let order = String::from_utf8_lossy(&call.content.payload);
    let placed = match (&*order, call.attempt) {
        ("an atlas", 1) => Err(Failure::new("the shop is busy").with_evidence(Evidence::http(503))),
        ("", _) => Err(Failure::new("validation failed: the order has no title")),
        _ => Ok(()),
    };
    match &placed {
        Ok(()) => println!("'{order}', attempt {}: placed", call.attempt),
        Err(failure) => println!("'{order}', attempt {}: {failure}", call.attempt),
    }
    placed
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default())?);
    let (orders, dead) = (QueueName::new("orders")?, QueueName::new("orders-dead")?);
    store.create_queue(CreateQueue { settings: QueueSettings::new(dead.clone()) }).await?;
    let settings = QueueSettings { dead_queue: Some(dead.clone()), ..QueueSettings::new(orders.clone()) };
    store.create_queue(CreateQueue { settings }).await?;
    let items = ["a novel", "an atlas", ""].map(NewItem::of_payload);
    store.produce(Produce::new(orders.clone(), items.into())).await?;

    // The handler reports each attempt, so that this program knows when it may end.
    let (tx, mut rx) = mpsc::channel(1);
    let handler = move |call: Call| {
        let tx = tx.clone();
        async move {
            let placed = place(&call).await;
            // The receiver is gone once this program ends.
            let _is_received = tx.send(()).await;
            placed
        }
    };
    let source = StoreQueue::new(Arc::clone(&store), orders, Span::from_secs(30));
    let policy = Policy::builder().max_attempts(3).backoff(Backoff::fixed(Span::from_millis(200))).build()?;
    // One handler at a time, for an output in a fixed order. The default is 16.
    let settings = RunnerSettings { concurrency: 1, ..RunnerSettings::default() };
    let running = Runner::new(source, handler, policy, settings)?.start().await?;
    for _attempt in 0..4 {
        rx.recv().await;
    }
    let report = running.stop(Span::from_secs(10)).await;
    println!("{} done, {} retried, {} dead-lettered", report.done, report.retried, report.dead_lettered);

    let letters = ListLetters { queue: dead.clone(), statuses: Vec::new(), after: None, limit: 10 };
    for letter in store.letters(letters).await? {
        let Some(info) = letter.info.letter else { continue };
        println!("letter in '{dead}': {:?}, {}, {}", letter.content.payload, info.category, info.status);
    }
    store.close().await?;
    Ok(())
}
