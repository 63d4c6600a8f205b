//! Threads that read payloads, so that the writer never waits for the disk to seek.

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

/// An answer that lacks documents. Their files are pinned: they stay readable, whoever drops them.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) answer: Answer,
    pub(crate) reader: Reader,
    pub(crate) reply: ReplyTo,
}

/// What will be asked for next: read before it is, and laid where the writer finds it.
#[derive(Debug)]
pub(crate) struct Ahead {
    /// Slots of items, and where their contents are.
    pub(crate) wanted: Vec<(u32, DocumentRef)>,
    pub(crate) reader: Reader,
    pub(crate) running: Arc<()>,
}

/// What was read ahead. The writer is not woken for it: it looks here before it does anything.
#[derive(Debug, Default)]
pub(crate) struct Fetched(Mutex<Vec<Fetch>>);

#[derive(Debug)]
pub(crate) struct Fetch {
    pub(crate) contents: Vec<(u32, DocumentRef, Arc<Content>)>,
    /// Lives until they are at hand.
    _running: Arc<()>,
}

/// So many wait for the writer at most; each is of another partition.
const FETCHES_MAX: usize = 16;

impl Fetched {
    pub(crate) fn take(&self) -> Vec<Fetch> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the writer has no use for yet is read again when it is asked for.
    fn put(&self, fetch: Fetch) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < FETCHES_MAX {
            waiting.push(fetch);
        }
    }
}

/// An answer, and what was found damaged for it: it leaves when that is set aside.
#[derive(Debug)]
pub(crate) struct DamagedAnswer {
    pub(crate) answer: Result<Reply, StoreError>,
    pub(crate) reply: ReplyTo,
    pub(crate) damaged: Vec<SetAside>,
}

/// Answers that wait for the writer. It looks here before every batch; no more are here than requests are under way.
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
    Ahead(Ahead),
}

#[derive(Debug)]
pub(crate) struct Readers {
    tasks: Option<SyncSender<ReadTask>>,
    threads: Vec<JoinHandle<()>>,
    pub(crate) fetched: Arc<Fetched>,
    pub(crate) damaged: Arc<DamagedAnswers>,
}

const THREADS: usize = 2;
/// When so many wait, the writer waits, too: memory is not given to answers that cannot leave.
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
        // The readers end after the writer; if they are gone all the same, the caller learns it by its dropped reply.
        let _gone = tasks.send(ReadTask::Answer(job));
    }

    /// Busy readers have something better to do.
    pub(crate) fn read_ahead(&self, ahead: Ahead) {
        if let Some(tasks) = &self.tasks {
            let _not_needed = tasks.try_send(ReadTask::Ahead(ahead));
        }
    }

    /// Ends when all that was asked for is answered.
    pub(crate) fn finish(&mut self) {
        self.tasks = None;
        for thread in self.threads.drain(..) {
            // One that panicked has dropped its reply, which its caller has seen.
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
                Ok(ReadTask::Ahead(Ahead { wanted, reader, running })) => {
                    // What cannot be read is told to whoever asks for it.
                    if let Some(contents) = read_ahead(&reader, &wanted) {
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
        // A writer with a full inbox is awake, and looks there by itself.
        let _is_awake = self.writer.try_send(Message::Wake);
    }
}

fn read_ahead(reader: &Reader, wanted: &[(u32, DocumentRef)]) -> Option<Vec<(u32, DocumentRef, Arc<Content>)>> {
    let locations: Vec<_> = wanted.iter().map(|(_, place)| location(*place)).collect();
    let records = reader.read_many(&locations).ok()?.into_iter();
    let contents = records.zip(wanted).map(|(record, (slot, place))| {
        Some((*slot, *place, Arc::new(Facts::content_in(record.kind, &record.body).ok()?)))
    });
    contents.collect()
}
