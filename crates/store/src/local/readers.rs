//! Threads that read payloads, so that the writer never waits for the disk to seek.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use bytes::Bytes;
use redrive_journal::Reader;
use redrive_queue::{Content, Facts, Place};

use super::answer::{Answer, location};
use super::message::Message;
use super::reply::ReplyTo;

/// An answer that lacks documents. Their files are pinned: they stay readable, whoever drops them.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) answer: Answer,
    pub(crate) reader: Reader,
    pub(crate) reply: ReplyTo,
}

/// What will be asked for next: read before it is, and handed to the writer.
#[derive(Debug)]
pub(crate) struct Ahead {
    pub(crate) places: Vec<Place>,
    pub(crate) reader: Reader,
    pub(crate) running: Arc<()>,
}

#[derive(Debug)]
enum Task {
    Answer(Job),
    Ahead(Ahead),
}

#[derive(Debug)]
pub(crate) struct Readers {
    tasks: Option<SyncSender<Task>>,
    threads: Vec<JoinHandle<()>>,
}

const THREADS: usize = 2;
/// When so many wait, the writer waits, too: memory is not given to answers that cannot leave.
const TASKS_MAX: usize = 256;

impl Readers {
    pub(crate) fn start(writer: &SyncSender<Message>) -> std::io::Result<Self> {
        let (tasks, inbox) = sync_channel(TASKS_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        let threads = (0..THREADS).map(|_| {
            let (inbox, writer) = (Arc::clone(&inbox), writer.clone());
            std::thread::Builder::new().name("redrive-reader".to_owned()).spawn(move || read(&inbox, &writer))
        });
        Ok(Self { tasks: Some(tasks), threads: threads.collect::<Result<_, _>>()? })
    }

    pub(crate) fn read(&self, job: Job) {
        let Some(tasks) = &self.tasks else { return };
        // The readers end after the writer; if they are gone all the same, the caller learns it by its dropped reply.
        let _gone = tasks.send(Task::Answer(job));
    }

    /// Busy readers have something better to do.
    pub(crate) fn read_ahead(&self, ahead: Ahead) {
        if let Some(tasks) = &self.tasks {
            let _not_needed = tasks.try_send(Task::Ahead(ahead));
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

fn read(inbox: &Mutex<Receiver<Task>>, writer: &SyncSender<Message>) {
    loop {
        let task = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match task {
            Ok(Task::Answer(Job { answer, reader, reply })) => reply.send(answer.finish(Some(&reader))),
            Ok(Task::Ahead(Ahead { places, reader, running })) => {
                // What cannot be read is told to whoever asks for it; and a busy writer does not need this.
                if let Some(contents) = read_ahead(&reader, &places) {
                    let _not_needed = writer.try_send(Message::ReadAhead { contents, running });
                }
            }
            Err(_) => return,
        }
    }
}

fn read_ahead(reader: &Reader, places: &[Place]) -> Option<Vec<(Place, Arc<Content>)>> {
    let locations: Vec<_> = places.iter().copied().map(location).collect();
    let records = reader.read_many(&locations).ok()?.into_iter();
    let contents = records.zip(places).map(|(record, place)| {
        let kept = Facts::kept_in(record.kind, &Bytes::from(record.body)).ok()?;
        Some((*place, Arc::new(Content::read(&kept.document).ok()?)))
    });
    contents.collect()
}
