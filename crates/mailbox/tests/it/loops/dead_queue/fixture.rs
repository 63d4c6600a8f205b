//! A loop whose letters go to a dead queue of a store in memory.

use std::sync::Arc;

use redrive_core::{Policy, QueueName, Span, Status};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_mailbox::conformance::{CrashPoint, FaultyLetterBox, FaultyMailbox};
use redrive_mailbox::{DlqPolicy, MailboxHandBack, MailboxSettings, ReplyResolver};
use redrive_model::{CreateQueue, FullLetter, GetLetter, LetterInfo, ListLetters, Purge, QueueSettings};
use redrive_run::{DeadQueue, LetterBox, OriginTarget, Processor, ProcessorSettings, Retried, RunnerSettings};
use redrive_store::{Store, SystemClock};

use crate::loops::fixture::{LoopFixture, Mailboxes, name};

/// The mailboxes of a loop, and its dead queue.
pub(super) struct QueueFixture {
    pub(super) loops: LoopFixture,
    pub(super) store: Arc<dyn Store>,
    pub(super) queue: QueueName,
    pub(super) letter_box: Arc<FaultyLetterBox>,
}

impl QueueFixture {
    pub(super) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(super) async fn with(change: impl FnOnce(&mut QueueSettings)) -> Self {
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
        let queue = QueueName::new("requests-dead").unwrap();
        let mut settings = QueueSettings::new(queue.clone());
        change(&mut settings);
        store.create_queue(CreateQueue { settings }).await.unwrap();
        let letter_box = Arc::new(FaultyLetterBox::new(Arc::clone(&store)));
        Self { loops: LoopFixture::new(), store, queue, letter_box }
    }

    pub(super) fn mailboxes(&self) -> &Mailboxes {
        &self.loops.mailboxes
    }

    pub(super) fn dlq(&self) -> DlqPolicy {
        self.dlq_through(self.dead_queue().letter_box)
    }

    pub(super) fn dlq_through(&self, letter_box: Arc<dyn LetterBox>) -> DlqPolicy {
        let dead_queue = DeadQueue { letter_box, ..self.dead_queue() };
        DlqPolicy::to_dead_queue(dead_queue).include(["validation".parse().unwrap()])
    }

    pub(super) fn dead_queue(&self) -> DeadQueue {
        let letter_box = Arc::clone(&self.letter_box) as Arc<dyn LetterBox>;
        DeadQueue::new(letter_box, self.queue.clone(), Policy::default())
    }

    pub(super) async fn letters(&self) -> Vec<FullLetter> {
        let list = ListLetters { queue: self.queue.clone(), statuses: Vec::new(), after: None, limit: 1000 };
        let mut letters = Vec::new();
        for stored in self.store.letters(list).await.unwrap() {
            let get = GetLetter { queue: self.queue.clone(), letter: stored.info.letter.unwrap().id };
            letters.push(self.store.letter(get).await.unwrap());
        }
        letters
    }

    pub(super) async fn only_letter(&self) -> FullLetter {
        let mut letters = self.letters().await;
        assert_eq!(letters.len(), 1, "{letters:#?}");
        letters.remove(0)
    }

    pub(super) async fn purge(&self, letter: &FullLetter) {
        let purge = Purge { queue: self.queue.clone(), letters: vec![info(letter).id] };
        self.store.purge(purge).await.unwrap();
    }

    /// Retries letters by handing them back to the mailbox of requests.
    pub(super) fn processor(&self) -> Processor {
        let requests = Arc::clone(&self.mailboxes().requests);
        self.processor_with(ReplyResolver::builder().register(requests).build())
    }

    pub(super) fn processor_with(&self, mailboxes: ReplyResolver) -> Processor {
        let target = OriginTarget::new(Arc::clone(&self.store), self.queue.clone());
        let target = target.with(Arc::new(MailboxHandBack::new(mailboxes)));
        let settings = ProcessorSettings {
            runner: RunnerSettings { breaker: None, ..RunnerSettings::default() },
            lease: Span::from_secs(60),
            policy: Policy::default(),
            interval: Span::from_secs(10),
        };
        let mut processor = Processor::new(Arc::clone(&self.store), Arc::new(SystemClock), settings);
        processor.add(self.queue.clone(), Arc::new(target)).unwrap();
        processor
    }

    pub(super) async fn retry(&self, processor: &Processor, letter: &FullLetter) -> Retried {
        processor.retry(&self.queue, info(letter).id, "ann").await.unwrap()
    }
}

pub(super) fn info(letter: &FullLetter) -> &LetterInfo {
    letter.info.letter.as_ref().unwrap()
}

pub(super) fn status(letter: &FullLetter) -> Status {
    info(letter).status
}

/// The letter box of a process that crashes.
pub(super) fn crashing_letter_box(fixture: &QueueFixture, crash: CrashPoint) -> FaultyLetterBox {
    let counted = fixture.loops.memory.open(name("captures"), MailboxSettings::default());
    FaultyLetterBox::crashing(Arc::clone(&fixture.store), FaultyMailbox::crashing(counted, crash))
}
