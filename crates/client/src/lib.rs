//! The Rust client of a Redrive server.
//!
//! A [`Client`] has a method for every call of the API, which takes and returns the messages of the wire
//! ([`redrive_proto`]). It uses protobuf in both directions, reuses connections, and returns typed errors
//! ([`ClientError`]). Every call has a deadline; calls that are safe to repeat are repeated a few times.
//!
//! It is not a consumer: to consume a queue, pass [`remote_queue`] to a [`Runner`](redrive_run::Runner), which retries
//! work, extends claims and hands over permanent failures exactly as it does on an embedded store. It is not a second
//! API either: the server validates and executes the calls.
//!
//! ```
//! use redrive_client::proto::querator::{QueueInfo, QueueProduceItem};
//! use redrive_client::{Client, Span};
//!
//! # use std::sync::Arc;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let clock = Arc::new(redrive_store::SystemClock);
//! # let store = Arc::new(redrive_embedded::EmbeddedStore::in_memory(&redrive_embedded::EmbeddedOptions::default())?);
//! # let settings = redrive_server::Settings { listen: ([127, 0, 0, 1], 0).into(), ..Default::default() };
//! # let server = redrive_server::Server::bind(settings, store, clock).await?;
//! # let address = server.address().to_string();
//! # tokio::spawn(server.serve(tokio_util::sync::CancellationToken::new()));
//! let client = Client::new(&address)?; // for instance 127.0.0.1:2319
//! client
//!     .create_queue(&QueueInfo {
//!         queue_name: "orders".to_owned(),
//!         lease_timeout: "1m".to_owned(),
//!         expire_timeout: "24h".to_owned(),
//!         requested_partitions: 1,
//!         ..QueueInfo::default()
//!     })
//!     .await?;
//!
//! let orders = client.queue("orders");
//! orders.produce(vec![QueueProduceItem { bytes: "one book".into(), ..QueueProduceItem::default() }]).await?;
//!
//! let leased = orders.lease("worker-1", 10, Span::from_secs(5)).await?;
//! assert_eq!(leased.items[0].bytes, "one book");
//! orders.complete(leased.partition, leased.items.into_iter().map(|item| item.id).collect()).await?;
//! # Ok(())
//! # }
//! ```

/// Compiles the examples of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/client.md")]
struct Guide;

mod answer;
mod build_error;
mod builder;
mod call;
mod calls;
mod client;
mod error;
mod health;
mod letters;
mod queue;
mod reason;
mod remote;
mod transport;

pub use build_error::BuildError;
pub use builder::ClientBuilder;
pub use client::Client;
pub use error::ClientError;
pub use health::{Check, ServerHealth};
pub use letters::Letters;
pub use queue::Queue;
pub use redrive_core::Span;
pub use redrive_proto as proto;
pub use remote::{RemoteLetterBox, RemoteStore, remote_queue};
