//! Mailboxes of a store: queues with the contract of a mailbox.
//!
//! A message is an item, and every verb is one request to the store. The message id is the message id of the item, the
//! receipt handle is the id of the item's delivery, and the notes that a return leaves are those of the item.
//!
//! A deadline of a mailbox has passed when it is reached; those of a store act strictly after their time. So each is
//! stored an instant earlier.

mod mailbox;
mod mailboxes;
mod message;

pub use mailbox::StoreMailbox;
pub use mailboxes::StoreMailboxes;
