//! The conformance suite on the embedded store, in memory and on a simulated disk, and its mailboxes as sources.

use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::{QueueName, Span, Time};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_journal::{Disk, SimDisk};
use redrive_mailbox::conformance::{BackendUnderTest, LetterPath, MailboxHarness, MailboxSourceHarness};
use redrive_mailbox::{
    MailboxBackend, MailboxError, MailboxName, MailboxSettings, MessageId, NackSpec, NewMessage, ReceiveSpec,
    StoreMailboxes, Verdict,
};
use redrive_model::{
    CreateQueue, GetStats, ItemListKind, ListItems, NewItem, Produce, QueueSettings, StoredItem, UpdateQueue,
};
use redrive_store::{ManualClock, Store};

use crate::loops::name;

pub(crate) struct InMemory;

pub(crate) struct OnDisk;

fn options(clock: ManualClock) -> EmbeddedOptions {
    EmbeddedOptions { clock: Arc::new(clock), idle_proof: Span::from_hours(1), ..EmbeddedOptions::default() }
}

#[async_trait]
impl MailboxHarness for InMemory {
    async fn open(&self, clock: ManualClock) -> Box<dyn BackendUnderTest> {
        Box::new(StoreUnderTest::new(EmbeddedStore::in_memory(&options(clock)).unwrap()))
    }
}

#[async_trait]
impl MailboxHarness for OnDisk {
    async fn open(&self, clock: ManualClock) -> Box<dyn BackendUnderTest> {
        // Small segments: few timed changes are applied at once, and segments are compacted within a case.
        let options = EmbeddedOptions { segment_bytes: 8 << 20, ..options(clock) };
        let store = EmbeddedStore::open_on(Arc::new(SimDisk::new()), Path::new("/store"), &options).unwrap();
        Box::new(StoreUnderTest::new(store))
    }
}

struct StoreUnderTest {
    store: Arc<dyn Store>,
    mailboxes: StoreMailboxes,
}

impl StoreUnderTest {
    fn new(store: EmbeddedStore) -> Self {
        let store: Arc<dyn Store> = Arc::new(store);
        Self { mailboxes: StoreMailboxes::new(Arc::clone(&store)), store }
    }

    async fn items(&self, name: &MailboxName) -> Vec<StoredItem> {
        let queue = QueueName::new(name.as_str()).unwrap();
        self.store.stats(GetStats { queue: queue.clone() }).await.unwrap();
        let mut all = Vec::new();
        for which in [ItemListKind::All, ItemListKind::Damaged] {
            let list = ListItems { queue: queue.clone(), partition: 0, which, pivot: None, limit: 1_000_000 };
            all.extend(self.store.items(list).await.unwrap());
        }
        all
    }
}

#[async_trait]
impl BackendUnderTest for StoreUnderTest {
    async fn mailbox(&self, name: &MailboxName, settings: MailboxSettings) -> Arc<dyn MailboxBackend> {
        self.mailboxes.open(name.clone(), settings).await.unwrap()
    }

    async fn waiting(&self, name: &MailboxName) -> Option<u64> {
        let queue = QueueName::new(name.as_str()).unwrap();
        Some(self.store.stats(GetStats { queue }).await.unwrap().waiting)
    }

    async fn stored(&self, name: &MailboxName) -> Vec<String> {
        self.items(name).await.iter().map(|item| format!("{:?}", item.info)).collect()
    }

    async fn bodies(&self, name: &MailboxName) -> Vec<Bytes> {
        self.items(name).await.into_iter().map(|item| item.content.payload.clone()).collect()
    }
}

mod in_memory {
    redrive_mailbox::mailbox_conformance_tests!(crate::store::InMemory);
}

mod on_disk {
    redrive_mailbox::mailbox_conformance_tests!(crate::store::OnDisk, transport);
}

mod as_source {
    redrive_run::source_conformance_tests!(crate::store::source(crate::store::LetterPath::Atomic));
}

mod as_source_in_steps {
    redrive_run::source_conformance_tests!(crate::store::source(crate::store::LetterPath::InSteps), letters);
}

fn source(path: LetterPath) -> MailboxSourceHarness<InMemory> {
    MailboxSourceHarness { harness: InMemory, path }
}

mod hand_over {
    use redrive_mailbox::conformance::{LetterPath, crash_after_each_step};

    use super::InMemory;

    #[tokio::test]
    async fn c_a_crash_after_each_step_of_a_hand_over_makes_one_letter_and_one_reply() {
        for (path, expects_reply, least) in [
            (LetterPath::Atomic, true, 5),
            (LetterPath::Atomic, false, 2),
            (LetterPath::InSteps, true, 5),
            (LetterPath::InSteps, false, 4),
        ] {
            let interrupted = crash_after_each_step(&InMemory, path, expects_reply).await;
            assert!(interrupted >= least, "{path:?}: only {interrupted} steps were interrupted");
        }
    }
}

fn in_memory() -> (Arc<dyn Store>, StoreMailboxes) {
    let clock = ManualClock::new(Time::from_secs(1_800_000_000));
    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&options(clock)).unwrap());
    (Arc::clone(&store), StoreMailboxes::new(store))
}

#[tokio::test]
async fn a_mailbox_has_the_settings_of_its_queue() {
    let (store, mailboxes) = in_memory();
    let wanted = MailboxSettings { capacity: NonZeroU64::new(7), retention: Span::from_secs(50), ..Default::default() };
    for settings in [wanted.clone(), MailboxSettings::default()] {
        let opened = mailboxes.open(name("requests"), settings).await.unwrap();
        assert_eq!(opened.settings(), &wanted, "also of a queue that exists");
    }
    let forever = MailboxSettings { retention: Span::ZERO, ..MailboxSettings::default() };
    for _ in 0..2 {
        assert_eq!(mailboxes.open(name("forever"), forever.clone()).await.unwrap().settings(), &forever);
    }
    let shortest = MailboxSettings { retention: Span::from_micros(2), ..MailboxSettings::default() };
    assert_eq!(mailboxes.open(name("short"), shortest.clone()).await.unwrap().settings(), &shortest);
    let update = UpdateQueue { max_items: Some(9), ..UpdateQueue::of(QueueName::new("requests").unwrap()) };
    store.update_queue(update).await.unwrap();
    let opened = mailboxes.open(name("requests"), wanted).await.unwrap();
    assert_eq!(opened.settings().capacity, NonZeroU64::new(9), "an operator has changed it");
}

#[tokio::test]
async fn a_queue_that_takes_items_away_from_their_holders_is_no_mailbox() {
    let (store, mailboxes) = in_memory();
    let queue = |text: &str| QueueSettings::new(QueueName::new(text).unwrap());
    let dead = store.create_queue(CreateQueue { settings: queue("dead") }).await.unwrap().name;
    let all = [
        QueueSettings { dead_queue: Some(dead), ..queue("with-dead-queue") },
        QueueSettings { max_attempts: 5, ..queue("with-attempts") },
        QueueSettings { partitions: 2, ..queue("with-partitions") },
    ];
    for settings in all {
        let created = store.create_queue(CreateQueue { settings }).await.unwrap();
        let refused = mailboxes.open(name(created.name.as_str()), MailboxSettings::default()).await.unwrap_err();
        assert!(matches!(&refused, MailboxError::InvalidParameter { parameter: "mailbox", .. }), "{refused}");
    }
    for invalid in ["with space", "with~tilde"] {
        let refused = mailboxes.open(name(invalid), MailboxSettings::default()).await.unwrap_err();
        assert!(matches!(&refused, MailboxError::InvalidParameter { parameter: "mailbox name", .. }), "{refused}");
    }
    mailboxes.open(name("dead"), MailboxSettings::default()).await.unwrap();
}

/// The ids of letters and replies are derived, and longer than those of items may be.
#[tokio::test]
async fn an_id_that_is_too_long_for_an_item_is_kept() {
    let (_, mailboxes) = in_memory();
    let mailbox = mailboxes.open(name("requests"), MailboxSettings::default()).await.unwrap();
    let long = MessageId::new(&"ü".repeat(256)).unwrap();
    let letter = MessageId::of_letter(&name(&"n".repeat(256)), &long, Time::from_secs(1));
    for _ in 0..2 {
        let message = NewMessage { id: Some(letter.clone()), ..NewMessage::new("letter") };
        assert_eq!(mailbox.send(message).await, Ok(letter.clone()));
    }
    assert_eq!(mailbox.counts().await.unwrap().total(), 1);
    let browsed = mailbox.browse(None, 10).await.unwrap().messages;
    assert_eq!(browsed.iter().map(|message| &message.id).collect::<Vec<_>>(), [&letter]);
    let taken = mailbox.take(&letter, Span::from_secs(30)).await.unwrap().unwrap();
    assert_eq!((taken.id(), &*taken.body), (&letter, &b"letter"[..]));
    mailbox.acknowledge(&taken.handle).await.unwrap();
}

#[tokio::test]
async fn an_item_that_was_not_sent_as_a_message_is_received() {
    let (store, mailboxes) = in_memory();
    let mailbox = mailboxes.open(name("requests"), MailboxSettings::default()).await.unwrap();
    let queue = QueueName::new("requests").unwrap();
    store.produce(Produce::new(queue, vec![NewItem::of_payload("plain")])).await.unwrap();
    let first = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
    mailbox.nack(&first.handle, NackSpec::default()).await.unwrap();
    let second = mailbox.receive(ReceiveSpec::default()).await.unwrap().remove(0);
    assert_eq!((first.id(), &*second.body), (second.id(), &b"plain"[..]));
    assert_ne!(first.handle, second.handle);
}

#[tokio::test]
async fn a_closed_store_is_not_available() {
    let (store, mailboxes) = in_memory();
    let mailbox = mailboxes.open(name("requests"), MailboxSettings::default()).await.unwrap();
    store.close().await.unwrap();
    let failed = mailbox.send(NewMessage::new("late")).await;
    assert!(matches!(failed, Err(MailboxError::Connection { .. })), "{failed:?}");
    let failed = mailbox.receive(ReceiveSpec::default()).await;
    assert!(matches!(failed, Err(MailboxError::Connection { .. })), "{failed:?}");
    assert!(mailboxes.open(name("requests"), MailboxSettings::default()).await.is_err());
}

/// What the next delivery gets, the memory of ids and a hand-over survive the process.
#[tokio::test]
async fn a_mailbox_on_disk_survives_a_restart() {
    let disk: Arc<dyn Disk> = Arc::new(SimDisk::new());
    let clock = ManualClock::new(Time::from_secs(1_800_000_000));
    let open = || EmbeddedStore::open_on(Arc::clone(&disk), Path::new("/store"), &options(clock.clone())).unwrap();
    let once = || NewMessage { id: Some(MessageId::new("once").unwrap()), ..NewMessage::new("body") };
    let failed = Verdict::failed("quota", 3);
    let received_at = {
        let store: Arc<dyn Store> = Arc::new(open());
        let mailboxes = StoreMailboxes::new(Arc::clone(&store));
        let requests = mailboxes.open(name("requests"), MailboxSettings::default()).await.unwrap();
        let letters = mailboxes.open(name("letters"), MailboxSettings::of_letters()).await.unwrap();
        requests.send(once()).await.unwrap();
        clock.advance(Span::from_secs(5));
        let got = requests.receive(ReceiveSpec::default()).await.unwrap().remove(0);
        let spec = NackSpec {
            last_error: Some("no".to_owned()),
            verdict: Some(failed.clone()),
            parts: vec!["a".to_owned()],
            ..NackSpec::after(Span::from_secs(9))
        };
        requests.nack(&got.handle, spec).await.unwrap();
        requests.send(NewMessage::new("dies")).await.unwrap();
        let dies = requests.receive(ReceiveSpec::default()).await.unwrap().remove(0);
        let id = Some(MessageId::of_letter(requests.name(), dies.id(), dies.enqueued_at));
        requests.dead_letter(&dies.handle, NewMessage { id, ..NewMessage::new("letter") }, &*letters).await.unwrap();
        store.close().await.unwrap();
        got.first_received_at
    };
    clock.advance(Span::from_secs(9));
    let store: Arc<dyn Store> = Arc::new(open());
    let mailboxes = StoreMailboxes::new(Arc::clone(&store));
    let requests = mailboxes.open(name("requests"), MailboxSettings::default()).await.unwrap();
    let got = requests.receive(ReceiveSpec { max_messages: 10, ..ReceiveSpec::default() }).await.unwrap();
    let [got] = &got[..] else { panic!("{got:?}") };
    assert_eq!(
        (got.last_error.as_deref(), &got.verdict, &got.parts[..]),
        (Some("no"), &Some(failed), &["a".to_owned()][..])
    );
    assert_eq!((got.delivery_count, got.first_received_at), (2, received_at));
    requests.acknowledge(&got.handle).await.unwrap();
    requests.send(once()).await.unwrap();
    assert_eq!(requests.counts().await.unwrap().total(), 0, "the id is remembered");
    let letters = mailboxes.open(name("letters"), MailboxSettings::of_letters()).await.unwrap();
    assert_eq!(letters.counts().await.unwrap().total(), 1);
    store.close().await.unwrap();
}
