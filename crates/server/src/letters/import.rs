//! Put exported letters back.

use redrive_model::{FullLetter, OnOlderRevision, Reinstate, Reinstated, Rejection};
use redrive_proto::redrive::v1::{LettersImportRequest, LettersImportResponse, RefusedLine};
use redrive_search::KeptLetter;

use super::archive::undone;
use super::fields::targets;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::settings::Settings;
use crate::wire::count;

/// So many letters are put back at once.
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

    async fn call(desk: &Desk, request: LettersImportRequest) -> Result<LettersImportResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
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
                Err(message) => answer.refused.push(refusal(number, "invalid", message)),
            }
        }
        if !letters.is_empty() {
            let older = if request.replace { OnOlderRevision::GoesAway } else { OnOlderRevision::Stays };
            for (number, outcome) in numbers.into_iter().zip(put_back(desk, Reinstate { queue, letters, older }).await?)
            {
                match outcome {
                    Ok(Reinstated::New | Reinstated::Newer) => answer.imported += 1,
                    Ok(Reinstated::There) => answer.there += 1,
                    Err(why) => answer.refused.push(refusal(number, reason_of(&why), why.to_string())),
                }
            }
        }
        answer.refused.sort_by_key(|refused| refused.line);
        Ok(answer)
    }
}

/// The letter of a line, or what is wrong with it. What the parser says may have a piece of a payload in it.
fn letter(line: &str) -> Result<FullLetter, String> {
    let letter = KeptLetter::read(line).map_err(|unreadable| unreadable.to_string())?;
    letter.check().map_err(|refusal| refusal.to_string())?;
    Ok(letter)
}

/// The letters and the record of the act are one.
async fn put_back(desk: &Desk, reinstate: Reinstate) -> Result<Vec<Result<Reinstated, Rejection>>, Fault> {
    let letters = reinstate.letters.iter().filter_map(|letter| letter.info.letter.as_ref());
    let ids: Vec<String> = letters.map(|letter| letter.id.to_string()).collect();
    let (reinstate, ids) = (&reinstate, &ids);
    let done = desk.change(|| async move { Ok((Change::of(reinstate.clone()).plan(ids), ())) }).await;
    done.map(|(outcomes, ())| outcomes).map_err(undone)
}

const fn reason_of(refusal: &Rejection) -> &'static str {
    match refusal {
        Rejection::SourceHeld { .. } | Rejection::LetterElsewhere { .. } => "duplicate",
        Rejection::OlderLetter { .. } | Rejection::OtherLetter { .. } => "conflict",
        _ => "invalid",
    }
}

fn refusal(line: usize, reason: &str, message: String) -> RefusedLine {
    RefusedLine { line: count(line), reason: reason.to_owned(), message }
}
