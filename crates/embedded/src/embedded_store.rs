//! The public API of the embedded store.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};

use async_trait::async_trait;
use redrive_core::{QueueName, SplitMix64};
use redrive_journal::{AppendError, Batch, Disk, DiskSpace, Journal, RealDisk, Report, Seq, Use};
use redrive_model::{CaptureBatch, CorruptRecord, KeyWrite};
use redrive_queue::{Facts, State};
use redrive_store::{Reply, Request, Store, StoreError, StoreStatus, random_seed};
use tokio::sync::{oneshot, watch};

use crate::answer::place;
use crate::documents::Documents;
use crate::feed_waiters::FeedWaiters;
#[cfg(feature = "test-mode")]
use crate::frozen_queues::FrozenQueues;
use crate::lease_waiters::LeaseWaiters;
use crate::log::{Log, fill};
use crate::message::{Message, QueuedRequest};
use crate::options::{EmbeddedOptions, LiveStatus};
use crate::persistence::Persistence;
use crate::readers::Readers;
use crate::reply::{AbandonedLeases, LeaseReturn, ReplyTo, UnreadReply};
use crate::retention_notices::RetentionNotices;
use crate::writer::{Limits, Mode, ReadAheadRuns, Writer};

/// The embedded store. Clones share one store. It shuts down when it is closed, or when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct EmbeddedStore {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    writer: SyncSender<Message>,
    abandoned: Arc<AbandonedLeases>,
    status: Arc<LiveStatus>,
    location: Option<StoreLocation>,
    retention_notices: Arc<RetentionNotices>,
    report: Report,
    is_durable: bool,
    closed: watch::Receiver<Option<Result<(), StoreError>>>,
}

/// Where a store on disk is.
#[derive(Debug)]
struct StoreLocation {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
}

/// The store could not be opened. No acknowledged data was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreOpenError {
    #[error("{0} is invalid: {1}")]
    Options(&'static str, String),
    #[error(transparent)]
    Journal(#[from] redrive_journal::OpenError),
    #[error("the log is intact, but its records are inconsistent: {0}")]
    Broken(#[from] CorruptRecord),
    /// The store was written by a version with another format.
    #[error(transparent)]
    Format(CorruptRecord),
    /// There is no disk space for a new store. Opening an existing store needs none.
    #[error(
        "the disk is full: a new store takes {bytes} bytes in {}; free disk space there, or choose another directory",
        directory.display()
    )]
    Full { directory: PathBuf, bytes: usize },
    #[error("the first record of the store could not be written")]
    FirstRecord(#[source] AppendError),
    #[error("a thread could not be started")]
    Thread(#[source] std::io::Error),
}

impl StoreOpenError {
    /// Whether the disk is full. The store is then unchanged and needs no repair.
    pub const fn is_full(&self) -> bool {
        matches!(self, Self::Full { .. } | Self::Journal(redrive_journal::OpenError::Full { .. }))
    }
}

impl StoreLocation {
    fn space(&self) -> Option<DiskSpace> {
        let space = self.disk.space(&self.directory);
        space.unwrap_or_else(|error| {
            tracing::warn!(directory = %self.directory.display(), %error, "failed to read the space of the file system");
            None
        })
    }
}

impl EmbeddedStore {
    /// Creates a store in memory. Its content is lost when the process ends.
    pub fn in_memory(options: &EmbeddedOptions) -> Result<Self, StoreOpenError> {
        options.check()?;
        Self::start(options, None, State::new(), Report::default(), |_, _, _| {
            Ok(Persistence::Memory(Documents::default()))
        })
    }

    /// Opens or creates the store in a directory.
    pub fn open(directory: &Path, options: &EmbeddedOptions) -> Result<Self, StoreOpenError> {
        Self::open_on(Arc::new(RealDisk), directory, options)
    }

    /// Opens or creates the store in a directory of the given disk.
    pub fn open_on(disk: Arc<dyn Disk>, directory: &Path, options: &EmbeddedOptions) -> Result<Self, StoreOpenError> {
        options.check()?;
        let location = StoreLocation { disk: Arc::clone(&disk), directory: directory.to_owned() };
        let layout = redrive_journal::Options { segment_bytes: options.segment_bytes, spares: 1 };
        let (mut state, mut rejected) = (None, None);
        let opened = Journal::open(disk, directory, layout, |record| {
            // If this is not the very first record of the log, recovery begins at a checkpoint.
            let begun = || if record.seq > Seq::FIRST { State::recovering() } else { State::new() };
            let place = place(record.location);
            state.get_or_insert_with(begun).recover(record.kind, record.body, place).map_err(|error| {
                rejected = Some(error);
                error.into()
            })
        });
        let (mut journal, report) = opened.map_err(|error| match rejected {
            Some(rejected) if rejected.is_of_other_format() => StoreOpenError::Format(rejected),
            _ => StoreOpenError::Journal(error),
        })?;
        if state.is_none() {
            begin(&mut journal).map_err(|error| match error {
                AppendError::Full { .. } => {
                    StoreOpenError::Full { directory: directory.to_owned(), bytes: options.segment_bytes }
                }
                error => StoreOpenError::FirstRecord(error),
            })?;
        }
        let mut state = state.unwrap_or_default();
        state.recovered()?;
        if let Some(cut) = &report.cut {
            tracing::warn!(file = %cut.file.display(), offset = cut.offset, "cut an incomplete batch off the end of the log");
        }
        Self::start(options, Some(location), state, report, |state, writer, status| {
            Log::new(journal, state, options, writer, status).map(|log| Persistence::Log(Box::new(log)))
        })
    }

    fn start(
        options: &EmbeddedOptions,
        location: Option<StoreLocation>,
        mut state: State,
        report: Report,
        persistence: impl FnOnce(&State, SyncSender<Message>, Arc<LiveStatus>) -> std::io::Result<Persistence>,
    ) -> Result<Self, StoreOpenError> {
        state.set_letter_settings(options.letters.clone());
        state.set_answer_limits(options.answers);
        let (sender, inbox) = sync_channel(options.requests_max);
        let status = Arc::new(LiveStatus::default());
        status.damaged.store(state.damaged() as u64, Ordering::Relaxed);
        let retention_notices = Arc::new(RetentionNotices::default());
        let (is_closed, closed) = watch::channel(None);
        let abandoned = Arc::new(AbandonedLeases::new(sender.clone()));
        let persistence = persistence(&state, sender.clone(), Arc::clone(&status)).map_err(StoreOpenError::Thread)?;
        let is_durable = matches!(persistence, Persistence::Log(_));
        let writer = Writer {
            state,
            persistence,
            inbox,
            abandoned: Arc::clone(&abandoned),
            readers: Readers::start(&sender).map_err(StoreOpenError::Thread)?,
            damaged: VecDeque::new(),
            read_ahead_runs: ReadAheadRuns::default(),
            now: options.clock.monotonic(),
            clock: Arc::clone(&options.clock),
            random: SplitMix64::new(options.seed.unwrap_or_else(random_seed)),
            limits: Limits::of_segment(options.segment_bytes),
            status: Arc::clone(&status),
            facts: Facts::new(),
            waiting: LeaseWaiters::default(),
            listening: FeedWaiters::default(),
            retention_notices: Arc::clone(&retention_notices),
            deferred: VecDeque::new(),
            #[cfg(feature = "test-mode")]
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
            // A writer with a full inbox is not asleep and reads the clock for each batch anyway.
            let _is_awake = wake.try_send(Message::Wake);
        }));
        let writer = sender;
        Ok(Self {
            shared: Arc::new(Shared {
                writer,
                abandoned,
                status,
                location,
                retention_notices,
                report,
                is_durable,
                closed,
            }),
        })
    }

    /// The current status and counters of the store.
    pub fn status(&self) -> StoreStatus {
        let space = self.shared.location.as_ref().and_then(StoreLocation::space);
        StoreStatus {
            disk_free_bytes: space.map(|space| space.free),
            disk_total_bytes: space.map(|space| space.total),
            ..self.shared.status.snapshot()
        }
    }

    #[cfg(feature = "test-mode")]
    async fn set_frozen(&self, queue: QueueName, is_frozen: bool) -> Result<(), StoreError> {
        let (tx, rx) = oneshot::channel();
        match self.shared.writer.try_send(Message::Freeze { queue, is_frozen, reply: tx }) {
            Ok(()) => rx.await.unwrap_or(Err(StoreError::Closed)),
            Err(TrySendError::Full(_)) => Err(StoreError::Overloaded),
            Err(TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }

    /// The journal's report of opening, for example an incomplete batch that was cut off.
    pub fn report(&self) -> &Report {
        &self.shared.report
    }
}

#[cfg(feature = "test-mode")]
#[async_trait]
impl redrive_store::FreezeQueues for EmbeddedStore {
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
            Request::LeaseByMessageId(lease) => Some(&lease.queue),
            Request::ClaimDue(claim) => Some(&claim.queue),
            Request::ClaimById(claim) => Some(&claim.queue),
            _ => None,
        };
        let abandoned = || Arc::clone(&self.shared.abandoned);
        let (reply, answer) =
            ReplyTo::new(queue.map(|queue| LeaseReturn { queue: queue.clone(), abandoned: abandoned() }));
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
        self.shared.retention_notices.next().await
    }

    async fn close(&self) -> Result<(), StoreError> {
        // If the store is already closed or closing, the result of that is returned below.
        let _closed_already = self.shared.writer.send(Message::Close);
        let mut closed = self.shared.closed.clone();
        let outcome = closed.wait_for(Option::is_some).await.map_err(|_| StoreError::Closed)?;
        outcome.clone().unwrap_or(Err(StoreError::Closed))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // An error means that the writer has already ended.
        let _ended = self.writer.send(Message::Close);
    }
}

/// After preparing this many bytes, the task yields to other tasks of its thread.
const BYTES_AT_ONCE: usize = 256 * 1024;

/// Prepares letters (hashing and encoding) on the caller's thread while it waits for the answer, until it is answered.
/// Otherwise the single writer thread would have to do it for all callers.
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

impl EmbeddedOptions {
    /// Checks the options as opening a store does.
    ///
    /// # Errors
    ///
    /// [`StoreOpenError::Options`] if one is out of range.
    pub fn check(&self) -> Result<(), StoreOpenError> {
        let (least, most) = (Self::SEGMENT_BYTES_MIN, redrive_journal::Options::SEGMENT_BYTES_MAX);
        if !(least..=most).contains(&self.segment_bytes) {
            let allowed = format!("{} given, {least} to {most} allowed", self.segment_bytes);
            return Err(StoreOpenError::Options("segment_bytes", allowed));
        }
        if !(1..=Self::REQUESTS_MAX).contains(&self.requests_max) {
            let allowed = format!("{} given, 1 to {} allowed", self.requests_max, Self::REQUESTS_MAX);
            return Err(StoreOpenError::Options("requests_max", allowed));
        }
        Ok(())
    }
}

/// Writes the first record of a new store.
fn begin(journal: &mut Journal) -> Result<(), AppendError> {
    let mut batch = Batch::new();
    fill(&mut batch, &Facts::of_new_store())?;
    journal.append(&mut batch, Use::Ordinary).map(drop)
}
