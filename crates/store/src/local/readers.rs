//! Threads that read payloads, so that the writer never waits for the disk to seek.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use redrive_journal::Reader;

use super::answer::Answer;
use super::message::ReplyTo;

/// An answer that lacks documents. Their files are pinned: they stay readable, whoever drops them.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) answer: Answer,
    pub(crate) reader: Reader,
    pub(crate) reply: ReplyTo,
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
    pub(crate) fn start() -> std::io::Result<Self> {
        let (jobs, inbox) = sync_channel(JOBS_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        let threads = (0..THREADS).map(|_| {
            let inbox = Arc::clone(&inbox);
            std::thread::Builder::new().name("redrive-reader".to_owned()).spawn(move || read(&inbox))
        });
        Ok(Self { jobs: Some(jobs), threads: threads.collect::<Result<_, _>>()? })
    }

    pub(crate) fn read(&self, job: Job) {
        let Some(jobs) = &self.jobs else { return };
        // The readers end after the writer; if they are gone all the same, the caller learns it by its dropped reply.
        let _gone = jobs.send(job);
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // One that panicked has dropped its reply, which its caller has seen.
            let _panicked = thread.join();
        }
    }
}

fn read(inbox: &Mutex<Receiver<Job>>) {
    loop {
        let job = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { answer, reader, reply }) = job else { return };
        // A caller that is gone does not want it any more.
        let _gone = reply.send(answer.finish(Some(&reader)));
    }
}
