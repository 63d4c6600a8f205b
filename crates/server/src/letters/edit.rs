//! Change a letter's content, or how it is retried.

use std::sync::Arc;

use redrive_model::{Content, FullLetter, GetLetter, Header};
use redrive_proto::redrive::v1::{LettersEditRequest, LettersEditResponse};

use super::address::by_id;
use super::archive::undone;
use super::fields::{max_retries, one_of, refused, retry_policy, targets};
use super::view;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
use crate::settings::Settings;
use crate::wire::big_count;

#[derive(Debug)]
pub(crate) struct Edit;

impl Endpoint for Edit {
    type Request = LettersEditRequest;
    type Answer = LettersEditResponse;

    const PATH: &'static str = "/v1/letters.edit";
    const NEEDS: Permission = Permission::LettersEdit;

    fn body_max(settings: &Settings) -> usize {
        settings.produce_body_max
    }

    fn targets(request: &LettersEditRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, std::slice::from_ref(&request.id))
    }

    async fn call(desk: &Desk, request: LettersEditRequest) -> Result<LettersEditResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let policy = retry_policy(&request.retry_policy)?;
        let max_retries = max_retries(request.max_retries)?;
        let priority = one_of("priority", &request.priority)?;
        let edits_content = request.payload.is_some() || request.headers.is_some();
        if !edits_content && policy.is_none() && max_retries.is_none() && priority.is_none() {
            return Err(Fault::bad("edit is invalid; nothing is given that could be changed").because("invalid"));
        }
        let letter = desk.letter(&queue, &request.id).await?;
        let (request, queue) = (&request, &queue);
        // What was looked at and what is changed must be the same letter: decided in the turn of the acts.
        let change = desk.change(|| async move {
            let get = GetLetter { queue: queue.clone(), letter };
            let record = desk.store().letter(get).await.map_err(refused)?;
            check_revision(request.revision, &record)?;
            let content = edits_content.then(|| Arc::new(edited(request, &record.content)));
            let hash = |content: &Content| Hashed::of(content);
            let before = hash(&record.content);
            let after = content.as_deref().map_or_else(|| hash(&record.content), hash);
            let edit = redrive_model::Edit { queue: queue.clone(), letter, content, policy, max_retries, priority };
            let told = (&request.retry_policy, request.max_retries, &request.priority);
            let change = Change::of(edit).before(&before).after(&(after, told));
            Ok((by_id(change, &request.id, letter), ()))
        });
        let (info, ()) = change.await.map_err(undone)?;
        Ok(LettersEditResponse { letter: Some(view::letter(&request.queue_name, &info)) })
    }
}

/// Of a content only this goes into the records of acts.
#[derive(serde::Serialize)]
struct Hashed {
    payload: [u8; 16],
    headers: usize,
}

impl Hashed {
    fn of(content: &Content) -> Self {
        Self { payload: content.digest(), headers: content.headers.len() }
    }
}

fn check_revision(looked_at: i64, record: &FullLetter) -> Result<(), Fault> {
    let today = record.info.letter.as_ref().map_or(0, |letter| big_count(letter.revision));
    if looked_at == 0 || looked_at == today {
        return Ok(());
    }
    let message = format!("letter was changed; it has revision {today}, and {looked_at} was looked at");
    Err(Fault::new(Code::Conflict, message).because("stale_revision"))
}

fn edited(request: &LettersEditRequest, before: &Content) -> Content {
    let mut content = before.clone();
    if let Some(payload) = &request.payload {
        content.payload = payload.clone();
    }
    if let Some(sent) = &request.headers {
        let headers = sent.headers.iter();
        content.headers =
            headers.map(|header| Header { name: header.name.clone(), value: header.value.clone() }).collect();
    }
    content
}
