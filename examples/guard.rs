//! Guard a function: run it once, and keep its failure as a letter.
//!
//! The caller gets its own result or error, and in addition what became of the failure. A second failure of the same
//! task is merged into the letter of the first. Nothing is retried here: that is the task of a `Processor`, as in
//! `drain.rs`.
//!
//! Run it with `cargo run -p redrive --example guard`.
//!
//! Output:
//!
//! ```text
//! order 17: charged
//! order 18: the payment service did not answer
//!   letter enqueued: category network, by rule io:TimedOut
//! order 18: the payment service did not answer
//!   letter merged: category network, by rule io:TimedOut
//! letters of 'charges-failed':
//!   order-18: pending, 2 failed attempts
//! 3 tasks, 2 failed
//! ```

use std::error::Error;
use std::io;
use std::sync::Arc;

use redrive::core::{Policy, QueueName};
use redrive::embedded::{EmbeddedOptions, EmbeddedStore};
use redrive::model::{Content, CreateQueue, FindLetters, GetLetter, QueueSettings};
use redrive::run::{Guard, StoreLetterBox, Task};
use redrive::store::Store;

/// The function to guard: order 18 cannot be charged, because the payment service does not answer.
async fn charge(order: u32) -> Result<(), io::Error> {
    match order {
        18 => Err(io::Error::new(io::ErrorKind::TimedOut, "the payment service did not answer")),
        _ => Ok(()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default())?);
    let failed = QueueName::new("charges-failed")?;
    store.create_queue(CreateQueue { settings: QueueSettings::new(failed.clone()) }).await?;

    let guard = Guard::new(StoreLetterBox::new(Arc::clone(&store)), failed.clone(), Policy::default());
    for order in [17, 18, 18] {
        // The task is all that a retry needs; its id identifies the work.
        let task = Task::new("charge", Content::of_payload(order.to_string())).with_id(format!("order-{order}"));
        let guarded = guard.run(task, || charge(order)).await;
        match guarded.result {
            Ok(()) => println!("order {order}: charged"),
            Err(error) => println!("order {order}: {error}"),
        }
        if let Some(failure) = guarded.disposition {
            let (category, rule) = (failure.error_category, failure.matched_rule);
            println!("  letter {}: category {category}, by rule {rule}", failure.dlq_reason);
        }
    }

    println!("letters of '{failed}':");
    for found in store.find_letters(FindLetters::all(failed.clone(), 10)).await?.letters {
        let Some(letter) = &found.letter else { continue };
        let attempts = store.letter(GetLetter { queue: failed.clone(), letter: letter.id }).await?.attempts;
        println!("  {}: {}, {} failed attempts", found.task_id(), letter.status, attempts.len());
    }
    let stats = guard.stats();
    println!("{} tasks, {} failed", stats.workflows_executed, stats.workflows_failed);
    store.close().await?;
    Ok(())
}
