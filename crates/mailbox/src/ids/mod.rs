//! Names, ids and receipt handles.

mod invalid_id;
mod mailbox_name;
mod message_id;
mod receipt_handle;
mod token_generator;

pub use invalid_id::InvalidId;
pub use mailbox_name::MailboxName;
pub use message_id::{HandedBack, MessageId};
pub use receipt_handle::ReceiptHandle;
pub use token_generator::TokenGenerator;
