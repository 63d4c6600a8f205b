//! Threads that read payloads, so that the writer never waits for the disk to seek.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use redrive_journal::Reader;
use redrive_model::{Content, DocumentRef};
use redrive_queue::Facts;

use crate::answer::{Answer, location};
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
}

const THREADS: usize = 2;
/// When so many wait, the writer waits, too: memory is not given to answers that cannot leave.
const TASKS_MAX: usize = 256;

impl Readers {
    pub(crate) fn start() -> std::io::Result<Self> {
        let (tasks, inbox) = sync_channel(TASKS_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        let fetched = Arc::new(Fetched::default());
        let threads = (0..THREADS).map(|_| {
            let (inbox, fetched) = (Arc::clone(&inbox), Arc::clone(&fetched));
            std::thread::Builder::new().name("redrive-reader".to_owned()).spawn(move || read(&inbox, &fetched))
        });
        Ok(Self { tasks: Some(tasks), threads: threads.collect::<Result<_, _>>()?, fetched })
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

fn read(inbox: &Mutex<Receiver<ReadTask>>, fetched: &Fetched) {
    loop {
        let task = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match task {
            Ok(ReadTask::Answer(Job { answer, reader, reply })) => reply.send(answer.finish(Some(&reader))),
            Ok(ReadTask::Ahead(Ahead { wanted, reader, running })) => {
                // What cannot be read is told to whoever asks for it.
                if let Some(contents) = read_ahead(&reader, &wanted) {
                    fetched.put(Fetch { contents, _running: running });
                }
            }
            Err(_) => return,
        }
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
