//! What a backend implements for the suite.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_store::ManualClock;

use crate::{MailboxBackend, MailboxName, MailboxSettings};

/// Opens backends for the suite. Each case opens one.
#[async_trait]
pub trait MailboxHarness: Send + Sync + 'static {
    /// A new backend without messages, on this clock.
    async fn open(&self, clock: ManualClock) -> Box<dyn BackendUnderTest>;
}

/// A backend under test.
#[async_trait]
pub trait BackendUnderTest: Send + Sync {
    /// A new object of the mailbox of this name. Two objects of one mailbox have the same settings.
    async fn mailbox(&self, name: &MailboxName, settings: MailboxSettings) -> Arc<dyn MailboxBackend>;

    /// A new object of a mailbox of letters, to which the source hands over atomically.
    async fn letters(
        &self,
        _source: &MailboxName,
        name: &MailboxName,
        settings: MailboxSettings,
    ) -> Arc<dyn MailboxBackend> {
        self.mailbox(name, settings).await
    }

    /// Called after the clock was moved. Returns when waiting receives have been notified.
    async fn clock_moved(&self) {}

    /// The number of messages of the case in which very many become due at once.
    fn due_messages(&self) -> u64 {
        100_000
    }

    /// The number of receives that wait in the mailbox, if the backend knows it.
    async fn waiting(&self, _name: &MailboxName) -> Option<u64> {
        None
    }

    /// Describes everything that is stored for the mailbox, except remembered ids and operations, which expire.
    async fn stored(&self, name: &MailboxName) -> Vec<String>;

    /// The bodies of all messages of the mailbox, in any order.
    async fn bodies(&self, name: &MailboxName) -> Vec<Bytes>;
}
