//! Import exported letters.

use redrive_model::{FullLetter, OnOlderRevision, Reinstate, Reinstated, Rejection};
use redrive_proto::redrive::v1::{LettersImportRequest, LettersImportResponse, RefusedLine};
use redrive_search::KeptLetter;

use super::archive::change_fault;
use super::fields::targets;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::Fault;
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::settings::Settings;
use crate::wire::count;

/// Maximum number of letters that one request may import.
const LINES_MAX: usize = 1_000;

#[derive(Debug)]
pub(crate) struct Import;

impl Endpoint for Import {
    type Request = LettersImportRequest;
    type Answer = LettersImportResponse;

    const PATH: &'static str = "/v1/letters.import";
    const NEEDS: Permission = Permission::LettersConfigure;

    fn body_max(_settings: &Settings) -> usize {
        64_000_000
    }

    fn targets(request: &LettersImportRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &[])
    }

    async fn call(ctx: &RequestContext, request: LettersImportRequest) -> Result<LettersImportResponse, Fault> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if request.lines.is_empty() || request.lines.len() > LINES_MAX {
            let given = request.lines.len();
            let message = format!("lines is invalid; must be 1 to {LINES_MAX}, but {given} were given");
            return Err(Fault::bad(message).because("invalid"));
        }
        let mut answer = LettersImportResponse::default();
        let (mut letters, mut numbers) = (Vec::new(), Vec::new());
        for (line, number) in request.lines.iter().zip(1..) {
            match letter(line) {
                Ok(letter) => {
                    letters.push(letter);
                    numbers.push(number);
                }
                Err(message) => answer.refused.push(refused_line(number, "invalid", message)),
            }
        }
        if !letters.is_empty() {
            let older = if request.replace { OnOlderRevision::Replace } else { OnOlderRevision::Keep };
            let outcomes = reinstate(ctx, Reinstate { queue, letters, older }).await?;
            for (number, outcome) in numbers.into_iter().zip(outcomes) {
                match outcome {
                    Ok(Reinstated::New | Reinstated::Newer) => answer.imported += 1,
                    Ok(Reinstated::There) => answer.there += 1,
                    Err(rejection) => {
                        answer.refused.push(refused_line(number, reason_of(&rejection), rejection.to_string()));
                    }
                }
            }
        }
        answer.refused.sort_by_key(|refused| refused.line);
        Ok(answer)
    }
}

/// Parses the letter of a line. The error omits the message of the JSON parser, which may quote a part of a payload.
fn letter(line: &str) -> Result<FullLetter, String> {
    let letter = KeptLetter::read(line).map_err(|unreadable| unreadable.to_string())?;
    letter.check().map_err(|rejection| rejection.to_string())?;
    Ok(letter)
}

/// Writes the letters and the audit record of the act in one transaction.
async fn reinstate(ctx: &RequestContext, reinstate: Reinstate) -> Result<Vec<Result<Reinstated, Rejection>>, Fault> {
    let letters = reinstate.letters.iter().filter_map(|letter| letter.info.letter.as_ref());
    let ids: Vec<String> = letters.map(|letter| letter.id.to_string()).collect();
    let (reinstate, ids) = (&reinstate, &ids);
    let done = ctx.change(|| async move { Ok((Change::of(reinstate.clone()).plan(ids), ())) }).await;
    done.map(|(outcomes, ())| outcomes).map_err(change_fault)
}

const fn reason_of(rejection: &Rejection) -> &'static str {
    match rejection {
        Rejection::SourceHeld { .. } | Rejection::LetterElsewhere { .. } => "duplicate",
        Rejection::OlderLetter { .. } | Rejection::OtherLetter { .. } => "conflict",
        _ => "invalid",
    }
}

fn refused_line(line: usize, reason: &str, message: String) -> RefusedLine {
    RefusedLine { line: count(line), reason: reason.to_owned(), message }
}
