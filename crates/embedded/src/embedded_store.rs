//! The embedded store from outside.

use std::collections::{BTreeSet, VecDeque};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};

use async_trait::async_trait;
use redrive_core::QueueName;
use redrive_journal::{AppendError, Batch, Disk, Journal, RealDisk, Report, Seq, Use};
use redrive_model::{CaptureBatch, CorruptRecord, KeyWrite};
use redrive_queue::{Facts, State};
use redrive_store::{FreezeQueues, Reply, Request, Store, StoreError, StoreStatus};
use tokio::sync::{oneshot, watch};

use crate::answer::place;
use crate::documents::Documents;
use crate::feed_waiters::FeedWaiters;
use crate::frozen_queues::FrozenQueues;
use crate::lease_waiters::LeaseWaiters;
use crate::log::{Log, fill};
use crate::message::{Message, QueuedRequest};
use crate::options::{EmbeddedOptions, Vitals};
use crate::persistence::Persistence;
use crate::readers::Readers;
use crate::reply::{AbandonedLeases, ReplyTo, Taking, UnreadReply};
use crate::retention_notices::RetentionNotices;
use crate::writer::{Limits, Mode, Random, UnderWay, Writer};

/// The embedded store. Clones are the same store; it ends when it is closed, or with the last clone.
#[derive(Debug, Clone)]
pub struct EmbeddedStore {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    writer: SyncSender<Message>,
    returns: Arc<AbandonedLeases>,
    vitals: Arc<Vitals>,
    forgotten: Arc<RetentionNotices>,
    report: Report,
    is_durable: bool,
    closed: watch::Receiver<Option<Result<(), StoreError>>>,
}

/// The store could not be opened. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreOpenError {
    #[error("{0} is invalid: {1}")]
    Options(&'static str, String),
    #[error(transparent)]
    Journal(#[from] redrive_journal::OpenError),
    #[error("the log is whole, but what it says does not fit together: {0}")]
    Broken(#[from] CorruptRecord),
    /// Written by a version with another format.
    #[error(transparent)]
    Format(CorruptRecord),
    #[error("the first record of the store could not be written")]
    FirstRecord(#[source] AppendError),
    #[error("a thread could not be started")]
    Thread(#[source] std::io::Error),
}

impl EmbeddedStore {
    /// A store that lives in memory and ends with the process.
    pub fn in_memory(options: &EmbeddedOptions) -> Result<Self, StoreOpenError> {
        check(options)?;
        Self::start(options, State::new(), Report::default(), |_, _, _| Ok(Persistence::Memory(Documents::default())))
    }

    /// Opens or makes the store in a directory.
    pub fn open(directory: &Path, options: &EmbeddedOptions) -> Result<Self, StoreOpenError> {
        Self::open_on(Arc::new(RealDisk), directory, options)
    }

    /// Opens or makes the store in a directory of a disk.
    pub fn open_on(disk: Arc<dyn Disk>, directory: &Path, options: &EmbeddedOptions) -> Result<Self, StoreOpenError> {
        check(options)?;
        let layout = redrive_journal::Options { segment_bytes: options.segment_bytes, spares: 1 };
        let (mut state, mut refused) = (None, None);
        let opened = Journal::open(disk, directory, layout, |record| {
            // Where the first record is not the first of all, recovery begins at a recovery point.
            let begun = || if record.seq > Seq::FIRST { State::recovering() } else { State::new() };
            let place = place(record.location);
            state.get_or_insert_with(begun).recover(record.kind, record.body, place).map_err(|error| {
                refused = Some(error);
                error.into()
            })
        });
        let (mut journal, report) = opened.map_err(|error| match refused {
            Some(refused) if refused.is_of_other_format() => StoreOpenError::Format(refused),
            _ => StoreOpenError::Journal(error),
        })?;
        if state.is_none() {
            begin(&mut journal).map_err(StoreOpenError::FirstRecord)?;
        }
        let mut state = state.unwrap_or_default();
        state.recovered()?;
        if let Some(cut) = &report.cut {
            tracing::warn!(file = %cut.file.display(), offset = cut.offset, "a batch at the end was not whole, and was cut");
        }
        Self::start(options, state, report, |state, writer, vitals| {
            Log::new(journal, state, options, writer, vitals).map(|log| Persistence::Log(Box::new(log)))
        })
    }

    fn start(
        options: &EmbeddedOptions,
        mut state: State,
        report: Report,
        persistence: impl FnOnce(&State, SyncSender<Message>, Arc<Vitals>) -> std::io::Result<Persistence>,
    ) -> Result<Self, StoreOpenError> {
        state.set_letter_settings(options.letters.clone());
        state.set_answer_limits(options.answers);
        let (sender, inbox) = sync_channel(options.requests_max);
        let vitals = Arc::new(Vitals::default());
        vitals.damaged.store(state.damaged() as u64, Ordering::Relaxed);
        let forgotten = Arc::new(RetentionNotices::default());
        let (is_closed, closed) = watch::channel(None);
        let returns = Arc::new(AbandonedLeases::new(sender.clone()));
        let persistence = persistence(&state, sender.clone(), Arc::clone(&vitals)).map_err(StoreOpenError::Thread)?;
        let is_durable = matches!(persistence, Persistence::Log(_));
        let writer = Writer {
            state,
            persistence,
            inbox,
            returns: Arc::clone(&returns),
            readers: Readers::start(&sender).map_err(StoreOpenError::Thread)?,
            damaged: VecDeque::new(),
            under_way: UnderWay::default(),
            now: options.clock.monotonic(),
            clock: Arc::clone(&options.clock),
            random: Random(options.seed.unwrap_or_else(seed)),
            limits: Limits::of_segment(options.segment_bytes),
            vitals: Arc::clone(&vitals),
            facts: Facts::new(),
            waiting: LeaseWaiters::default(),
            listening: FeedWaiters::default(),
            forgotten: Arc::clone(&forgotten),
            first: VecDeque::new(),
            frozen_queues: FrozenQueues::default(),
            held_back: Vec::new(),
            mode: Mode::Working,
            postponed: None,
            unserved: BTreeSet::new(),
            owes_upkeep: false,
            is_stuck: false,
            is_saving: false,
            is_unproven: false,
            idle_proof: options.idle_proof,
            closed: is_closed,
        };
        std::thread::Builder::new()
            .name("redrive-writer".to_owned())
            .spawn(move || writer.run())
            .map_err(StoreOpenError::Thread)?;
        let wake = sender.clone();
        options.clock.on_move(Arc::new(move || {
            // A writer with a full inbox looks at the clock anyway.
            let _is_awake = wake.try_send(Message::Wake);
        }));
        let writer = sender;
        Ok(Self { shared: Arc::new(Shared { writer, returns, vitals, forgotten, report, is_durable, closed }) })
    }

    /// How the store fares.
    pub fn status(&self) -> StoreStatus {
        self.shared.vitals.status()
    }

    async fn set_frozen(&self, queue: QueueName, is_frozen: bool) -> Result<(), StoreError> {
        let (done, heard) = oneshot::channel();
        match self.shared.writer.try_send(Message::Freeze { queue, is_frozen, done }) {
            Ok(()) => heard.await.unwrap_or(Err(StoreError::Closed)),
            Err(TrySendError::Full(_)) => Err(StoreError::Overloaded),
            Err(TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }

    /// What was found when the store was opened: a batch that was cut, for instance.
    pub fn report(&self) -> &Report {
        &self.shared.report
    }
}

#[async_trait]
impl FreezeQueues for EmbeddedStore {
    async fn freeze(&self, queue: QueueName) -> Result<(), StoreError> {
        self.set_frozen(queue, true).await
    }

    async fn unfreeze(&self, queue: QueueName) -> Result<(), StoreError> {
        self.set_frozen(queue, false).await
    }
}

#[async_trait]
impl Store for EmbeddedStore {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let letters = match &request {
            Request::Capture(capture) => Some(capture.letters.clone()),
            _ => None,
        };
        let queue = match &request {
            Request::Lease(lease) => Some(&lease.queue),
            Request::ClaimDue(claim) => Some(&claim.queue),
            Request::ClaimById(claim) => Some(&claim.queue),
            _ => None,
        };
        let returns = || Arc::clone(&self.shared.returns);
        let (reply, answer) = ReplyTo::new(queue.map(|queue| Taking { queue: queue.clone(), returns: returns() }));
        let request = QueuedRequest::new(request, along, reply);
        match self.shared.writer.try_send(Message::Request(request)) {
            Ok(()) => {
                if let Some(letters) = &letters {
                    prepare(letters, &answer).await;
                }
                answer.await.map_or(Err(StoreError::Closed), UnreadReply::open)
            }
            Err(TrySendError::Full(_)) => Err(StoreError::Overloaded),
            Err(TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }

    fn status(&self) -> Option<StoreStatus> {
        Some(Self::status(self))
    }

    fn is_durable(&self) -> bool {
        self.shared.is_durable
    }

    async fn retention_notices(&self) -> BTreeSet<QueueName> {
        self.shared.forgotten.heard().await
    }

    async fn close(&self) -> Result<(), StoreError> {
        // One that is closed already, or is being closed, says how that went, too.
        let _closed_already = self.shared.writer.send(Message::Close);
        let mut closed = self.shared.closed.clone();
        let outcome = closed.wait_for(Option::is_some).await.map_err(|_| StoreError::Closed)?;
        outcome.clone().unwrap_or(Err(StoreError::Closed))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // A writer that has ended needs no telling.
        let _ended = self.writer.send(Message::Close);
    }
}

/// After the letter with which it is so many bytes, whoever else waits for this thread has its turn.
const BYTES_AT_ONCE: usize = 256 * 1024;

/// What the writer would have to do for each letter, whoever waits for it does, until it is answered: the writer is one, and
/// those are many.
async fn prepare(letters: &CaptureBatch, answer: &oneshot::Receiver<UnreadReply>) {
    let mut bytes = 0;
    for more in letters.prepare().take_while(|_| answer.is_empty()) {
        bytes += more;
        if bytes >= BYTES_AT_ONCE {
            bytes = 0;
            tokio::task::yield_now().await;
        }
    }
}

fn check(options: &EmbeddedOptions) -> Result<(), StoreOpenError> {
    let (least, most) = (EmbeddedOptions::SEGMENT_BYTES_MIN, redrive_journal::Options::SEGMENT_BYTES_MAX);
    if !(least..=most).contains(&options.segment_bytes) {
        let allowed = format!("{} given, {least} to {most} allowed", options.segment_bytes);
        return Err(StoreOpenError::Options("segment_bytes", allowed));
    }
    if !(1..=EmbeddedOptions::REQUESTS_MAX).contains(&options.requests_max) {
        let allowed = format!("{} given, 1 to {} allowed", options.requests_max, EmbeddedOptions::REQUESTS_MAX);
        return Err(StoreOpenError::Options("requests_max", allowed));
    }
    Ok(())
}

/// Writes the first record of a new store.
fn begin(journal: &mut Journal) -> Result<(), AppendError> {
    let mut batch = Batch::new();
    fill(&mut batch, &Facts::of_new_store())?;
    journal.append(&mut batch, Use::Ordinary).map(drop)
}

/// A number that differs from process to process.
fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
