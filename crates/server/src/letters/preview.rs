//! Preview the effect of a template on the existing letters. Nothing is changed.

use redrive_core::{Category, LetterId, PolicySource, Status};
use redrive_model::{FindLetters, FoundLetters, FullLetter, GetQueue, LetterInfo, LetterTemplate, Templates};
use redrive_proto::redrive::v1::{LettersPreviewRequest, LettersPreviewResponse};

use super::fields::{letter_error, letter_id};
use super::templates::{invalid, no_such, template};
use crate::api_error::ApiError;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::request_context::RequestContext;

/// Maximum number of letters that one request reads.
const READS_MAX: usize = 2_000;
const BATCH: usize = 500;
/// Maximum number of matching letters that the response lists.
const SAMPLE: usize = 10;

pub(crate) struct Preview;

impl Endpoint for Preview {
    type Request = LettersPreviewRequest;
    type Answer = LettersPreviewResponse;

    const PATH: &'static str = "/v1/letters.preview";
    const NEEDS: Permission = Permission::LettersConfigure;

    async fn call(ctx: &RequestContext, request: LettersPreviewRequest) -> Result<LettersPreviewResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        let settings = ctx.store().queue(GetQueue { name: queue.clone() }).await.map_err(letter_error)?;
        let previewed = PreviewedTemplate::of(&request, &settings.letters.templates)?;
        let mut after = (!request.after.is_empty()).then(|| letter_id(&request.after)).transpose()?;
        let mut answer = LettersPreviewResponse::default();
        let statuses = vec![Status::Pending, Status::Retrying, Status::Exhausted];
        let mut reads = 0;
        while reads < READS_MAX {
            let find = FindLetters { statuses: statuses.clone(), after, ..FindLetters::all(queue.clone(), BATCH) };
            let FoundLetters { letters, next, .. } = ctx.store().find_letters(find).await.map_err(letter_error)?;
            reads += letters.len().max(1);
            for info in letters {
                let Some(id) = info.letter.as_ref().map(|letter| letter.id) else { continue };
                // A letter that was removed meanwhile is skipped.
                if let Some(record) = ctx.record_of(&queue, id).await? {
                    count_letter(&mut answer, &record, id, &previewed);
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

/// The template to preview: an existing one, or one of the request.
struct PreviewedTemplate {
    name: String,
    /// All templates of the queue, including this one.
    templates: Templates,
    /// Only this template: whether it can be evaluated must not depend on whether an earlier one matches.
    alone: Templates,
}

impl PreviewedTemplate {
    fn of(request: &LettersPreviewRequest, existing: &Templates) -> Result<Self, ApiError> {
        let (name, templates) = match &request.template {
            Some(sent) => {
                let (parsed, position) = template(sent).map_err(|error| error.of_field("template"))?;
                let templates = existing.with(parsed, position).map_err(|error| invalid(&error))?;
                (sent.name.clone(), templates)
            }
            None => (request.name.clone(), existing.clone()),
        };
        let previewed = templates.named(&name).ok_or_else(|| no_such(&name))?;
        let alone = Templates::default().with(previewed.clone(), None).map_err(|error| invalid(&error))?;
        Ok(Self { name, templates, alone })
    }
}

/// Counts one letter as if it were captured now.
fn count_letter(answer: &mut LettersPreviewResponse, record: &FullLetter, id: LetterId, previewed: &PreviewedTemplate) {
    answer.looked_at += 1;
    let (Some(first), Some(letter)) = (record.attempts.first(), record.info.letter.as_deref()) else { return };
    let context = record.context.clone().unwrap_or_default();
    // Templates do not apply to items that were moved to the dead queue: its settings for moved items decide.
    if context.death.is_some() {
        return;
    }
    let failure = first.failure(&context);
    answer.broken += i64::from(previewed.alone.matched(&failure, 1).broken.is_some());
    let found = previewed.templates.matched(&failure, 1).template;
    let Some(template) = found.filter(|template| template.name == previewed.name) else { return };
    answer.matches += 1;
    let origin = &context.origin.name;
    count_changes(answer, template, letter, origin);
    if answer.sample.len() < SAMPLE {
        answer.sample.push(id.to_string());
    }
}

/// Counts which properties of a letter the template would change.
///
/// A policy that the capture requested stays, and a derived one follows the category. A destination that differs from
/// the origin was named by the capture and stays. A letter that failed again has the category of its last failure.
fn count_changes(answer: &mut LettersPreviewResponse, template: &LetterTemplate, letter: &LetterInfo, origin: &str) {
    let is_requested = letter.policy_source == PolicySource::Explicit;
    let names_no_destination = &*letter.destination == origin;
    let is_fresh = letter.last_failed_at == letter.first_failed_at;
    // A template with a category or a delay takes precedence over the queue's default policy.
    let category = template.category.filter(|_| is_fresh).or(template.delay.map(|_| letter.category));
    let policy = template.policy.or(category.map(Category::derived_policy));
    let has_other_category = template.category.is_some_and(|category| is_fresh && category != letter.category);
    let has_other_policy = policy.is_some_and(|policy| policy != letter.policy && !is_requested);
    let has_other_limit = template.max_retries.is_some_and(|retries| retries != letter.max_retries);
    let route = template.route.as_deref();
    answer.category_changes += i64::from(has_other_category);
    answer.policy_changes += i64::from(has_other_policy);
    answer.max_retries_changes += i64::from(has_other_limit);
    answer.route_changes += i64::from(route.is_some_and(|route| names_no_destination && route != &*letter.destination));
}
