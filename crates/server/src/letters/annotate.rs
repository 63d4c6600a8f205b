//! Write something down with a letter.

use bytes::Bytes;
use redrive_core::Time;
use redrive_proto::redrive::v1::{LettersAnnotateRequest, LettersAnnotateResponse, Note};
use serde::{Deserialize, Serialize};

use super::address::by_id;
use super::archive::undone;
use super::fields::targets;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;

const TEXT_BYTES_MAX: usize = 32 * 1024;
const TAGS_MAX: usize = 64;
const TAG_BYTES_MAX: usize = 200;

/// A note as it is kept: JSON, because it is read by people and grows fields.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    author: String,
    /// Microseconds.
    #[serde(default)]
    at: i64,
}

#[derive(Debug)]
pub(crate) struct Annotate;

impl Endpoint for Annotate {
    type Request = LettersAnnotateRequest;
    type Answer = LettersAnnotateResponse;

    const PATH: &'static str = "/v1/letters.annotate";
    const NEEDS: Permission = Permission::LettersEdit;

    fn targets(request: &LettersAnnotateRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, std::slice::from_ref(&request.id))
    }

    async fn call(desk: &Desk, request: LettersAnnotateRequest) -> Result<LettersAnnotateResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        check(&request)?;
        let letter = desk.letter(&queue, &request.id).await?;
        let name = &request.id;
        let kept = Kept {
            text: request.text,
            tags: request.tags,
            author: desk.caller.user.to_string(),
            at: desk.app.deadlines.now().as_micros(),
        };
        let note = serde_json::to_vec(&kept).map(Bytes::from).map_err(|_| Fault::internal())?;
        let annotate = &redrive_model::Annotate { queue, letter, note };
        let change = desk.change(|| async move { Ok((by_id(Change::of(annotate.clone()), name, letter), ())) });
        change.await.map_err(undone)?;
        Ok(LettersAnnotateResponse { note: Some(told(kept)) })
    }
}

fn check(request: &LettersAnnotateRequest) -> Result<(), Fault> {
    if request.text.is_empty() && request.tags.is_empty() {
        return Err(Fault::bad("note is invalid; there must be a text or a tag").because("invalid"));
    }
    if request.text.len() > TEXT_BYTES_MAX {
        return Err(
            Fault::bad(format!("text is invalid; cannot be greater than {TEXT_BYTES_MAX} bytes")).because("invalid")
        );
    }
    let is_wrong = |tag: &String| tag.trim().is_empty() || tag.len() > TAG_BYTES_MAX;
    if request.tags.len() > TAGS_MAX || request.tags.iter().any(is_wrong) {
        let allowed = format!("at most {TAGS_MAX} of 1 to {TAG_BYTES_MAX} bytes each");
        return Err(Fault::bad(format!("tags is invalid; {allowed}")).because("invalid"));
    }
    Ok(())
}

/// A note that was kept. One that somebody else wrote in another form is told as it is.
pub(super) fn noted(note: &Bytes) -> Note {
    let plain = || Note { text: String::from_utf8_lossy(note).into_owned(), ..Note::default() };
    serde_json::from_slice::<Kept>(note).map_or_else(|_| plain(), told)
}

fn told(kept: Kept) -> Note {
    let at = (kept.at != 0).then(|| Time::from_micros(kept.at).into());
    Note { text: kept.text, author: kept.author, at, tags: kept.tags }
}
