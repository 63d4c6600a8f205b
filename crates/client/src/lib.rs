//! The Rust client of a Redrive server.
//!
//! A [`Client`] has two layers. The handles [`Queue`] and [`Letters`] take and return the types of a store: items,
//! settlements, settings, ids, times and durations. Beneath, the client has a method for every call of the API, which
//! takes and returns the messages of the wire ([`proto`]). It uses protobuf in both directions, reuses connections, and
//! returns typed errors ([`ClientError`]). Every call has a deadline; calls that are safe to repeat are repeated a few
//! times.
//!
//! It is not a consumer: to consume a queue, pass [`remote_queue`] to a [`Runner`](redrive_run::Runner), which retries
//! work, extends claims and hands over permanent failures exactly as it does on an embedded store. It is not a second
//! API either: the server validates and executes the calls.
//!
//! ```
//! use redrive_client::{Client, LeaseOptions, NewItem, Queue, QueueName, QueueSettings, Settled, Span};
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
//! let settings = QueueSettings {
//!     lease_timeout: Span::from_mins(5),
//!     max_attempts: 3,
//!     ..QueueSettings::new(QueueName::new("orders")?)
//! };
//! let orders = Queue::create(&client, &settings).await?;
//! orders.produce(&[NewItem::of_payload("one book")]).await?;
//!
//! let leased = orders.lease(&LeaseOptions { batch: 10, ..LeaseOptions::default() }).await?;
//! let item = &leased.items[0];
//! assert_eq!((&item.content.payload[..], item.info.attempts), (&b"one book"[..], 1));
//! assert_eq!(orders.complete(&[item.info.id]).await?, [Ok(Settled::Completed)]);
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | `queue`, `letters` | the handles of one queue and of its letters, with the types of a store. Start reading at [`Queue`] |
//! | `calls` | a method for every call of the API, by its noun |
//! | `call` | one call: sent, awaited, repeated if allowed; the only retry loop |
//! | `answer`, `error`, `health` | from bytes to a message or a typed error; the health of a server |
//! | `wire` | conversions between the types of a store and the messages of the API |
//! | `transport`, `builder`, `reason` | connections: reused, shared, closed; settings of a client; the reason of an administrative act |
//! | `remote` | the remote source (`StoreQueue` over a [`RemoteStore`], which offers what sources and mailboxes need), and a letter box whose letters are stored by a server |
//!
//! # Invariants
//!
//! - A call is sent twice only if it was certainly not executed, or if it is idempotent.
//! - There is one source for the queues of a store, local or remote. The meaning of a claim, a result and an extension
//!   is implemented once, in [`redrive_run`]; the client only encodes them.
//! - The type of an error follows from its stable reason, never from its message.

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
mod server_error;
mod transport;
mod wire;

pub use build_error::BuildError;
pub use builder::ClientBuilder;
pub use calls::ClearedItems;
pub use client::Client;
pub use error::ClientError;
pub use health::{Check, ServerHealth};
pub use letters::{LetterCursor, LetterPage, LetterQuery, LetterSummary, Letters, RetriedLetter};
pub use queue::{LeaseOptions, Queue};
pub use redrive_core::{ItemId, LetterId, QueueName, Span, Status, Time};
pub use redrive_model::capture::FailedWork;
pub use redrive_model::{
    CaptureTimes, Content, DeliveryNotes, Header, Leased, LetterOrder, NewItem, Produced, ProducedItem, QueueSettings,
    Rejection, RetryAt, SettleAction, Settled, Settlement, StoredItem,
};
pub use redrive_proto as proto;
pub use redrive_run::Posted;
pub use remote::{RemoteLetterBox, RemoteStore, remote_queue};
pub use server_error::ServerError;
