//! What a template would mean for the letters that are there. Nothing is changed.

use redrive_core::{LetterId, PolicySource, Status};
use redrive_model::{
    FindLetters, FoundLetters, FullLetter, GetLetter, GetQueue, LetterInfo, LetterTemplate, Rejection, Templates,
};
use redrive_proto::redrive::v1::{LettersPreviewRequest, LettersPreviewResponse};
use redrive_store::StoreError;

use super::fields::{letter_id, refused};
use super::templates::{invalid, no_such, place, template};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;

/// So many letters are read for one answer.
const READS_MAX: usize = 2_000;
const AT_ONCE: usize = 500;
/// Some that match, to look at.
const SAMPLE: usize = 10;

#[derive(Debug)]
pub(crate) struct Preview;

impl Endpoint for Preview {
    type Request = LettersPreviewRequest;
    type Answer = LettersPreviewResponse;

    const PATH: &'static str = "/v1/letters.preview";
    const NEEDS: Permission = Permission::LettersConfigure;

    async fn call(desk: &Desk, request: LettersPreviewRequest) -> Result<LettersPreviewResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let templates = desk.store().queue(GetQueue { name: queue.clone() }).await.map_err(refused)?.letters.templates;
        let meant = Meant::of(&request, &templates)?;
        let mut after = (!request.after.is_empty()).then(|| letter_id(&request.after)).transpose()?;
        let mut answer = LettersPreviewResponse::default();
        let statuses = vec![Status::Pending, Status::Retrying, Status::Exhausted];
        let mut reads = 0;
        while reads < READS_MAX {
            let find = FindLetters { statuses: statuses.clone(), after, ..FindLetters::all(queue.clone(), AT_ONCE) };
            let FoundLetters { letters, next } = desk.store().find_letters(find).await.map_err(refused)?;
            reads += letters.len().max(1);
            for info in letters {
                let Some(id) = info.letter.as_ref().map(|letter| letter.id) else { continue };
                let get = GetLetter { queue: queue.clone(), letter: id };
                match desk.store().letter(get).await {
                    Ok(record) => look(&mut answer, &record, id, &meant),
                    // Gone meanwhile.
                    Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => {}
                    Err(error) => return Err(refused(error)),
                }
            }
            after = next;
            if after.is_none() {
                break;
            }
        }
        answer.next = after.map(|after| after.to_string()).unwrap_or_default();
        Ok(answer)
    }
}

/// The template whose letters are counted: one that is there, or one that might be.
struct Meant {
    name: String,
    /// It among the others.
    templates: Templates,
    /// It by itself: whether it can be evaluated does not depend on whether another one matches before.
    alone: Templates,
}

impl Meant {
    fn of(request: &LettersPreviewRequest, there: &Templates) -> Result<Self, Fault> {
        let (name, templates) = match &request.template {
            Some(sent) => {
                let templates = there.with(template(sent)?, place(sent.position)?).map_err(|error| invalid(&error))?;
                (sent.name.clone(), templates)
            }
            None => (request.name.clone(), there.clone()),
        };
        let it = templates.named(&name).ok_or_else(|| no_such(&name))?;
        let alone = Templates::default().with(it.clone(), None).map_err(|error| invalid(&error))?;
        Ok(Self { name, templates, alone })
    }
}

/// Counts one letter, as it would have been captured.
fn look(answer: &mut LettersPreviewResponse, record: &FullLetter, id: LetterId, meant: &Meant) {
    answer.looked_at += 1;
    let (Some(first), Some(letter)) = (record.attempts.first(), record.info.letter.as_deref()) else { return };
    let context = record.context.clone().unwrap_or_default();
    // A queue that moves items gives them terms of its own.
    if context.death.is_some() {
        return;
    }
    let failure = first.failure(&context);
    answer.broken += i64::from(meant.alone.matched(&failure, 1).broken.is_some());
    let found = meant.templates.matched(&failure, 1).template;
    let Some(template) = found.filter(|template| template.name == meant.name) else { return };
    answer.matches += 1;
    let origin = &context.origin.name;
    let Differences { policy, max_retries, route } = Differences::of(template, letter, origin);
    answer.policy_changes += i64::from(policy);
    answer.max_retries_changes += i64::from(max_retries);
    answer.route_changes += i64::from(route);
    if answer.sample.len() < SAMPLE {
        answer.sample.push(id.to_string());
    }
}

/// What would be otherwise with a letter.
struct Differences {
    policy: bool,
    max_retries: bool,
    route: bool,
}

impl Differences {
    /// A policy that was asked for stays; a destination that is not its origin was named.
    fn of(template: &LetterTemplate, letter: &LetterInfo, origin: &str) -> Self {
        let is_asked_for = letter.policy_source == PolicySource::Explicit;
        let names_none = &*letter.destination == origin;
        Self {
            policy: template.policy.is_some_and(|policy| policy != letter.policy && !is_asked_for),
            max_retries: template.max_retries.is_some_and(|retries| retries != letter.max_retries),
            route: template.route.as_deref().is_some_and(|route| names_none && route != &*letter.destination),
        }
    }
}
