//! Add a note to a letter.

use bytes::Bytes;
use redrive_core::Time;
use redrive_proto::redrive::v1::{LettersAnnotateRequest, LettersAnnotateResponse, Note};
use serde::{Deserialize, Serialize};

use super::address::by_id;
use super::archive::act_error;
use super::fields::targets;
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change};
use crate::auth::{Permission, SYSTEM};
use crate::http::Endpoint;
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::tenancy::KnownUsers;

const TEXT_BYTES_MAX: usize = 32 * 1024;
const TAGS_MAX: usize = 64;
const TAG_BYTES_MAX: usize = 200;

/// A note as it is stored: JSON, because people read it and it may get more fields.
#[derive(Debug, Serialize, Deserialize)]
struct StoredNote {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    author: String,
    /// Microseconds since the Unix epoch.
    #[serde(default)]
    at: i64,
}

pub(crate) struct Annotate;

impl Endpoint for Annotate {
    type Request = LettersAnnotateRequest;
    type Answer = LettersAnnotateResponse;

    const PATH: &'static str = "/v1/letters.annotate";
    const NEEDS: Permission = Permission::LettersEdit;

    fn targets(request: &LettersAnnotateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, std::slice::from_ref(&request.id))
    }

    async fn call(ctx: &RequestContext, request: LettersAnnotateRequest) -> Result<LettersAnnotateResponse, ApiError> {
        let checked = check(&request);
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await;
        let queue = queue.map_err(|error| error.with_problems_of(&checked))?;
        checked?;
        let letter = ctx.letter(&queue, &request.id).await?;
        let stored = StoredNote {
            text: request.text,
            tags: request.tags,
            author: ctx.caller.user.to_string(),
            at: ctx.app.deadlines.now().as_micros(),
        };
        let author_name = KnownUsers::new(ctx).name(&stored.author, SYSTEM).await?;
        let note = serde_json::to_vec(&stored).map(Bytes::from).map_err(|_| ApiError::internal())?;
        let change = Change::of(redrive_model::Annotate { queue, letter, note });
        ctx.act(by_id(change, &request.id, letter)).await.map_err(act_error)?;
        Ok(LettersAnnotateResponse { note: Some(Note { author_name, ..wire_note(stored) }) })
    }
}

fn check(request: &LettersAnnotateRequest) -> Result<(), ApiError> {
    if request.text.is_empty() && request.tags.is_empty() {
        return Err(ApiError::bad("note is invalid; there must be a text or a tag").of_field("text"));
    }
    let mut problems = Problems::default();
    if request.text.len() > TEXT_BYTES_MAX {
        let error = ApiError::bad(format!("text is invalid; cannot be greater than {TEXT_BYTES_MAX} bytes"));
        problems.field("text", Err::<(), _>(error));
    }
    let is_wrong = |tag: &String| tag.trim().is_empty() || tag.len() > TAG_BYTES_MAX;
    if request.tags.len() > TAGS_MAX || request.tags.iter().any(is_wrong) {
        let allowed = format!("at most {TAGS_MAX} of 1 to {TAG_BYTES_MAX} bytes each");
        problems.field("tags", Err::<(), _>(ApiError::bad(format!("tags is invalid; {allowed}"))));
    }
    problems.finish(())
}

/// Reads a stored note. One that another program wrote in another format becomes the text of the note.
pub(super) fn read_note(note: &Bytes) -> Note {
    let plain = || Note { text: String::from_utf8_lossy(note).into_owned(), ..Note::default() };
    serde_json::from_slice::<StoredNote>(note).map_or_else(|_| plain(), wire_note)
}

fn wire_note(stored: StoredNote) -> Note {
    let at = (stored.at != 0).then(|| Time::from_micros(stored.at).into());
    Note { text: stored.text, author: stored.author, at, tags: stored.tags, ..Note::default() }
}
