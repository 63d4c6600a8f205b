//! The conformance suite on memory.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::FutureExt as _;
use metrics_exporter_prometheus::PrometheusBuilder;
use redrive_mailbox::conformance::{BackendUnderTest, CASES, MailboxHarness};
use redrive_mailbox::{
    MailboxBackend, MailboxName, MailboxSettings, MemoryMailboxes, MessageId, NewMessage, ReceiptHandle,
};
use redrive_store::{Clock, ManualClock};

pub(crate) struct MemoryHarness;

#[async_trait]
impl MailboxHarness for MemoryHarness {
    async fn open(&self, clock: ManualClock) -> Box<dyn BackendUnderTest> {
        Box::new(MemoryUnderTest { mailboxes: MemoryMailboxes::new(Arc::new(clock)) })
    }
}

struct MemoryUnderTest {
    mailboxes: MemoryMailboxes,
}

#[async_trait]
impl BackendUnderTest for MemoryUnderTest {
    async fn mailbox(&self, name: &MailboxName, settings: MailboxSettings) -> Arc<dyn MailboxBackend> {
        self.mailboxes.open(name.clone(), settings)
    }

    async fn stored(&self, name: &MailboxName) -> Vec<String> {
        self.mailboxes.open(name.clone(), MailboxSettings::default()).stored()
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

/// Senders choose the names of reply mailboxes: each name that is used once must not cost memory forever.
#[tokio::test]
async fn a_mailbox_without_messages_and_objects_is_forgotten() {
    let manual = ManualClock::new(redrive_core::Time::from_secs(1_800_000_000));
    // Every mailbox that is kept refers to the clock.
    let clock: Arc<dyn Clock> = Arc::new(manual.clone());
    let mailboxes = MemoryMailboxes::new(Arc::clone(&clock));
    let open = |number: u32| {
        let name = MailboxName::new(&format!("reply-{number}")).unwrap();
        mailboxes.open(name, MailboxSettings::default())
    };
    open(0).send(NewMessage::new("kept")).await.unwrap();
    let known = MessageId::new("known").unwrap();
    let named = NewMessage { id: Some(known), ..NewMessage::new("") };
    open(1).send(named.clone()).await.unwrap();
    assert_eq!(open(1).purge().await, Ok(1));
    for number in 2..5000 {
        assert_eq!(open(number).counts().await.unwrap().total(), 0);
    }
    assert!(Arc::strong_count(&clock) < 200, "{} mailboxes are kept", Arc::strong_count(&clock));
    assert_eq!(open(0).counts().await.unwrap().total(), 1);
    open(1).send(named).await.unwrap();
    assert_eq!(open(1).counts().await.unwrap().total(), 0, "an id that was accepted is remembered");
    // A reply that is never received expires, and its mailbox with it.
    manual.advance(MailboxSettings::RETENTION);
    let before = Arc::strong_count(&clock);
    for number in 5000..5400 {
        open(number);
    }
    assert!(Arc::strong_count(&clock) <= before.max(200));
}

/// A name that a sender chooses must not become a label.
#[test]
fn reply_mailboxes_share_their_metrics() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let page = metrics::with_local_recorder(&recorder, || {
        let manual = ManualClock::new(redrive_core::Time::from_secs(1_800_000_000));
        let mailboxes = MemoryMailboxes::new(Arc::new(manual));
        for (name, settings) in [("requests", MailboxSettings::default()), ("reply-1", MailboxSettings::of_replies())] {
            let mailbox = mailboxes.open(MailboxName::new(name).unwrap(), settings);
            let handle = ReceiptHandle::new(MessageId::new("gone").unwrap(), Arc::from("nonce"));
            assert!(mailbox.acknowledge(&handle).now_or_never().unwrap().is_err());
        }
        recorder.handle().render()
    });
    for label in ["requests", "{replies}"] {
        let line = format!("redrive_mailbox_stale_handles_total{{mailbox=\"{label}\"}} 1");
        assert!(page.lines().any(|found| found == line), "no {line} in {page}");
    }
    assert!(!page.contains("reply-1"), "{page}");
}
