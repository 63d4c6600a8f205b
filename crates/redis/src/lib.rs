//! Mailboxes on Redis 6.2 or later, on one server or on a cluster.
//!
//! Every transition of a message is one script, atomic on the server and by the server's clock. A receive that waits
//! blocks on a key and polls nothing. Operations carry an id, so that a repetition after a lost reply has no second
//! effect. Keys and scripts are described in `docs/mailbox.md`.
//!
//! It is not a cache of messages: what was sent is as durable as the server's configuration makes it (`appendonly`).
//!
//! ```no_run
//! use redrive_mailbox::{Mailbox, MailboxName, MailboxSettings};
//! use redrive_redis::{RedisClient, RedisSettings};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let client = RedisClient::connect(RedisSettings::new("rediss://worker:secret@redis.example:6380")).await?;
//! let requests = client.mailbox(&MailboxName::new("requests")?, MailboxSettings::default()).await?;
//! let requests: Mailbox<String, String> = Mailbox::new(requests);
//! requests.send(&"hello".to_owned()).await?;
//! # Ok(())
//! # }
//! ```

mod answers;
mod client;
mod connection;
mod error;
mod keys;
mod mailbox;
mod scripts;
mod server_checks;
mod settings;

pub use client::RedisClient;
pub use error::RedisError;
pub use mailbox::RedisMailbox;
pub use settings::{RedisSettings, RedisTls};
