//! Read one letter with its content, its attempts and its notes.

use redrive_core::QueueName;
use redrive_model::{FullLetter, GetLetter, GetQueue, Origin};
use redrive_proto::redrive::v1::{LettersGetRequest, LettersGetResponse, Note};

use super::annotate::read_note;
use super::fields::{letter_error, needs_reason, targets};
use super::rejected_acts::rejected_acts;
use super::view;
use crate::api_error::ApiError;
use crate::audit::AuditTarget;
use crate::auth::{Permission, namespace_of};
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::tenancy::KnownUsers;

pub(crate) struct Get;

impl Endpoint for Get {
    type Request = LettersGetRequest;
    type Answer = LettersGetResponse;

    const PATH: &'static str = "/v1/letters.get";
    const NEEDS: Permission = Permission::LettersRead;

    fn targets(request: &LettersGetRequest) -> Option<Vec<AuditTarget>> {
        // Revealing a payload is an administrative act; reading a letter without it is not.
        if request.reveal { targets(&request.queue_name, std::slice::from_ref(&request.id)) } else { None }
    }

    async fn call(ctx: &RequestContext, request: LettersGetRequest) -> Result<LettersGetResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if request.reveal {
            ctx.dead_queue(&request.queue_name, Permission::LettersReveal).await?;
            needs_reason(ctx)?;
        }
        let letter = ctx.letter(&queue, &request.id).await?;
        let has_target = ctx.app.has_target(&queue);
        let get = GetLetter { queue: queue.clone(), letter };
        let mut record = ctx.store().letter(get).await.map_err(letter_error)?;
        record.info = view::planned(record.info, has_target);
        if request.reveal {
            ctx.record_act_on(&request.id, letter).await?;
        }
        let (refused, hands_back_to) = rejected_acts(ctx, &queue, &record).await?;
        let hands_back_to = hands_back_to.map(|to| to.name().to_owned()).unwrap_or_default();
        let now = Some(ctx.app.deadlines.now().into());
        let mut answer = response(&request.queue_name, record, request.reveal);
        add_names(ctx, queue, &mut answer).await?;
        Ok(LettersGetResponse { now, hands_back_to, refused, ..answer })
    }
}

/// Adds the names of the users that attempts and notes name.
async fn add_names(ctx: &RequestContext, queue: QueueName, answer: &mut LettersGetResponse) -> Result<(), ApiError> {
    let settings = ctx.store().queue(GetQueue { name: queue }).await.map_err(letter_error)?;
    let namespace = namespace_of(&settings);
    let mut known = KnownUsers::new(ctx);
    for attempt in &mut answer.attempts {
        attempt.actor_name = known.name(&attempt.actor, namespace).await?;
    }
    for note in &mut answer.notes {
        note.author_name = known.name(&note.author, namespace).await?;
    }
    Ok(())
}

fn response(queue: &str, record: FullLetter, is_revealed: bool) -> LettersGetResponse {
    let task = view::task(&record.content, is_revealed);
    let (error, last_error) = (record.error().to_owned(), record.last_error().to_owned());
    let matched_rule = record.matched_rule().unwrap_or_default().to_owned();
    // The note of a template comes before the notes of callers.
    let template_note = |text| Note { text, author: "template".to_owned(), ..Note::default() };
    let FullLetter { info, content, context, attempts, original, notes, parts } = record;
    let context = context.unwrap_or_default();
    // Those of the newest failure; the origin has those of the first one.
    let replays = info.letter.as_ref().map_or(0, |letter| letter.replays);
    LettersGetResponse {
        letter: Some(view::letter(queue, &info)),
        content: Some(view::content(&content, is_revealed)),
        original: original.map(|original| view::content(&original, is_revealed)),
        origin: Some(Origin { replays, ..context.origin }.into()),
        death: context.death.as_ref().map(view::death),
        attempts: attempts.iter().map(view::attempt).collect(),
        notes: context.note.map(template_note).into_iter().chain(notes.iter().map(read_note)).collect(),
        repos: context.parts.clone(),
        failed_repos: parts.clone().unwrap_or_default(),
        parts: parts.unwrap_or(context.parts),
        metadata: context.metadata.into_iter().map(|(name, value)| (name, value.into())).collect(),
        depends_on: context.depends_on.iter().map(ToString::to_string).collect(),
        reply_to: context.reply_to.unwrap_or_default(),
        trace_id: context.trace_id.unwrap_or_default(),
        request_id: context.request_id.unwrap_or_default(),
        submitted_by: context.submitted_by.unwrap_or_default(),
        task,
        error,
        last_error,
        matched_rule,
        now: None,
        hands_back_to: String::new(),
        refused: Vec::new(),
    }
}
