//! Where Redrive keeps items and letters.
//!
//! [`Store`] is the contract, verb by verb. [`LocalStore`] is the embedded store: the state machine of
//! [`redrive_queue`] over the journal of [`redrive_journal`], in a directory of its own; or without a journal, in
//! memory. [`conformance`] is what any implementation must pass.
//!
//! It is not a server: there is no network in here, and no authorisation. Whoever holds a store may do anything.
//!
//! ```
//! use redrive_core::{QueueName, Span};
//! use redrive_queue::{NewItem, Produce, QueueSettings, Wanted};
//! use redrive_store::{LeaseRequest, LocalStore, Options, Store};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let store = LocalStore::in_memory(&Options::default()).unwrap();
//! let orders = QueueName::new("orders").unwrap();
//! store.create_queue(QueueSettings::new(orders.clone())).await.unwrap();
//! store.produce(Produce { queue: orders.clone(), items: vec![NewItem::of_payload("one")] }).await.unwrap();
//!
//! let wanted = Wanted { batch: 10, lease: None };
//! let lease = LeaseRequest { queue: orders.clone(), client_id: None, wanted, wait: Span::from_secs(1) };
//! let leased = store.lease(lease).await.unwrap();
//! assert_eq!(leased.items[0].content.payload, "one");
//! store.complete(orders, leased.partition, vec![leased.items[0].info.id]).await.unwrap();
//! store.close().await.unwrap();
//! # });
//! ```

mod clock;
pub mod conformance;
mod error;
mod local;
mod operation;
mod store;

pub use clock::{Clock, ManualClock, SystemClock, Wake};
pub use error::StoreError;
pub use local::{LocalStore, OpenError, Options, Status, SyncTimes};
pub use operation::{
    ChangesRequest, ClaimRequest, FeedChange, FeedPage, LeaseRequest, Leased, LetterRecord, Operation, Reply, Stored,
    Story,
};
pub use store::Store;
