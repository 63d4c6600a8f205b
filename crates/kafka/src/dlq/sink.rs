//! The hand-over of letters.

use std::sync::Arc;

use futures_util::future::join_all;
use redrive_run::{DeadQueue, SettleError};
use tokio::sync::oneshot;

use super::dead_queue::capture;
use super::letter_record::LetterRecord;
use super::pending::{HandOverAnswer, HandOverEnd, HandedOver, PendingLetters};
use super::producer::{LetterProducer, NotSent};
use super::topics::DlqTopics;
use crate::KafkaSettings;
use crate::log::HandOver;
use crate::settings::DlqTarget;
use crate::shared::Shared;

/// Where letters go.
pub(crate) struct Sink {
    pub(crate) settings: Arc<KafkaSettings>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) path: SinkPath,
    pub(crate) dead_queue: Option<DeadQueue>,
    pub(crate) topics: DlqTopics,
}

pub(crate) enum SinkPath {
    /// There are no letters.
    Off,
    Topic(LetterProducer),
    /// With the next transaction.
    Transaction(Arc<PendingLetters>),
    Queue,
}

impl Sink {
    pub(crate) const fn is_off(&self) -> bool {
        matches!(self.path, SinkPath::Off)
    }

    /// Hands letters over, and waits for the results. The log has them even if this future is dropped.
    pub(crate) async fn hand_over(self: &Arc<Self>, letters: Vec<HandOver>) -> Vec<HandedOver> {
        // Each letter has its end before the first wait: a future that is dropped ends them all.
        let started: Vec<_> = letters
            .into_iter()
            .map(|letter| {
                let (mut end, answer) = HandOverEnd::new(&self.shared, &letter);
                end.is_queue_next = self.settings.dlq_target == DlqTarget::Both;
                (letter, end, answer)
            })
            .collect();
        let mut answers = Vec::with_capacity(started.len());
        for (letter, end, answer) in started {
            self.start(letter.clone(), end).await;
            answers.push((letter, answer));
        }
        // Letters that go on after the DLQ topic do so at the same time, not one after the other.
        join_all(answers.into_iter().map(|(letter, answer)| self.result_of(letter, answer))).await
    }

    async fn result_of(
        self: &Arc<Self>,
        letter: HandOver,
        mut answer: oneshot::Receiver<HandOverAnswer>,
    ) -> HandedOver {
        // The limit of the topic may be lower than it was at the start: then the reference has no key.
        let mut limits = [self.bytes_max_of(&LetterRecord::new(&self.settings, &letter)), 0].into_iter();
        loop {
            match answer.await {
                Ok(HandOverAnswer::Ended(result)) => return result,
                Ok(HandOverAnswer::TooLarge(end, next)) => {
                    answer = next;
                    match (&self.dead_queue, limits.next()) {
                        (Some(_), Some(bytes_max)) => self.capture(letter.clone(), end, Some(bytes_max)),
                        (Some(_), None) => end.failed("a reference to the letter is larger than its topic allows"),
                        (None, _) => end.failed("the letter is larger than the max.message.bytes of its topic"),
                    }
                }
                Ok(HandOverAnswer::Published(end, next)) => {
                    answer = next;
                    self.capture(HandOver { is_published: true, ..letter.clone() }, end, None);
                }
                Err(_) => return Err(SettleError::HandOver("the hand-over ended without a result".to_owned())),
            }
        }
    }

    async fn start(self: &Arc<Self>, letter: HandOver, end: HandOverEnd) {
        match &self.path {
            SinkPath::Off => end.failed("there is no DLQ"),
            SinkPath::Queue => self.capture(letter, end, None),
            SinkPath::Transaction(_) | SinkPath::Topic(_) if letter.is_published => self.capture(letter, end, None),
            SinkPath::Transaction(_) | SinkPath::Topic(_) => {
                let record = LetterRecord::new(&self.settings, &letter);
                match self.topics.bytes_max_of(record.topic()) {
                    Some(bytes_max) => self.publish(letter, record, bytes_max, end).await,
                    None => self.publish_first(letter, record, end),
                }
            }
        }
    }

    async fn publish(self: &Arc<Self>, letter: HandOver, record: LetterRecord, bytes_max: usize, end: HandOverEnd) {
        // Without a dead queue the broker decides: its limit may have changed.
        if record.bytes_max() > bytes_max && self.dead_queue.is_some() {
            self.capture(letter, end, Some(bytes_max));
        } else {
            self.send(&record, end).await;
        }
    }

    /// Publishes a letter to a topic that was not known at the start, when that is ready. Other letters do not wait for it.
    fn publish_first(self: &Arc<Self>, letter: HandOver, record: LetterRecord, end: HandOverEnd) {
        let sink = Arc::clone(self);
        tokio::spawn(async move {
            match sink.topics.prepare(record.topic(), &letter.at.topic).await {
                Ok(bytes_max) => sink.publish(letter, record, bytes_max, end).await,
                Err(reason) => end.failed(&reason),
            }
        });
    }

    fn bytes_max_of(&self, record: &LetterRecord) -> usize {
        self.topics.bytes_max_of(record.topic()).unwrap_or(usize::MAX)
    }

    async fn send(&self, record: &LetterRecord, end: HandOverEnd) {
        match &self.path {
            SinkPath::Transaction(waiting) => waiting.push(record.clone(), end),
            SinkPath::Topic(producer) => {
                if let Err(NotSent { end, error }) = producer.send(record, end).await {
                    end.refused(&error);
                }
            }
            SinkPath::Off | SinkPath::Queue => end.failed("there is no DLQ topic"),
        }
    }

    /// Captures a letter in the dead queue, and sends a reference of at most `reference_max` bytes to its topic. It runs as
    /// a task: once it has begun, its result is recorded.
    fn capture(self: &Arc<Self>, letter: HandOver, mut end: HandOverEnd, reference_max: Option<usize>) {
        let sink = Arc::clone(self);
        end.is_queue_next = false;
        tokio::spawn(async move {
            let Some(dead_queue) = &sink.dead_queue else { return end.failed("there is no dead queue") };
            let now = sink.shared.clock.now();
            let posted = match capture(dead_queue, &sink.settings.group_id, &letter, now).await {
                Ok(posted) => posted,
                Err(error) => return end.failed(&error.to_string()),
            };
            match (posted, reference_max) {
                (None, _) if letter.is_published => end.succeeded(),
                (None, _) => end.skipped(),
                (Some(_), None) => end.succeeded(),
                (Some(posted), Some(bytes_max)) => {
                    let id = posted.captured.letter.to_string();
                    let record = LetterRecord::new(&sink.settings, &letter);
                    sink.send(&record.referring_to(dead_queue.queue.as_str(), &id, bytes_max), end).await;
                }
            }
        });
    }

    pub(crate) fn flush(&self) {
        if let SinkPath::Topic(producer) = &self.path {
            producer.flush();
        }
    }
}
