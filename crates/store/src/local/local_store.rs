//! The embedded store from outside.

use std::collections::{BTreeSet, VecDeque};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};

use async_trait::async_trait;
use redrive_core::QueueName;
use redrive_journal::{Disk, Journal, RealDisk, Report, Seq};
use redrive_queue::{Facts, KeyWrite, NewLetters, Place, State};
use tokio::sync::{oneshot, watch};

use super::documents::Documents;
use super::forgotten::Forgotten;
use super::keeper::Keeper;
use super::listening::Listening;
use super::log::Log;
use super::message::{Message, Request};
use super::options::{Options, Status, Vitals};
use super::readers::Readers;
use super::reply::{Parcel, ReplyTo, Returns, Taking};
use super::standstill::Standstill;
use super::waiting::Waiting;
use super::writer::{Limits, Mode, Random, UnderWay, Writer};
use crate::{Operation, Reply, Store, StoreError};

/// The embedded store. Clones are the same store; it ends when it is closed, or with the last clone.
#[derive(Debug, Clone)]
pub struct LocalStore {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    writer: SyncSender<Message>,
    returns: Arc<Returns>,
    vitals: Arc<Vitals>,
    forgotten: Arc<Forgotten>,
    report: Report,
    is_durable: bool,
    closed: watch::Receiver<Option<Result<(), StoreError>>>,
}

/// The store could not be opened. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0} is invalid: {1}")]
    Options(&'static str, String),
    #[error(transparent)]
    Journal(#[from] redrive_journal::OpenError),
    #[error("the log is whole, but what it says does not fit together: {0}")]
    Broken(#[from] redrive_queue::Broken),
    #[error("a thread could not be started")]
    Thread(#[source] std::io::Error),
}

impl LocalStore {
    /// A store that lives in memory and ends with the process.
    pub fn in_memory(options: &Options) -> Result<Self, OpenError> {
        check(options)?;
        Self::start(options, State::new(), Report::default(), |_, _, _| Ok(Keeper::Memory(Documents::default())))
    }

    /// Opens or makes the store in a directory.
    pub fn open(directory: &Path, options: &Options) -> Result<Self, OpenError> {
        Self::open_on(Arc::new(RealDisk), directory, options)
    }

    /// Opens or makes the store in a directory of a disk.
    pub fn open_on(disk: Arc<dyn Disk>, directory: &Path, options: &Options) -> Result<Self, OpenError> {
        check(options)?;
        let layout = redrive_journal::Options { segment_bytes: options.segment_bytes, spares: 1 };
        let mut state = None;
        let (journal, report) = Journal::open(disk, directory, layout, |record| {
            // Where the first record is not the first of all, recovery begins at a recovery point.
            let begun = || if record.seq > Seq::FIRST { State::recovering() } else { State::new() };
            let place =
                Place { shelf: record.location.segment, offset: record.location.offset, len: record.location.len };
            state.get_or_insert_with(begun).recover(record.kind, record.body, place).map_err(Into::into)
        })?;
        let mut state = state.unwrap_or_default();
        state.recovered()?;
        if let Some(cut) = &report.cut {
            tracing::warn!(file = %cut.file.display(), offset = cut.offset, "a batch at the end was not whole, and was cut");
        }
        Self::start(options, state, report, |state, writer, vitals| {
            Log::new(journal, state, options, writer, vitals).map(|log| Keeper::Log(Box::new(log)))
        })
    }

    fn start(
        options: &Options,
        mut state: State,
        report: Report,
        keeper: impl FnOnce(&State, SyncSender<Message>, Arc<Vitals>) -> std::io::Result<Keeper>,
    ) -> Result<Self, OpenError> {
        state.treat(options.letters.clone());
        let (sender, inbox) = sync_channel(options.requests_max);
        let vitals = Arc::new(Vitals::default());
        let forgotten = Arc::new(Forgotten::default());
        let (is_closed, closed) = watch::channel(None);
        let returns = Arc::new(Returns::new(sender.clone()));
        let keeper = keeper(&state, sender.clone(), Arc::clone(&vitals)).map_err(OpenError::Thread)?;
        let is_durable = matches!(keeper, Keeper::Log(_));
        let writer = Writer {
            state,
            keeper,
            inbox,
            returns: Arc::clone(&returns),
            readers: Readers::start().map_err(OpenError::Thread)?,
            under_way: UnderWay::default(),
            clock: Arc::clone(&options.clock),
            random: Random(options.seed.unwrap_or_else(seed)),
            limits: Limits::of_segment(options.segment_bytes),
            vitals: Arc::clone(&vitals),
            facts: Facts::new(),
            waiting: Waiting::default(),
            listening: Listening::default(),
            forgotten: Arc::clone(&forgotten),
            first: VecDeque::new(),
            standstill: Standstill::default(),
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
            .map_err(OpenError::Thread)?;
        let wake = sender.clone();
        options.clock.on_move(Arc::new(move || {
            // A writer with a full inbox looks at the clock anyway.
            let _is_awake = wake.try_send(Message::Wake);
        }));
        let writer = sender;
        Ok(Self { shared: Arc::new(Shared { writer, returns, vitals, forgotten, report, is_durable, closed }) })
    }

    /// How the store fares.
    pub fn status(&self) -> Status {
        self.shared.vitals.status()
    }

    /// Has a queue stand still, for tests: requests of it are kept, up to a hundred, and nothing happens in it by itself.
    /// It ends with the process.
    pub async fn stand_still(&self, queue: QueueName) -> Result<(), StoreError> {
        self.still(queue, true).await
    }

    /// Has a queue go on: what was kept is worked on in one pass.
    pub async fn go_on(&self, queue: QueueName) -> Result<(), StoreError> {
        self.still(queue, false).await
    }

    async fn still(&self, queue: QueueName, is_still: bool) -> Result<(), StoreError> {
        let (done, heard) = oneshot::channel();
        match self.shared.writer.try_send(Message::StandStill { queue, is_still, done }) {
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
impl Store for LocalStore {
    async fn submit(&self, operation: Operation, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let letters = match &operation {
            Operation::Capture(capture) => Some(capture.letters.clone()),
            _ => None,
        };
        let queue = match &operation {
            Operation::Lease(lease) => Some(&lease.queue),
            Operation::Claim(request) => Some(&request.claim.queue),
            Operation::ClaimLetters(claim) => Some(&claim.queue),
            _ => None,
        };
        let returns = || Arc::clone(&self.shared.returns);
        let (reply, answer) = ReplyTo::new(queue.map(|queue| Taking { queue: queue.clone(), returns: returns() }));
        let request = Request::new(operation, along, reply);
        match self.shared.writer.try_send(Message::Request(request)) {
            Ok(()) => {
                if let Some(letters) = &letters {
                    prepare(letters, &answer).await;
                }
                answer.await.map_or(Err(StoreError::Closed), Parcel::open)
            }
            Err(TrySendError::Full(_)) => Err(StoreError::Overloaded),
            Err(TrySendError::Disconnected(_)) => Err(StoreError::Closed),
        }
    }

    fn status(&self) -> Option<Status> {
        Some(Self::status(self))
    }

    fn is_durable(&self) -> bool {
        self.shared.is_durable
    }

    async fn forgotten(&self) -> BTreeSet<QueueName> {
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
async fn prepare(letters: &NewLetters, answer: &oneshot::Receiver<Parcel>) {
    let mut bytes = 0;
    for more in letters.prepare().take_while(|_| answer.is_empty()) {
        bytes += more;
        if bytes >= BYTES_AT_ONCE {
            bytes = 0;
            tokio::task::yield_now().await;
        }
    }
}

fn check(options: &Options) -> Result<(), OpenError> {
    let (least, most) = (Options::SEGMENT_BYTES_MIN, redrive_journal::Options::SEGMENT_BYTES_MAX);
    if !(least..=most).contains(&options.segment_bytes) {
        let allowed = format!("{} given, {least} to {most} allowed", options.segment_bytes);
        return Err(OpenError::Options("segment_bytes", allowed));
    }
    if !(1..=Options::REQUESTS_MAX).contains(&options.requests_max) {
        let allowed = format!("{} given, 1 to {} allowed", options.requests_max, Options::REQUESTS_MAX);
        return Err(OpenError::Options("requests_max", allowed));
    }
    Ok(())
}

/// A number that differs from process to process.
fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
