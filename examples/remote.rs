//! A remote server: produce, lease and settle over HTTP.
//!
//! The server runs in this program, on a free port and over a store in memory. In production it is the program
//! `redrive serve`, and only the part below the client remains. A complete consumer is a `Runner` over `remote_queue`.
//!
//! Run it with `cargo run -p redrive --example remote --features client,server`.
//!
//! Output:
//!
//! ```text
//! produced 2 items into 'orders'
//! leased b"a novel", attempt 1
//!   completed
//! leased b"an atlas", attempt 1
//!   moved to 'orders-dead'
//! letter: order-2, permanent, pending
//! the server has stopped
//! ```

use std::error::Error;
use std::sync::Arc;

use redrive::client::{Client, LeaseOptions, LetterQuery, Queue};
use redrive::core::{Classifier, Failure, QueueName, Span, Trigger};
use redrive::embedded::{EmbeddedOptions, EmbeddedStore};
use redrive::model::{Attempt, DeadCause, NewItem, QueueSettings, SettleAction, Settled, Settlement};
use redrive::server::{Server, Settings};
use redrive::store::SystemClock;
use tokio_util::sync::CancellationToken;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default())?);
    let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() };
    let server = Server::bind(settings, store, Arc::new(SystemClock)).await?;
    let address = server.address().to_string();
    let stop = CancellationToken::new();
    let serving = tokio::spawn(server.serve(stop.clone()));

    place_orders(&Client::new(&address)?).await?;

    stop.cancel();
    serving.await?;
    println!("the server has stopped");
    Ok(())
}

async fn place_orders(client: &Client) -> Result<(), Box<dyn Error>> {
    let dead = QueueName::new("orders-dead")?;
    Queue::create(client, &QueueSettings::new(dead.clone())).await?;
    let settings = QueueSettings { dead_queue: Some(dead.clone()), ..QueueSettings::new(QueueName::new("orders")?) };
    let orders = Queue::create(client, &settings).await?;

    // A message id deduplicates: an item that is already in the queue is not stored again.
    let item = |id: &str, order: &'static str| NewItem { message_id: Some(id.into()), ..NewItem::of_payload(order) };
    let produced = orders.produce(&[item("order-1", "a novel"), item("order-2", "an atlas")]).await?;
    println!("produced {} items into '{}'", produced.items.len(), orders.name());

    let options = LeaseOptions { batch: 10, lease: Some(Span::from_secs(30)), ..LeaseOptions::default() };
    for item in orders.lease(&options).await?.items {
        println!("leased {:?}, attempt {}", item.content.payload, item.info.attempts);
        let action = if item.content.payload == "a novel" {
            SettleAction::Complete { attempt: None }
        } else {
            let failure = Failure::new("the atlas is out of print");
            let found = Classifier::built_in().classify(&failure, item.info.attempts);
            let attempt = Attempt::failed(Trigger::Automatic, &failure, &found);
            SettleAction::Dead { attempt: Some(Box::new(attempt)), why: DeadCause::Permanent }
        };
        for settled in orders.settle(&[Settlement { id: item.info.id, action }]).await? {
            match settled? {
                Settled::Completed => println!("  completed"),
                Settled::Moved { to } => println!("  moved to '{to}'"),
                other => println!("  {other:?}"),
            }
        }
    }

    for letter in client.letters(&dead).list(&LetterQuery::default()).await?.letters {
        let order = letter.source_id.unwrap_or_default();
        println!("letter: {order}, {}, {}", letter.category, letter.status);
    }
    Ok(())
}
