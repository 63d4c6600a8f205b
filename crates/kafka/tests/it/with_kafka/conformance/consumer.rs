//! A consumer group over one partition in the conformance suite.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use redrive_core::Span;
use redrive_kafka::{KafkaSettings, KafkaSource, PartitionSnapshot, RecordFence};
use redrive_model::{Content, DestinationFilter};
use redrive_run::conformance::{Abilities, Destinations, Fate, NewWork, Records, SourceHarness, SourceUnderTest};
use redrive_run::{ClaimSpec, Source};
use redrive_store::ManualClock;
use tokio::sync::OnceCell;

use super::clients::CLIENTS;
use super::committed::{CommitReader, CommittedOffsets};
use super::dlq_topic::{DLQ_SETTINGS, DlqTopic};
use super::letters::LetterTarget;
use super::observed::{ObservedSource, SettleObservations};
use super::stores::StoredLetters;
use crate::fixture::{Cluster, WITHIN};

/// Where the letters go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConsumerHarness {
    DlqTopics,
    DeadQueue,
}

#[async_trait]
impl SourceHarness for ConsumerHarness {
    type Bench = ConsumerBench;

    async fn open(&self, clock: ManualClock) -> ConsumerBench {
        static FOREIGN: OnceCell<RecordFence> = OnceCell::const_new();
        let foreign = *FOREIGN.get_or_init(fence_of_another_consumer).await;
        ConsumerBench::open(*self, clock, Some(foreign)).await
    }
}

/// A valid fence of a consumer that no case uses.
async fn fence_of_another_consumer() -> RecordFence {
    let clock = ManualClock::new(redrive_core::Time::from_secs(1_000));
    let bench = ConsumerBench::open(ConsumerHarness::DeadQueue, clock, None).await;
    bench.put(NewWork { content: Content::of_payload(Bytes::from_static(b"a")), ..NewWork::default() }).await;
    let claim = ClaimSpec { count: 1, scope: DestinationFilter::all() };
    let fence = bench.source().claim(claim).await.unwrap()[0].fence;
    bench.current().close().await;
    fence
}

pub(crate) struct ConsumerBench {
    cluster: Cluster,
    topic: String,
    settings: KafkaSettings,
    clock: ManualClock,
    source: Mutex<KafkaSource>,
    observations: Arc<SettleObservations>,
    letters: LetterTarget,
    commits: CommitReader,
    /// The offsets of the work that was put in, by payload.
    offsets: Mutex<BTreeMap<Bytes, Vec<i64>>>,
    foreign: Option<RecordFence>,
}

impl ConsumerBench {
    async fn open(harness: ConsumerHarness, clock: ManualClock, foreign: Option<RecordFence>) -> Self {
        let cluster = Cluster::shared();
        let topic = cluster.name("suite");
        let letters = match harness {
            ConsumerHarness::DeadQueue => {
                CLIENTS.create(&[(&topic, &[])]).await;
                LetterTarget::Queue(StoredLetters::new(&clock).await)
            }
            ConsumerHarness::DlqTopics => {
                let dlq = format!("{topic}.dlq");
                CLIENTS.create(&[(&topic, &[]), (&dlq, DLQ_SETTINGS)]).await;
                LetterTarget::Topic(DlqTopic::new(dlq))
            }
        };
        let mut settings = KafkaSettings {
            commit_interval: Span::from_millis(10),
            // Nothing runs that could finish: a revoked claim is at its end.
            max_revoke_grace: Span::ZERO,
            dlq_target: letters.dlq_target(),
            ..cluster.settings(&topic)
        };
        if let LetterTarget::Topic(_) = letters {
            settings.producer_properties.insert("linger.ms".to_owned(), "0".to_owned());
        }
        let commits = CommitReader::new(&settings.group_id, &topic);
        let source = Mutex::new(join(&settings, &letters, &clock).await);
        let (observations, offsets) = (Arc::default(), Mutex::default());
        Self { cluster, topic, settings, clock, source, observations, letters, commits, offsets, foreign }
    }

    fn current(&self) -> KafkaSource {
        self.source.lock().unwrap().clone()
    }

    /// The only partition, once it is assigned.
    fn partition(&self) -> Option<PartitionSnapshot> {
        self.current().snapshot().partitions.into_iter().find(|partition| !partition.is_draining)
    }

    /// Waits until the consumer has read everything that was put in.
    async fn read_to_end(&self) {
        let end = self.offsets.lock().unwrap().values().flatten().map(|offset| offset + 1).max().unwrap_or(0);
        soon("the consumer reads to the end", || {
            self.partition().filter(|partition| partition.next_offset.or(partition.committed).unwrap_or(0) >= end)
        })
        .await;
    }

    /// Leaves the group, and joins it again.
    async fn rejoin(&self) {
        self.current().close().await;
        let source = join(&self.settings, &self.letters, &self.clock).await;
        *self.source.lock().unwrap() = source;
        self.read_to_end().await;
    }

    async fn is_open(&self, offset: i64) -> bool {
        let partition = soon("the partition is assigned", || self.partition()).await;
        let first_open = partition.blocking.as_ref().map(|blocking| blocking.offset);
        let open = open_records(&partition);
        match (first_open, partition.gaps) {
            (None, _) => false,
            (Some(first), _) if offset <= first || open == 1 => offset == first,
            (Some(_), 0) => true,
            // The snapshot does not name the records that are done above an open one: the next commit does.
            (Some(_), _) => !self.committed().await.done.contains(&offset),
        }
    }

    /// The commit of the present state. A record that is done stays done, so a commit of as many records is the newest.
    async fn committed(&self) -> CommittedOffsets {
        soon("the present state is committed", || {
            let partition = self.partition()?;
            let (position, next) = (partition.position?, partition.next_offset?);
            let done = usize::try_from(next - position).unwrap() - open_records(&partition);
            let committed = tokio::task::block_in_place(|| self.commits.read(&self.cluster));
            (committed.position == position && committed.done.len() == done).then_some(committed)
        })
        .await
    }
}

fn open_records(partition: &PartitionSnapshot) -> usize {
    partition.running + partition.queued + partition.waiting + partition.dlq_pending
}

async fn join(settings: &KafkaSettings, letters: &LetterTarget, clock: &ManualClock) -> KafkaSource {
    let dead_queue = letters.dead_queue(settings.policy().unwrap());
    KafkaSource::open_with_clock(settings.clone(), dead_queue, Arc::new(clock.clone())).await.unwrap()
}

/// Waits for a value, in steps that are short compared with a round trip to the broker.
async fn soon<T>(what: &str, mut value: impl FnMut() -> Option<T>) -> T {
    let waiting = async {
        loop {
            match value() {
                Some(value) => return value,
                None => tokio::time::sleep(Duration::from_millis(1)).await,
            }
        }
    };
    tokio::time::timeout(WITHIN, waiting).await.unwrap_or_else(|_| panic!("timed out: {what}"))
}

#[async_trait]
impl SourceUnderTest for ConsumerBench {
    type Fence = RecordFence;

    fn abilities(&self) -> Abilities {
        Abilities {
            destinations: Destinations::One(Arc::from(self.settings.group_id.as_str())),
            is_ordered: true,
            records: Records::NewestError,
            can_revoke: true,
            signals_revocation: true,
            can_lose_answers: true,
            can_refuse_letters: true,
            can_restart: true,
            ..Abilities::default()
        }
    }

    fn source(&self) -> Arc<dyn Source<Fence = RecordFence>> {
        Arc::new(ObservedSource { source: self.current(), observations: Arc::clone(&self.observations) })
    }

    async fn put(&self, work: NewWork) {
        let offset = CLIENTS.produce(&self.topic, &work.content).await.unwrap();
        self.offsets.lock().unwrap().entry(work.content.payload).or_default().push(offset);
        self.read_to_end().await;
    }

    async fn fate(&self, payload: &Bytes) -> Fate {
        let offsets = self.offsets.lock().unwrap().get(payload).cloned();
        let Some(offsets) = offsets else { return Fate { is_open: false, letters: Vec::new() } };
        let mut is_open = false;
        for offset in offsets {
            is_open |= self.is_open(offset).await;
        }
        // Read in this order: a letter exists before its record is done.
        let letters = match self.observations.has_requested_letters.load(Ordering::Relaxed) {
            true => self.letters.find(payload).await,
            false => Vec::new(),
        };
        Fate { is_open, letters }
    }

    /// The partition is revoked and assigned again, as the group does it when its only member leaves and joins.
    async fn revoke(&self, _payload: &Bytes) {
        self.rejoin().await;
    }

    async fn lose_next_answer(&self) {
        self.observations.loses_next_answer.store(true, Ordering::Relaxed);
    }

    async fn refuse_letters(&self, refuse: bool) {
        self.letters.refuse(refuse).await;
    }

    /// A stop with a last commit. After a crash, what ended since the last commit would run again: `Durability` says so.
    async fn restart(&self) {
        self.rejoin().await;
    }

    /// A fence of another consumer of the process: the numbers of their assignments must not be mixed up.
    fn garbage_fence(&self) -> Option<RecordFence> {
        self.foreign
    }
}
