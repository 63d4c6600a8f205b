//! A dead queue of a store or a server as the destination of letters.

use std::sync::{Arc, LazyLock};

use redrive_core::{CaptureReason, Policy, QueueName, Time};
use redrive_model::capture::FailedWork;
use redrive_model::{CaptureContext, Origin};
use redrive_run::{LetterBox, Posted};

use crate::log::{HandOver, TopicPartition};
use crate::record::Record;

/// A dead queue, and the letter box that leads to it.
#[derive(Clone)]
pub struct DeadQueue {
    pub letter_box: Arc<dyn LetterBox>,
    pub queue: QueueName,
    /// Classifies the failures that the letters are about.
    pub policy: Policy,
}

impl DeadQueue {
    /// Captures a letter. A second capture of the same record makes no second letter, so that a retry is safe.
    pub(crate) async fn capture(&self, group: &str, letter: &HandOver, now: Time) -> Result<Option<Posted>, String> {
        let work = [failed_work(group, letter, now)];
        let mut answers = self.letter_box.post(&self.queue, &self.policy, &work).await;
        match answers.pop() {
            Some(Ok(posted)) => Ok(Some(posted)),
            Some(Err(error)) if error.is_skipped() && error.reason != CaptureReason::Disabled => {
                tracing::info!(at = %letter.at, offset = letter.record.offset, reason = %error, "no letter is kept");
                Ok(None)
            }
            Some(Err(error)) => Err(error.to_string()),
            None => Err("the letter box gave no answer".to_owned()),
        }
    }
}

impl std::fmt::Debug for DeadQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeadQueue").field("queue", &self.queue).finish_non_exhaustive()
    }
}

fn failed_work(group: &str, letter: &HandOver, now: Time) -> FailedWork {
    let HandOver { at, record, dead, newest, .. } = letter;
    let mut metadata = redrive_core::Metadata::new();
    if record.is_tombstone() {
        metadata.insert("kafka_tombstone".to_owned(), true.into());
    }
    let context = CaptureContext {
        origin: origin_of(Arc::from(group), at, record),
        parts: letter.parts.clone(),
        metadata,
        ..CaptureContext::default()
    };
    FailedWork {
        content: Arc::clone(&record.content),
        context,
        attempt: letter.attempts,
        started_at: newest.as_ref().and_then(|attempt| attempt.started_at),
        failed_at: newest.as_ref().and_then(|attempt| attempt.ended_at).unwrap_or(now),
        category: Some(dead.category),
        destination: Some(Arc::clone(&at.topic)),
        ..FailedWork::new(source_id(letter), dead.failure.clone(), now)
    }
}

/// Identifies a record. A topic that is deleted and created again uses its offsets again, with other timestamps.
fn source_id(letter: &HandOver) -> String {
    let (at, record) = (&letter.at, &letter.record);
    let timestamp = record.timestamp.map(|millis| format!("@{millis}")).unwrap_or_default();
    format!("{}/{}/{}{timestamp}", at.topic, at.partition, record.offset)
}

/// Where a record comes from.
pub(crate) fn origin_of(group: Arc<str>, at: &TopicPartition, record: &Record) -> Origin {
    static TRANSPORT: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from("kafka"));
    Origin {
        transport: Arc::clone(&TRANSPORT),
        name: Arc::clone(&at.topic),
        consumer: Some(group),
        partition: Some(i64::from(at.partition)),
        offset: Some(record.offset),
        timestamp: record.time(),
        message_id: None,
    }
}
