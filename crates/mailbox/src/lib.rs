//! Point-to-point mailboxes with leases, replies and dead letters.
//!
//! A mailbox is an at-least-once queue of typed messages. A received message is leased: invisible to other receivers
//! until its deadline, and identified by a receipt handle that is valid for this delivery only. It is then
//! acknowledged, returned, extended, or handed over to a mailbox of dead letters.
//!
//! - [`Mailbox`] has typed bodies: JSON by serde, replies, and messages that know whether they are finalised.
//! - [`MailboxBackend`] is the contract on bytes that every backend implements. [`MemoryMailboxes`] and
//!   [`StoreMailboxes`], the queues of a store, are in this crate; `redrive-redis` implements it on Redis. The feature
//!   `conformance` has the suite that all backends pass.
//! - [`MailboxSource`] is a mailbox as a source of work for a runner. [`MailboxHandBack`] hands letters of a dead queue
//!   back to their mailboxes.
//! - [`MainLoop`], [`EvalLoop`] and [`DlqConsumer`] process mailboxes, a [`LoopGroup`] runs several in a process, and
//!   [`Replay`] sends dead letters back: `docs/loops.md`.
//!
//! It is not a log: a message that was acknowledged is gone. It is not ordered beyond the first delivery: messages that
//! are returned or whose lease expired re-enter at the tail.
//!
//! ```
//! use std::sync::Arc;
//!
//! use redrive_mailbox::{Mailbox, MailboxName, MailboxSettings, MemoryMailboxes, ReceiveSpec, ReplyResolver};
//! use redrive_store::SystemClock;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let memory = MemoryMailboxes::new(Arc::new(SystemClock));
//! let replies = memory.open(MailboxName::new("replies")?, MailboxSettings::default());
//! let resolver = ReplyResolver::builder().register(replies.clone()).build();
//!
//! let requests = memory.open(MailboxName::new("requests")?, MailboxSettings::default());
//! let requests: Mailbox<u32, u32> = Mailbox::new(requests).with_resolver(resolver);
//! requests.send_expecting_reply(&20, &MailboxName::new("replies")?).await?;
//!
//! for message in requests.receive(ReceiveSpec::default()).await? {
//!     let number = message.body().decoded().copied().unwrap_or_default();
//!     message.reply(&(number + 1)).await?;
//!     message.acknowledge().await?;
//! }
//! let answers: Mailbox<u32, ()> = Mailbox::new(replies);
//! let answer = answers.receive(ReceiveSpec::default()).await?.remove(0);
//! assert_eq!(answer.body().decoded(), Some(&21));
//! # Ok(())
//! # }
//! ```
//!
//! Guarantees, the wire format on Redis, and what to do about each error: `docs/mailbox.md`.
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `backend`, `spec`, `message`, `error` | the contract: verbs, their parameters with ranges, messages, errors | [`MailboxBackend`] |
//! | `ids` | names, message ids, receipt handles, random tokens | [`ReceiptHandle`] |
//! | `machine` | the life of the messages of one mailbox, as a pure state machine | `machine/machine.rs` |
//! | `memory` | that machine behind a lock, with a notifier | [`MemoryMailbox`] |
//! | `store` | mailboxes of a store: each verb is a request to its queue | [`StoreMailbox`] |
//! | `mailbox`, `terminal_reply`, `resolver`, `body_check`, `decode` | typed bodies, replies, messages that are settled once; reply mailboxes by name | [`Mailbox`] |
//! | `source`, `letter`, `hand_over` | a mailbox as a source; its dead letters, in a mailbox or in a dead queue; the hand-over between two backends | [`MailboxSource`] |
//! | `hand_back` | letters of a dead queue back to their mailboxes | [`MailboxHandBack`] |
//! | `loops`, `heartbeat` | programs over mailboxes, each a runner over a [`MailboxSource`]; groups of them, with a watchdog; replay | [`MainLoop`] |
//! | `unclaimed`, `in_transit`, `metrics` | messages whose receive was cancelled; the counters of a backend | [`UnclaimedMessages`] |
//! | [`conformance`] | the suite of all backends: cases, random histories beside a naive model, faults | `conformance/list.rs` |
//!
//! # Invariants
//!
//! - The mailbox of a store has no state of its own. What its contract needs and a queue lacked is an operation or an
//!   option of the store: it holds for every queue, and for other stores.
//! - Every operation of the machine first lets the time pass. No timer and no reaper changes a message, so a mailbox
//!   without consumers is never out of date.
//! - A handle is compared where it acts: under the lock, or in the script. A check before an operation would let a
//!   second holder in between.

mod backend;
mod body_check;
mod decode;
mod error;
mod error_text;
mod hand_back;
mod hand_over;
mod heartbeat;
mod ids;
mod in_transit;
mod letter;
mod loops;
mod machine;
mod mailbox;
mod memory;
mod message;
mod metrics;
mod resolver;
mod source;
mod spec;
mod store;
mod terminal_reply;
mod unclaimed;

pub mod conformance;

pub use backend::MailboxBackend;
pub use error::MailboxError;
pub use hand_back::MailboxHandBack;
pub use hand_over::{check_hand_over, hand_over_in_steps};
pub use heartbeat::Heartbeat;
pub use ids::{HandedBack, InvalidId, MailboxName, MessageId, ReceiptHandle, TokenGenerator};
pub use in_transit::{InTransit, InTransitGuard};
pub use letter::{DeadLetter, ReplyState};
pub use loops::{
    DlqConsumer, DlqDepthAlarm, DlqPolicy, EvalLoop, EvalRequest, EvalResult, GroupError, GroupReport, GroupSettings,
    LetterAction, LoopError, LoopGroup, LoopReport, LoopRequest, LoopResult, LoopSettings, LoopTiming, MainLoop,
    OnLoopEnd, Progress, Replay, ReplayError, ReplayReport, Runnable, Sample, Score, ShutdownSignal, TimingError,
    WatchdogSettings, submit_samples,
};
pub use mailbox::{Body, Mailbox, Message};
pub use memory::{MemoryMailbox, MemoryMailboxes};
pub use message::{BrowseCursor, BrowsePage, BrowsedMessage, NewMessage, RawMessage, Verdict};
pub use metrics::MailboxMetrics;
pub use resolver::{ReplyMailbox, ReplyResolver, ReplyResolverBuilder};
pub use source::{MailboxClaim, MailboxSource};
pub use spec::{
    HandOverSpec, LeaseExtension, MailboxCounts, MailboxSettings, NackSpec, ReceiveSpec, check_browse, check_visibility,
};
pub use store::{StoreMailbox, StoreMailboxes};
pub use unclaimed::UnclaimedMessages;
