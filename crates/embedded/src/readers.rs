//! Reader threads, which read documents so that the writer never waits for a read from disk.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use redrive_journal::Reader;
use redrive_model::{Content, DocumentRef};
use redrive_queue::{Facts, SetAside};
use redrive_store::{Reply, StoreError};

use crate::answer::{Answer, location};
use crate::message::Message;
use crate::reply::ReplyTo;

/// An answer that lacks documents. Their segments are pinned: they stay readable after they are dropped.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) answer: Answer,
    pub(crate) reader: Reader,
    pub(crate) reply: ReplyTo,
}

/// Contents that the next leases will need, to be read ahead of them into the cache.
#[derive(Debug)]
pub(crate) struct ReadAhead {
    /// Slots of items, and the places of their contents.
    pub(crate) documents: Vec<(u32, DocumentRef)>,
    pub(crate) reader: Reader,
    pub(crate) running: Arc<()>,
}

/// Contents that were read ahead. The writer is not woken for them: it takes them before each batch.
#[derive(Debug, Default)]
pub(crate) struct Fetched(Mutex<Vec<Fetch>>);

#[derive(Debug)]
pub(crate) struct Fetch {
    pub(crate) contents: Vec<(u32, DocumentRef, Arc<Content>)>,
    /// Marks the read-ahead as running until the contents are in the cache.
    _running: Arc<()>,
}

/// The maximum number of fetches that wait for the writer; each is of another partition.
const FETCHES_MAX: usize = 16;

impl Fetched {
    pub(crate) fn take(&self) -> Vec<Fetch> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds a fetch. Beyond the limit it is discarded: its contents are read again when they are leased.
    fn put(&self, fetch: Fetch) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < FETCHES_MAX {
            waiting.push(fetch);
        }
    }
}

/// An answer, and the damaged documents found for it. It is sent after these were set aside.
#[derive(Debug)]
pub(crate) struct DamagedAnswer {
    pub(crate) answer: Result<Reply, StoreError>,
    pub(crate) reply: ReplyTo,
    pub(crate) damaged: Vec<SetAside>,
}

/// Answers that wait for the writer, which takes them before each batch. Bounded by the number of requests in flight.
#[derive(Debug, Default)]
pub(crate) struct DamagedAnswers(Mutex<Vec<DamagedAnswer>>);

impl DamagedAnswers {
    pub(crate) fn take(&self) -> Vec<DamagedAnswer> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put(&self, answer: DamagedAnswer) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
    }
}

#[derive(Debug)]
enum ReadTask {
    Answer(Job),
    Ahead(ReadAhead),
}

#[derive(Debug)]
pub(crate) struct Readers {
    tasks: Option<SyncSender<ReadTask>>,
    threads: Vec<JoinHandle<()>>,
    pub(crate) fetched: Arc<Fetched>,
    pub(crate) damaged: Arc<DamagedAnswers>,
}

const THREADS: usize = 2;
/// The maximum number of waiting tasks. Beyond it the writer blocks, so that unsent answers take a bounded amount of
/// memory.
const TASKS_MAX: usize = 256;

impl Readers {
    pub(crate) fn start(writer: &SyncSender<Message>) -> std::io::Result<Self> {
        let (tasks, inbox) = sync_channel(TASKS_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        let fetched = Arc::new(Fetched::default());
        let damaged = Arc::new(DamagedAnswers::default());
        let threads = (0..THREADS).map(|_| {
            let (fetched, damaged, writer) = (Arc::clone(&fetched), Arc::clone(&damaged), writer.clone());
            let thread = ReaderThread { inbox: Arc::clone(&inbox), fetched, damaged, writer };
            std::thread::Builder::new().name("redrive-reader".to_owned()).spawn(move || thread.run())
        });
        Ok(Self { tasks: Some(tasks), threads: threads.collect::<Result<_, _>>()?, fetched, damaged })
    }

    pub(crate) fn read(&self, job: Job) {
        let Some(tasks) = &self.tasks else { return };
        // The readers end after the writer. If they are gone nevertheless, the caller sees its reply dropped.
        let _gone = tasks.send(ReadTask::Answer(job));
    }

    /// Reads ahead, unless the readers are busy.
    pub(crate) fn read_ahead(&self, ahead: ReadAhead) {
        if let Some(tasks) = &self.tasks {
            let _not_needed = tasks.try_send(ReadTask::Ahead(ahead));
        }
    }

    /// Ends the reader threads after they have answered all tasks.
    pub(crate) fn finish(&mut self) {
        self.tasks = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has dropped its reply, and its caller has got an error.
            let _panicked = thread.join();
        }
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.finish();
    }
}

struct ReaderThread {
    inbox: Arc<Mutex<Receiver<ReadTask>>>,
    fetched: Arc<Fetched>,
    damaged: Arc<DamagedAnswers>,
    writer: SyncSender<Message>,
}

impl ReaderThread {
    fn run(self) {
        loop {
            let task = self.inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
            match task {
                Ok(ReadTask::Answer(job)) => self.answer(job),
                Ok(ReadTask::Ahead(ReadAhead { documents, reader, running })) => {
                    // A read error is ignored here: it is reported to the caller that leases the item.
                    if let Some(contents) = read_ahead(&reader, &documents) {
                        self.fetched.put(Fetch { contents, _running: running });
                    }
                }
                Err(_) => return,
            }
        }
    }

    fn answer(&self, Job { answer, reader, reply }: Job) {
        let (answer, damaged) = answer.finish(Some(&reader));
        if damaged.is_empty() {
            return reply.send(answer);
        }
        // Not sent through the writer's channel: the writer may be waiting for this thread.
        self.damaged.put(DamagedAnswer { answer, reply, damaged });
        // A writer with a full inbox is awake and takes the answer before its next batch.
        let _is_awake = self.writer.try_send(Message::Wake);
    }
}

fn read_ahead(reader: &Reader, documents: &[(u32, DocumentRef)]) -> Option<Vec<(u32, DocumentRef, Arc<Content>)>> {
    let locations: Vec<_> = documents.iter().map(|(_, place)| location(*place)).collect();
    let records = reader.read_many(&locations).ok()?.into_iter();
    let contents = records.zip(documents).map(|(record, (slot, place))| {
        Some((*slot, *place, Arc::new(Facts::content_in(record.kind, &record.body).ok()?)))
    });
    contents.collect()
}
