//! A mailbox as a source of work for a runner.

mod claim;
mod dead_letter;
mod dead_queue;
mod letter_destination;
mod source;
mod source_message;

pub use claim::MailboxClaim;
pub(crate) use letter_destination::LetterDestination;
pub use source::MailboxSource;
pub(crate) use source_message::{SourceMessage, TRANSPORT};
