//! The suites of mailboxes and of their sources, over the API of a server.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::QueueName;
use redrive_mailbox::conformance::{
    BackendUnderTest, LetterPath, MailboxHarness, MailboxSourceHarness, crash_after_each_step,
};
use redrive_mailbox::{MailboxBackend, MailboxName, MailboxSettings, StoreMailboxes};
use redrive_model::{GetStats, ItemListKind, ListItems, StoredItem};
use redrive_store::ManualClock;

use super::mailboxes;
use crate::test_server::{Storage, TestServer};

pub(crate) struct OfServer;

#[async_trait]
impl MailboxHarness for OfServer {
    async fn open(&self, clock: ManualClock) -> Box<dyn BackendUnderTest> {
        let server = TestServer::at(Storage::Memory, clock).await;
        Box::new(ServerUnderTest { mailboxes: mailboxes(&server), server })
    }
}

struct ServerUnderTest {
    server: TestServer,
    mailboxes: StoreMailboxes,
}

impl ServerUnderTest {
    /// All items, from the server's own store: the suite must not inspect results through the code under test.
    async fn items(&self, name: &MailboxName) -> Vec<StoredItem> {
        let store = self.server.store();
        let queue = QueueName::new(name.as_str()).unwrap();
        store.stats(GetStats { queue: queue.clone() }).await.unwrap();
        let list = ListItems { queue, partition: 0, which: ItemListKind::All, pivot: None, limit: 1_000_000 };
        store.items(list).await.unwrap()
    }
}

#[async_trait]
impl BackendUnderTest for ServerUnderTest {
    async fn mailbox(&self, name: &MailboxName, settings: MailboxSettings) -> Arc<dyn MailboxBackend> {
        self.mailboxes.open(name.clone(), settings).await.unwrap()
    }

    async fn letters(
        &self,
        _source: &MailboxName,
        name: &MailboxName,
        settings: MailboxSettings,
    ) -> Arc<dyn MailboxBackend> {
        self.mailbox(name, settings).await
    }

    /// Each is sent by a request.
    fn due_messages(&self) -> u64 {
        10_000
    }

    async fn waiting(&self, name: &MailboxName) -> Option<u64> {
        let queue = QueueName::new(name.as_str()).unwrap();
        Some(self.server.store().stats(GetStats { queue }).await.unwrap().waiting)
    }

    async fn stored(&self, name: &MailboxName) -> Vec<String> {
        self.items(name).await.iter().map(|item| format!("{:?}", item.info)).collect()
    }

    async fn bodies(&self, name: &MailboxName) -> Vec<Bytes> {
        self.items(name).await.into_iter().map(|item| item.content.payload.clone()).collect()
    }
}

mod of_server {
    redrive_mailbox::mailbox_conformance_tests!(crate::mailbox::conformance::OfServer, transport);
}

mod as_source {
    redrive_run::source_conformance_tests!(
        crate::mailbox::conformance::source(crate::mailbox::conformance::LetterPath::Atomic),
        transport
    );
}

mod as_source_in_steps {
    redrive_run::source_conformance_tests!(
        crate::mailbox::conformance::source(crate::mailbox::conformance::LetterPath::InSteps),
        letters
    );
}

fn source(path: LetterPath) -> MailboxSourceHarness<OfServer> {
    MailboxSourceHarness { harness: OfServer, path }
}

#[tokio::test]
async fn c_a_crash_after_each_step_of_a_hand_over_makes_one_letter_and_one_reply() {
    for (path, least) in [(LetterPath::Atomic, 5), (LetterPath::InSteps, 5)] {
        let interrupted = crash_after_each_step(&OfServer, path, true).await;
        assert!(interrupted >= least, "{path:?}: only {interrupted} steps were interrupted");
    }
}
