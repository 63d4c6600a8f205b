//! Mailboxes of a server: the conformance suites over its API, waiting receives, and loops.

mod conformance;
mod loops;
mod waiting;

use std::sync::Arc;

use redrive_client::RemoteStore;
use redrive_mailbox::{MailboxBackend, MailboxName, MailboxSettings, StoreMailboxes};

use crate::test_server::TestServer;

fn name(text: &str) -> MailboxName {
    MailboxName::new(text).unwrap()
}

fn mailboxes(server: &TestServer) -> StoreMailboxes {
    StoreMailboxes::new(Arc::new(RemoteStore::new(server.client())))
}

async fn open(mailboxes: &StoreMailboxes, text: &str) -> Arc<dyn MailboxBackend> {
    mailboxes.open(name(text), MailboxSettings::default()).await.unwrap()
}
