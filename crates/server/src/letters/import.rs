//! Import exported letters.

use redrive_model::{FullLetter, KeptLetter, OnOlderRevision, Reinstate, Reinstated, Rejection};
use redrive_proto::redrive::v1::{LettersImportRequest, LettersImportResponse, RefusedLine};

use super::archive::act_error;
use super::fields::targets;
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;

/// Maximum number of letters that one request may import.
const LINES_MAX: usize = 1_000;

pub(crate) struct Import;

impl Endpoint for Import {
    type Request = LettersImportRequest;
    type Answer = LettersImportResponse;

    const PATH: &'static str = "/v1/letters.import";
    const NEEDS: Permission = Permission::LettersConfigure;
    const BODY_MAX: BodyLimit = BodyLimit::Bytes(64_000_000);

    fn targets(request: &LettersImportRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &[])
    }

    async fn call(ctx: &RequestContext, request: LettersImportRequest) -> Result<LettersImportResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if request.lines.is_empty() || request.lines.len() > LINES_MAX {
            let given = request.lines.len();
            let message = format!("lines is invalid; must be 1 to {LINES_MAX}, but {given} were given");
            return Err(ApiError::bad(message));
        }
        let mut answer = LettersImportResponse::default();
        let (mut letters, mut numbers) = (Vec::new(), Vec::new());
        for (line, number) in request.lines.iter().zip(1..) {
            match letter(line) {
                Ok(letter) => {
                    letters.push(letter);
                    numbers.push(number);
                }
                Err(refused) => answer.refused.push(RefusedLine { line: number, ..refused }),
            }
        }
        if !letters.is_empty() {
            let older = if request.replace { OnOlderRevision::Replace } else { OnOlderRevision::Keep };
            let outcomes = reinstate(ctx, Reinstate { queue, letters, older }).await?;
            for (number, outcome) in numbers.into_iter().zip(outcomes) {
                match outcome {
                    Ok(Reinstated::New | Reinstated::Newer) => answer.imported += 1,
                    Ok(Reinstated::There) => answer.there += 1,
                    Err(rejection) => answer.refused.push(RefusedLine { line: number, ..refused_line(&rejection) }),
                }
            }
        }
        answer.refused.sort_by_key(|refused| refused.line);
        Ok(answer)
    }
}

/// Parses the letter of a line. The error omits the message of the JSON parser, which may quote a part of a payload.
fn letter(line: &str) -> Result<FullLetter, RefusedLine> {
    let letter = KeptLetter::read(line).map_err(|unreadable| RefusedLine {
        reason: "invalid".to_owned(),
        message: unreadable.to_string(),
        ..RefusedLine::default()
    })?;
    letter.check().map_err(|rejection| refused_line(&rejection))?;
    Ok(letter)
}

/// Writes the letters and the audit record of the act in one transaction.
async fn reinstate(ctx: &RequestContext, reinstate: Reinstate) -> Result<Vec<Result<Reinstated, Rejection>>, ApiError> {
    let letters = reinstate.letters.iter().filter_map(|letter| letter.info.letter.as_ref());
    let ids: Vec<String> = letters.map(|letter| letter.id.to_string()).collect();
    ctx.act(Change::of(reinstate).plan(&ids)).await.map_err(act_error)
}

/// The answer for the line of a rejected letter, without its number.
fn refused_line(rejection: &Rejection) -> RefusedLine {
    let reason = match rejection {
        Rejection::SourceHeld { .. } | Rejection::LetterElsewhere { .. } => "duplicate",
        Rejection::OlderLetter { .. } | Rejection::OtherLetter { .. } => "conflict",
        _ => "invalid",
    };
    RefusedLine {
        line: 0,
        reason: reason.to_owned(),
        message: rejection.to_string(),
        rejection: rejection.reason().to_owned(),
        fields: rejection.fields(),
    }
}
