//! A mailbox as a source of work for a runner.

mod claim;
mod dead_letter;
mod source;

pub use claim::MailboxClaim;
pub use source::MailboxSource;
