//! Records against a store: each becomes a letter, whatever its headers say.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{CaptureReason, Policy, QueueName, SplitMix64, Status, Strategy};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{Content, CreateQueue, FullLetter, GetLetter, GetStats, ListLetters, OnDuplicate, QueueSettings};
use redrive_run::{DeadQueue, StoreLetterBox};
use redrive_store::{Store, SystemClock};

use super::dlq_record::DlqRecord;
use super::ingest::IngestHandler;
use super::tests::{Headers, NOW, REDRIVE, SENT, SPRING, record};
use crate::source_record::SourceRecord;

struct Ingest {
    store: Arc<dyn Store>,
    queue: QueueName,
    handler: IngestHandler,
}

impl Ingest {
    async fn new(change: impl FnOnce(&mut QueueSettings)) -> Self {
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
        let queue = QueueName::new("orders-dead").unwrap();
        let mut settings = QueueSettings::new(queue.clone());
        change(&mut settings);
        store.create_queue(CreateQueue { settings }).await.unwrap();
        let letter_box = Arc::new(StoreLetterBox::new(Arc::clone(&store)));
        let dead_queue = DeadQueue::new(letter_box, queue.clone(), Policy::default());
        Self { store, queue, handler: IngestHandler::new(dead_queue, Arc::new(SystemClock)) }
    }

    /// Ingests a record, twice: after a crash it is read again.
    async fn ingest(&self, record: &DlqRecord) {
        for _ in 0..2 {
            self.handler.capture(record, NOW).await.unwrap();
        }
    }

    async fn letters(&self) -> Vec<FullLetter> {
        let list = ListLetters { queue: self.queue.clone(), statuses: Vec::new(), after: None, limit: 1_000 };
        let mut letters = Vec::new();
        for stored in self.store.letters(list).await.unwrap() {
            let letter = stored.info.letter.unwrap().id;
            letters.push(self.store.letter(GetLetter { queue: self.queue.clone(), letter }).await.unwrap());
        }
        letters
    }

    async fn payloads(&self) -> Vec<Bytes> {
        let mut payloads: Vec<Bytes> =
            self.letters().await.iter().map(|letter| letter.content.payload.clone()).collect();
        payloads.sort();
        payloads
    }
}

fn with_payload(record: &DlqRecord, offset: i64, payload: &'static str) -> DlqRecord {
    let content = Content { payload: Bytes::from_static(payload.as_bytes()), ..Content::clone(&record.content) };
    DlqRecord { offset, content: Arc::new(content), ..record.clone() }
}

/// The headers of the original design have no timestamp.
#[tokio::test]
async fn a_topic_that_was_created_again_has_other_letters() {
    for on_duplicate in [OnDuplicate::Merge, OnDuplicate::Reject, OnDuplicate::NewGeneration] {
        let ingest = Ingest::new(|settings| settings.letters.on_duplicate = Some(on_duplicate)).await;
        let first = record("orders.dlq", SENT, REDRIVE);
        ingest.ingest(&with_payload(&first, 40, "first")).await;
        ingest.ingest(&with_payload(&first, 41, "second")).await;
        // Its DLQ topic was created again, too.
        ingest.ingest(&with_payload(&first, 41, "third")).await;
        ingest.ingest(&with_payload(&first, 40, "fourth")).await;
        assert_eq!(ingest.payloads().await, ["first", "fourth", "second", "third"], "{on_duplicate:?}");
        let letters = ingest.letters().await;
        assert!(letters.iter().all(|letter| letter.info.letter.as_ref().unwrap().status == Status::Pending));
        let names: Vec<_> = letters.iter().map(|letter| letter.context.as_ref().unwrap().origin.name.clone()).collect();
        assert!(names.iter().all(|name| &**name == "orders"), "each can be handed back: {names:?}");
    }
}

#[tokio::test]
async fn headers_of_a_hand_back_that_were_passed_on_hide_no_record() {
    let ingest = Ingest::new(|_| {}).await;
    ingest.ingest(&with_payload(&record("orders.DLT", SENT, SPRING), 40, "an order")).await;
    let first = ingest.letters().await.remove(0).context.unwrap().origin;
    let marks = SourceRecord::of_origin(&first).unwrap().next_headers();
    let forged = |count: &'static str, topic: &'static str| {
        let mut headers: Vec<(&str, &[u8])> =
            marks.iter().map(|header| (header.name.as_str(), &*header.value)).collect();
        headers.push(("redrive-replay-count", count.as_bytes()));
        headers.extend(SPRING);
        for header in headers.iter_mut().filter(|(name, _)| *name == "kafka_dlt-original-topic") {
            header.1 = topic.as_bytes();
        }
        for header in headers.iter_mut().filter(|(name, _)| *name == "kafka_dlt-original-offset") {
            header.1 = &[0, 0, 0, 0, 0, 0, 0x20, 0];
        }
        record("orders.DLT", SENT, &headers)
    };
    // What a program has derived from the record, in its topic and in another one, and a count that no hand-back has.
    ingest.ingest(&with_payload(&forged("1", "orders-enriched"), 41, "an enriched order")).await;
    ingest.ingest(&with_payload(&forged("1", "orders"), 42, "a derived order")).await;
    ingest.ingest(&with_payload(&forged("1000000", "orders"), 43, "an order")).await;
    let expected = ["a derived order", "an enriched order", "an order", "an order"];
    assert_eq!(ingest.payloads().await, expected);
    // The real one is the letter.
    ingest.ingest(&with_payload(&forged("1", "orders"), 44, "an order")).await;
    let letters = ingest.letters().await;
    assert_eq!(letters.len(), 4);
    let replays: Vec<u32> = letters.iter().map(|letter| letter.info.letter.as_ref().unwrap().replays).collect();
    assert_eq!(replays.iter().sum::<u32>(), 1, "{replays:?}");
}

fn metadata<'l>(letter: &'l FullLetter, key: &str) -> Option<&'l str> {
    letter.context.as_ref()?.metadata.get(key)?.as_str()
}

#[tokio::test]
async fn a_record_that_the_dead_queue_refuses_becomes_a_letter_without_the_refused_parts() {
    let ingest = Ingest::new(|settings| settings.letters.letter_bytes_max = Some(400 * 1024)).await;
    let long = "x".repeat(70 * 1024);
    let headers: Headers<'_> = &[("a", b"1"), ("long", long.as_bytes()), ("b", b"2")];
    ingest.ingest(&record("dlq", SENT, headers)).await;
    let letter = ingest.letters().await.remove(0);
    let names: Vec<&str> = letter.content.headers.iter().map(|header| header.name.as_str()).collect();
    assert_eq!((names, &*letter.content.payload), (vec!["a", "b"], &b"{\"order\":7}"[..]));
    assert_eq!(metadata(&letter, "kafka_removed"), Some("1 of 3 headers"));
    assert_eq!(metadata(&letter, "kafka_dlq"), Some("dlq/2/40"));

    // A source that the headers name does not change that, nor does its letter.
    let ingest = Ingest::new(|settings| settings.letters.letter_bytes_max = Some(400 * 1024)).await;
    let mut large = record("orders.DLT", SENT, SPRING);
    let content = Arc::get_mut(&mut large.content).unwrap();
    content.payload = vec![b'y'; 500 * 1024].into();
    content.key = Some(vec![b'k'; 65 * 1024].into());
    ingest.ingest(&large).await;
    let letter = ingest.letters().await.remove(0);
    assert_eq!((letter.content.payload.len(), &letter.content.key), (0, &None));
    assert_eq!(letter.content.headers.len(), 1, "what fits is kept");
    let removed = "the payload of 512000 bytes, the key of 66560 bytes";
    assert_eq!(metadata(&letter, "kafka_removed"), Some(removed));
    assert_eq!(letter.info.source_id.as_deref(), Some(&*format!("orders.DLT/2/40@{SENT}")));
    assert_eq!(&*letter.context.unwrap().origin.name, "orders");

    // Nothing fits.
    let ingest = Ingest::new(|settings| settings.letters.letter_bytes_max = Some(4)).await;
    ingest.ingest(&record("orders.DLT", SENT, SPRING)).await;
    let letter = ingest.letters().await.remove(0);
    assert_eq!((letter.content.bytes(), ingest.letters().await.len()), (0, 1));
}

#[tokio::test]
async fn an_ingest_skips_no_category() {
    for strategy in [Strategy::Selective, Strategy::Manual] {
        let ingest = Ingest::new(|settings| settings.letters.strategy = Some(strategy)).await;
        ingest.ingest(&record("orders.DLT", SENT, SPRING)).await;
        let invalid = ("x-error-reason", &b"invalid order: validation failed"[..]);
        ingest.ingest(&record("orders.dlq", SENT, &[invalid])).await;
        assert_eq!(ingest.letters().await.len(), 2, "{strategy:?}");
    }
    let ingest = Ingest::new(|settings| settings.letters.strategy = Some(Strategy::Disabled)).await;
    let refused = ingest.handler.capture(&record("orders.DLT", SENT, SPRING), NOW).await.unwrap_err();
    assert_eq!(refused.reason, CaptureReason::Disabled, "a disabled queue takes nothing, and nothing is committed");
}

#[tokio::test]
async fn random_headers_never_prevent_a_letter() {
    for seed in redrive_testkit::seeds(2) {
        random_headers_make_letters(SplitMix64::new(seed.number())).await;
    }
}

async fn random_headers_make_letters(mut random: SplitMix64) {
    let ingest = Ingest::new(|_| {}).await;
    let others = ["redrive-letter-id", "redrive-category", "redrive-error-type", "redrive-replay-version"];
    let replays = ["redrive-replay-count", "redrive-replay-topic", "redrive-replay-partition", "redrive-replay-offset"];
    let connect = ["__connect.errors.topic", "__connect.errors.partition", "__connect.errors.offset"];
    let known: Vec<&str> =
        SPRING.iter().chain(REDRIVE).map(|(name, _)| *name).chain(others).chain(replays).chain(connect).collect();
    let fixed: [&[u8]; 6] = [b"orders", b"3", b"1", b"4294967295", b"", &[0, 0, 0, 3]];
    let mut pick = |count: usize| usize::try_from(random.next() % count as u64).unwrap();
    for offset in 0..150 {
        let headers: Vec<(&str, Vec<u8>)> = (0..pick(12))
            .map(|_| {
                let name = known[pick(known.len())];
                let len = [1, 5, 10, 600, 70_000][pick(5)];
                let value = match pick(3) {
                    0 => fixed[pick(fixed.len())].to_vec(),
                    1 => vec![b'a' + u8::try_from(pick(26)).unwrap(); len],
                    _ => (0..pick(10)).map(|_| u8::try_from(pick(256)).unwrap()).collect(),
                };
                (name, value)
            })
            .collect();
        let headers: Vec<(&str, &[u8])> = headers.iter().map(|(name, value)| (*name, value.as_slice())).collect();
        let payload = format!("payload {offset}");
        let mut found = record("any.DLT", SENT, &headers);
        Arc::get_mut(&mut found.content).unwrap().payload = payload.clone().into();
        ingest.ingest(&DlqRecord { offset, ..found }).await;
        let stats = ingest.store.stats(GetStats { queue: ingest.queue.clone() }).await.unwrap();
        let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
        assert_eq!(stats.letters.live(), offset.unsigned_abs() + 1, "one letter for each record: {names:?}");
    }
}
