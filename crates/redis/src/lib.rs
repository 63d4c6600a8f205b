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
//!
//! # Modules
//!
//! There is one Lua script per verb, in `scripts/`, over a prelude that all of them share.
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `client`, `settings`, `error`, `server_checks` | connecting; version and permissions are checked before use | [`RedisClient`] |
//! | `mailbox`, `answers` | the verbs; reading the answers of scripts | [`RedisMailbox`] |
//! | `connection` | the shared connection, repetition with backoff, blocking connections | `Connections::call` |
//! | `keys`, `scripts` | keys of one hash tag; the scripts with their clock | `scripts/prelude.lua` |
//!
//! # Invariants
//!
//! - A script reads the server's clock and touches keys of one mailbox, or of two with one tag. It is passed all its
//!   keys.
//! - A mutating script is passed an operation id and stores its answer under it. Therefore `Connections::call` may
//!   repeat any call.
//! - No error of the client library leaves a verb, and none of its types is public.

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
