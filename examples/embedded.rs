//! An embedded store: queues and letters in one directory, without a server.
//!
//! An item is produced and leased. Its holder gives up, and the item becomes a letter of the dead queue. Every reply of
//! the store is durable, so the letter is there when the store is opened again.
//!
//! Run it with `cargo run -p redrive --example embedded`.
//!
//! Output:
//!
//! ```text
//! produced 1 item
//! leased b"one book", attempt 1
//! gave up: the item is a letter of 'orders-dead'
//! closed the store
//! opened the store again
//! letter: b"one book", permanent, pending
//!   attempt: failure, the book is out of print
//! ```

use std::error::Error;
use std::path::Path;

use redrive::core::{Classifier, Failure, QueueName, Span, Trigger};
use redrive::embedded::{EmbeddedOptions, EmbeddedStore};
use redrive::model::{
    Attempt, CreateQueue, DeadCause, FindLetters, GetLetter, Lease, LeaseSpec, NewItem, Produce, QueueSettings, Settle,
    SettleAction, Settled,
};
use redrive::store::Store;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::temp_dir().join(format!("redrive-example-{}", std::process::id()));
    let result = match fail_an_order(&directory).await {
        Ok(()) => read_the_letter(&directory).await,
        Err(error) => Err(error),
    };
    let removed = std::fs::remove_dir_all(&directory);
    result?;
    Ok(removed?)
}

async fn fail_an_order(directory: &Path) -> Result<(), Box<dyn Error>> {
    let store = EmbeddedStore::open(directory, &EmbeddedOptions::default())?;
    let (orders, dead) = (QueueName::new("orders")?, QueueName::new("orders-dead")?);
    store.create_queue(CreateQueue { settings: QueueSettings::new(dead.clone()) }).await?;
    let settings = QueueSettings { dead_queue: Some(dead), ..QueueSettings::new(orders.clone()) };
    store.create_queue(CreateQueue { settings }).await?;

    let produced = store.produce(Produce::new(orders.clone(), vec![NewItem::of_payload("one book")])).await?;
    println!("produced {} item", produced.items.len());

    let spec = LeaseSpec { batch: 1, lease: Some(Span::from_secs(30)), notes_receipt: false };
    let lease = Lease { queue: orders.clone(), client_id: None, spec, wait: Span::from_secs(1) };
    let leased = store.lease(lease).await?;
    for item in leased.items {
        println!("leased {:?}, attempt {}", item.content.payload, item.info.attempts);
        let failure = Failure::new("the book is out of print");
        let found = Classifier::built_in().classify(&failure, item.info.attempts);
        let attempt = Attempt::failed(Trigger::Automatic, &failure, &found);
        let action = SettleAction::Dead { attempt: Some(Box::new(attempt)), why: DeadCause::Permanent };
        let settle = Settle::all(orders.clone(), Some(leased.partition), vec![item.info.id], &action);
        for settled in store.settle(settle).await? {
            if let Settled::Moved { to } = settled? {
                println!("gave up: the item is a letter of '{to}'");
            }
        }
    }
    store.close().await?;
    println!("closed the store");
    Ok(())
}

async fn read_the_letter(directory: &Path) -> Result<(), Box<dyn Error>> {
    let store = EmbeddedStore::open(directory, &EmbeddedOptions::default())?;
    println!("opened the store again");
    let dead = QueueName::new("orders-dead")?;
    for found in store.find_letters(FindLetters::all(dead.clone(), 10)).await?.letters {
        let Some(letter) = found.letter else { continue };
        let full = store.letter(GetLetter { queue: dead.clone(), letter: letter.id }).await?;
        println!("letter: {:?}, {}, {}", full.content.payload, letter.category, letter.status);
        for attempt in full.attempts {
            println!("  attempt: {}, {}", attempt.outcome, attempt.error);
        }
    }
    store.close().await?;
    Ok(())
}
