//! The conformance suite on memory.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_mailbox::conformance::{CASES, MailboxBench, MailboxHarness};
use redrive_mailbox::{MailboxBackend, MailboxName, MailboxSettings, MemoryMailboxes};
use redrive_store::ManualClock;

pub(crate) struct MemoryHarness;

#[async_trait]
impl MailboxHarness for MemoryHarness {
    async fn open(&self, clock: ManualClock) -> Box<dyn MailboxBench> {
        Box::new(MemoryBench { mailboxes: MemoryMailboxes::new(Arc::new(clock)) })
    }
}

struct MemoryBench {
    mailboxes: MemoryMailboxes,
}

#[async_trait]
impl MailboxBench for MemoryBench {
    async fn mailbox(&self, name: &MailboxName, settings: MailboxSettings) -> Arc<dyn MailboxBackend> {
        self.mailboxes.open(name.clone(), settings)
    }

    async fn letters(
        &self,
        _source: &MailboxName,
        name: &MailboxName,
        settings: MailboxSettings,
    ) -> Arc<dyn MailboxBackend> {
        self.mailboxes.open(name.clone(), settings)
    }

    async fn stored(&self, name: &MailboxName) -> Vec<String> {
        let counts = self.mailboxes.open(name.clone(), MailboxSettings::default()).counts().await.unwrap();
        if counts.total() == 0 { Vec::new() } else { vec![format!("{counts:?}")] }
    }

    async fn bodies(&self, name: &MailboxName) -> Vec<Bytes> {
        self.mailboxes.open(name.clone(), MailboxSettings::default()).bodies()
    }
}

redrive_mailbox::mailbox_conformance_tests!(crate::memory::MemoryHarness);

#[test]
fn every_case_has_a_unique_name() {
    let mut names: Vec<_> = CASES.iter().map(|case| (case.theme, case.name)).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(count > 60, "only {count} cases are left");
}
