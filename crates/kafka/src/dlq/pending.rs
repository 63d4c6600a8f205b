//! A letter on its way.

use std::sync::{Arc, Mutex, PoisonError};

use rdkafka::error::{KafkaError as ClientError, RDKafkaErrorCode};
use redrive_core::Time;
use redrive_run::SettleError;
use tokio::sync::oneshot;

use super::letter_record::LetterRecord;
use crate::error::text;
use crate::log::{HandOver, RecordFence};
use crate::shared::Shared;
use crate::trouble::TroubleKind;

/// The result of a hand-over.
pub(crate) type HandedOver = Result<(), SettleError>;

/// The answer to a hand-over.
#[derive(Debug)]
pub(crate) enum HandOverAnswer {
    Ended(HandedOver),
    /// The broker refuses the letter for its size: the hand-over goes on elsewhere, and its answer comes here.
    TooLarge(HandOverEnd, oneshot::Receiver<HandOverAnswer>),
    /// The DLQ topic has the letter, and the dead queue gets it, too.
    Published(HandOverEnd, oneshot::Receiver<HandOverAnswer>),
}

/// Ends a hand-over exactly once: dropped without a result, it has failed.
#[derive(Debug)]
pub(crate) struct HandOverEnd {
    shared: Arc<Shared>,
    fence: RecordFence,
    /// The timestamp of the record.
    timestamp: Option<Time>,
    /// After the DLQ topic, the dead queue gets the letter.
    pub(crate) is_queue_next: bool,
    /// `None` once the end was recorded.
    reply: Option<oneshot::Sender<HandOverAnswer>>,
}

impl HandOverEnd {
    pub(crate) fn new(shared: &Arc<Shared>, letter: &HandOver) -> (Self, oneshot::Receiver<HandOverAnswer>) {
        let (reply, answer) = oneshot::channel();
        let (shared, timestamp) = (Arc::clone(shared), letter.record.time());
        (Self { shared, fence: letter.fence, timestamp, is_queue_next: false, reply: Some(reply) }, answer)
    }

    pub(crate) const fn fence(&self) -> RecordFence {
        self.fence
    }

    /// The DLQ topic has the letter.
    pub(crate) fn published(self) {
        if !self.is_queue_next {
            return self.succeeded();
        }
        // A record of a partition that was revoked: the next answer says so.
        let _is_held = self.shared.change(|log, _| log.published(self.fence)).is_ok();
        self.go_on(HandOverAnswer::Published);
    }

    /// The letter is durable.
    pub(crate) fn succeeded(self) {
        self.shared.numbers.published();
        self.ended("dead_letter");
    }

    /// The dead queue keeps no letter of this failure.
    pub(crate) fn skipped(self) {
        self.ended("skipped");
    }

    fn ended(mut self, result: &'static str) {
        let ended = self.shared.change(|log, now| log.handed_over(self.fence, now));
        if ended.is_ok() {
            self.shared.numbers.processed(result, 1);
            if let Some(timestamp) = self.timestamp {
                self.shared.numbers.ended(self.shared.clock.now().since(timestamp));
            }
        }
        self.reply(ended);
    }

    pub(crate) fn failed(mut self, error: &str) {
        self.fail(error);
    }

    /// A client or a broker refuses the letter.
    pub(crate) fn refused(self, error: &ClientError) {
        match error.rdkafka_error_code() {
            Some(RDKafkaErrorCode::MessageSizeTooLarge) => self.too_large(),
            _ => self.failed(&text(error)),
        }
    }

    /// The broker refuses the letter for its size.
    pub(crate) fn too_large(self) {
        self.go_on(HandOverAnswer::TooLarge);
    }

    /// Lets the caller go on with the hand-over.
    fn go_on(mut self, how: impl FnOnce(Self, oneshot::Receiver<HandOverAnswer>) -> HandOverAnswer) {
        let (reply, answer) = oneshot::channel();
        let Some(before) = self.reply.replace(reply) else { return };
        // If there is no caller any more, the end comes back and is dropped: the hand-over has failed.
        drop(before.send(how(self, answer)));
    }

    fn fail(&mut self, error: &str) {
        let result = self.shared.change(|log, _| log.hand_over_failed(self.fence, error));
        // A record of a partition that was revoked needs no letter of this consumer.
        if result.is_ok() {
            self.shared.numbers.publish_failed();
            self.shared.troubles.set(TroubleKind::HandOver, error, self.shared.clock.now());
        }
        self.reply(result.and_then(|()| Err(SettleError::HandOver(error.to_owned()))));
    }

    fn reply(&mut self, result: HandedOver) {
        // The caller may have stopped waiting: the log has the result.
        let _is_received = self.reply.take().map(|reply| reply.send(HandOverAnswer::Ended(result)).is_ok());
        self.shared.handed_over.notify_waiters();
    }
}

impl Drop for HandOverEnd {
    fn drop(&mut self) {
        if self.reply.is_some() {
            self.fail("the producer was closed");
        }
    }
}

/// A letter that waits for the next transaction.
#[derive(Debug)]
pub(crate) struct PendingLetter {
    pub(crate) record: LetterRecord,
    pub(crate) end: HandOverEnd,
}

/// The letters that wait for the next transaction. There are at most as many as claimed records.
#[derive(Debug, Default)]
pub(crate) struct PendingLetters(Mutex<Vec<PendingLetter>>);

impl PendingLetters {
    pub(crate) fn push(&self, record: LetterRecord, end: HandOverEnd) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(PendingLetter { record, end });
    }

    /// Lets letters wait for a later transaction.
    pub(crate) fn put_back(&self, letters: impl IntoIterator<Item = PendingLetter>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(letters);
    }

    pub(crate) fn take(&self) -> Vec<PendingLetter> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
