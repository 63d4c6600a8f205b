//! One letter with all that is known about it.

use redrive_model::{CaptureContext, FullLetter, GetLetter};
use redrive_proto::redrive::v1::{LettersGetRequest, LettersGetResponse, Note};

use super::annotate::noted;
use super::fields::{needs_reason, refused, targets};
use super::view;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;

#[derive(Debug)]
pub(crate) struct Get;

impl Endpoint for Get {
    type Request = LettersGetRequest;
    type Answer = LettersGetResponse;

    const PATH: &'static str = "/v1/letters.get";
    const NEEDS: Permission = Permission::LettersRead;

    fn targets(request: &LettersGetRequest) -> Option<Vec<AuditTarget>> {
        // To look at a payload is an act; to look at a letter is none.
        if request.reveal { targets(&request.queue_name, std::slice::from_ref(&request.id)) } else { None }
    }

    async fn call(desk: &Desk, request: LettersGetRequest) -> Result<LettersGetResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if request.reveal {
            desk.dead_queue(&request.queue_name, Permission::LettersReveal).await?;
            needs_reason(desk)?;
        }
        let letter = desk.letter(&queue, &request.id).await?;
        let record = desk.store().letter(GetLetter { queue, letter }).await.map_err(refused)?;
        if request.reveal {
            desk.record_act_on(&request.id, letter).await?;
        }
        Ok(told(&request.queue_name, record, request.reveal))
    }
}

/// What a template said stands before what people say.
fn of_template(text: String) -> Note {
    Note { text, author: "template".to_owned(), ..Note::default() }
}

fn told(queue: &str, record: FullLetter, is_revealed: bool) -> LettersGetResponse {
    let FullLetter { info, content, context, attempts, original, notes, parts } = record;
    let context = context.unwrap_or_default();
    let death = context.death.as_ref().map(view::death);
    let CaptureContext {
        origin,
        parts: all_parts,
        metadata,
        depends_on,
        reply_to,
        trace_id,
        request_id,
        submitted_by,
        note,
        ..
    } = context;
    LettersGetResponse {
        letter: Some(view::letter(queue, &info)),
        content: Some(view::content(&content, is_revealed)),
        original: original.map(|original| view::content(&original, is_revealed)),
        origin: Some(view::origin(origin)),
        death,
        attempts: attempts.into_iter().map(view::attempt).collect(),
        notes: note.map(of_template).into_iter().chain(notes.iter().map(noted)).collect(),
        parts: parts.unwrap_or(all_parts),
        metadata: metadata.into_iter().collect(),
        depends_on: depends_on.iter().map(ToString::to_string).collect(),
        reply_to: reply_to.unwrap_or_default(),
        trace_id: trace_id.unwrap_or_default(),
        request_id: request_id.unwrap_or_default(),
        submitted_by: submitted_by.unwrap_or_default(),
    }
}
