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
    /// What will be asked for next: read along, and handed to the writer.
    pub(crate) ahead: Vec<Place>,
}

#[derive(Debug)]
pub(crate) struct Readers {
    jobs: Option<SyncSender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

const THREADS: usize = 2;
/// When so many wait, the writer waits, too: memory is not given to answers that cannot leave.
const JOBS_MAX: usize = 256;

impl Readers {
    pub(crate) fn start(writer: &SyncSender<Message>) -> std::io::Result<Self> {
        let (jobs, inbox) = sync_channel(JOBS_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        let threads = (0..THREADS).map(|_| {
            let (inbox, writer) = (Arc::clone(&inbox), writer.clone());
            std::thread::Builder::new().name("redrive-reader".to_owned()).spawn(move || read(&inbox, &writer))
        });
        Ok(Self { jobs: Some(jobs), threads: threads.collect::<Result<_, _>>()? })
    }

    pub(crate) fn read(&self, job: Job) {
        let Some(jobs) = &self.jobs else { return };
        // The readers end after the writer; if they are gone all the same, the caller learns it by its dropped reply.
        let _gone = jobs.send(job);
    }

    /// Ends when all that was asked for is answered.
    pub(crate) fn finish(&mut self) {
        self.jobs = None;
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

fn read(inbox: &Mutex<Receiver<Job>>, writer: &SyncSender<Message>) {
    loop {
        let job = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { answer, reader, reply, ahead }) = job else { return };
        reply.send(answer.finish(Some(&reader)));
        // What cannot be read is told to whoever asks for it; and a busy writer does not need this.
        if let Some(contents) = read_ahead(&reader, &ahead).filter(|contents| !contents.is_empty()) {
            let _not_needed = writer.try_send(Message::ReadAhead { contents });
        }
    }
}

fn read_ahead(reader: &Reader, ahead: &[Place]) -> Option<Vec<(Place, Arc<Content>)>> {
    let locations: Vec<_> = ahead.iter().copied().map(location).collect();
    let records = reader.read_many(&locations).ok()?.into_iter();
    let contents = records.zip(ahead).map(|(record, place)| {
        let document = Facts::document_of(&Bytes::from(record.body)).ok()?;
        Some((*place, Arc::new(Content::read(&document).ok()?)))
    });
    contents.collect()
}
