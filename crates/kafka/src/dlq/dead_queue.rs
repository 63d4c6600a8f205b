//! The hand-over of letters to a dead queue.

use std::sync::Arc;

use redrive_core::{Metadata, Time};
use redrive_model::capture::FailedWork;
use redrive_model::{CaptureContext, Content};
use redrive_run::{DeadQueue, NotCaptured, Posted};

use crate::log::HandOver;
use crate::record::Record;
use crate::source_record::{SourceRecord, hand_back_headers, identified_by, without};

/// Captures a letter. A second capture of the same record makes no second letter, so that a retry is safe. `None` if no
/// letter is to be kept.
pub(super) async fn capture(
    dead_queue: &DeadQueue,
    group: &str,
    letter: &HandOver,
    now: Time,
) -> Result<Option<Posted>, NotCaptured> {
    let own = SourceRecord::new(&Arc::from(group), &letter.at, &letter.record);
    let first = own.clone().before_hand_back(&letter.record.content.headers);
    let is_handed_back = first != own;
    let is_of_other_work = |answer: &Result<_, NotCaptured>| answer.as_ref().is_err_and(NotCaptured::is_of_other_work);
    let of = |source: &SourceRecord| {
        let mut work = failed_work(letter, source, now);
        work.context.origin.server.clone_from(&dead_queue.server);
        work
    };
    let mut answer = dead_queue.post(&of(&first)).await;
    // The headers of a hand-back are no proof: if they name a letter of other work, this record has its own letter.
    if is_handed_back && is_of_other_work(&answer) {
        answer = dead_queue.post(&of(&own)).await;
    }
    // So has a record in the place of another one.
    if is_of_other_work(&answer) {
        let work = of(&own);
        let id = own.id_with_content(&work.content);
        let origin = identified_by(&work.context.origin, id.clone());
        let context = CaptureContext { origin, ..work.context };
        answer = dead_queue.post(&FailedWork { source_id: id.into(), context, ..work }).await;
    }
    match answer {
        Err(error) if error.is_unwanted() => {
            tracing::info!(at = %letter.at, offset = letter.record.offset, reason = %error, "no letter is kept");
            Ok(None)
        }
        answer => answer.map(Some),
    }
}

fn failed_work(letter: &HandOver, source: &SourceRecord, now: Time) -> FailedWork {
    let HandOver { at, record, dead, newest, .. } = letter;
    let (content, metadata) = content_of(record);
    let context =
        CaptureContext { origin: source.origin(), parts: letter.parts.clone(), metadata, ..CaptureContext::default() };
    FailedWork {
        content,
        context,
        attempt: letter.attempts,
        started_at: newest.as_ref().and_then(|attempt| attempt.started_at),
        failed_at: newest.as_ref().and_then(|attempt| attempt.ended_at).unwrap_or(now),
        category: Some(dead.category),
        destination: Some(Arc::clone(&at.topic)),
        // The topic is that of the record, also if its headers say that it was handed back.
        is_of_source: true,
        ..FailedWork::new(source.id(), dead.failure.clone(), now)
    }
}

/// The content of a record, without the headers of its hand-back.
fn content_of(record: &Record) -> (Arc<Content>, Metadata) {
    let is_of_hand_back = hand_back_headers(&record.content.headers);
    if !record.content.headers.iter().any(&is_of_hand_back) {
        return (Arc::clone(&record.content), record.metadata());
    }
    let nulls = record.nulls.as_deref().cloned().unwrap_or_default();
    let (headers, nulls) = without(&record.content.headers, &nulls, |_, header| is_of_hand_back(header));
    let mut metadata = Metadata::new();
    nulls.mark(&mut metadata);
    let Content { key, payload, .. } = &*record.content;
    (Arc::new(Content { key: key.clone(), headers, payload: payload.clone(), ..Content::default() }), metadata)
}
