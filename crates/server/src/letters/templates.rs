//! Read and change the templates of a queue, which classify its failures.

use redrive_core::{Category, Invalid, RetryPolicy, Span};
use redrive_model::{GetQueue, LetterTemplate, Templates as QueueTemplates, UpdateQueue};
use redrive_proto::redrive::v1::{LetterTemplate as WireTemplate, LettersTemplatesRequest, LettersTemplatesResponse};

use super::archive::change_fault;
use super::fields::{letter_fault, max_retries, one_of, retry_policy, span, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::fault::{Code, Fault};
use crate::http::Endpoint;
use crate::request_context::RequestContext;
use crate::wire::{big_count, count};

#[derive(Debug)]
pub(crate) struct Templates;

impl Endpoint for Templates {
    type Request = LettersTemplatesRequest;
    type Answer = LettersTemplatesResponse;

    const PATH: &'static str = "/v1/letters.templates";
    const NEEDS: Permission = Permission::LettersConfigure;

    fn targets(request: &LettersTemplatesRequest) -> Option<Vec<AuditTarget>> {
        let set = request.set.as_ref().map(|template| &template.name);
        let name = set.or(Some(&request.remove).filter(|name| !name.is_empty()))?;
        let mut targets = targets(&request.queue_name, &[])?;
        targets.push(AuditTarget::new("template", name));
        Some(targets)
    }

    async fn call(ctx: &RequestContext, request: LettersTemplatesRequest) -> Result<LettersTemplatesResponse, Fault> {
        let is_read_only = request.set.is_none() && request.remove.is_empty();
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if is_read_only {
            let settings = ctx.store().queue(GetQueue { name: queue }).await.map_err(letter_fault)?;
            return Ok(response(&settings.letters.templates));
        }
        let (request, queue) = (&request, &queue);
        // Read and changed under the audit lock, so that neither of two concurrent requests loses its template.
        let change = ctx.change(|| async move {
            let before = ctx.store().queue(GetQueue { name: queue.clone() }).await.map_err(letter_fault)?;
            let templates = changed(&before.letters.templates, request)?;
            let letters = redrive_model::LetterOverrides { templates: templates.clone(), ..before.letters.clone() };
            let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
            let after = update.clone().merged(&before, before.updated_at);
            let change = Change::of(update).queue_before(&before).queue_after(&after);
            Ok((change, templates))
        });
        let (_, templates) = change.await.map_err(change_fault)?;
        Ok(response(&templates))
    }
}

fn changed(before: &QueueTemplates, request: &LettersTemplatesRequest) -> Result<QueueTemplates, Fault> {
    let current = big_count(before.version());
    if request.version != 0 && request.version != current {
        let expected = request.version;
        let message =
            format!("templates were changed; they have version {current}, and the request expects {expected}");
        return Err(Fault::new(Code::Conflict, message).because("stale_revision"));
    }
    match &request.set {
        Some(_) if !request.remove.is_empty() => {
            Err(Fault::bad("templates is invalid; set one, or remove one").because("invalid"))
        }
        Some(sent) => before.with(template(sent)?, position(sent.position)?).map_err(|error| invalid(&error)),
        None => before.without(&request.remove).ok_or_else(|| no_such(&request.remove)),
    }
}

pub(super) fn no_such(name: &str) -> Fault {
    Fault::new(Code::NotFound, format!("template does not exist; this queue has none named '{name}'"))
        .because("not_found")
}

pub(super) fn invalid(invalid: &Invalid) -> Fault {
    Fault::bad(invalid.to_string()).because("invalid")
}

/// The position of a template in the order of evaluation, from 1; `None` if the request sets none.
pub(super) fn position(given: i32) -> Result<Option<usize>, Fault> {
    let position = usize::try_from(given).map_err(|_| {
        Fault::bad(format!("position is invalid; must be 1 or more, or left out, but {given} was given"))
            .because("invalid")
    })?;
    Ok(Some(position).filter(|position| *position > 0))
}

pub(super) fn template(sent: &WireTemplate) -> Result<LetterTemplate, Fault> {
    let text = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    Ok(LetterTemplate {
        name: sent.name.clone(),
        regex: text(&sent.regex),
        field: text(&sent.field),
        when: text(&sent.when),
        category: one_of("category", &sent.category)?,
        policy: retry_policy(&sent.retry_policy)?,
        max_retries: max_retries(sent.max_retries)?,
        delay: span("delay", &sent.delay)?,
        route: text(&sent.route),
        note: text(&sent.note),
        version: 0,
    })
}

fn response(templates: &QueueTemplates) -> LettersTemplatesResponse {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let template = |(template, position): (&LetterTemplate, usize)| WireTemplate {
        name: template.name.clone(),
        regex: text(&template.regex),
        field: text(&template.field),
        when: text(&template.when),
        category: template.category.as_ref().map(Category::to_string).unwrap_or_default(),
        delay: template.delay.as_ref().map(Span::to_string).unwrap_or_default(),
        retry_policy: template.policy.as_ref().map(RetryPolicy::to_string).unwrap_or_default(),
        max_retries: template.max_retries.map(count),
        route: text(&template.route),
        note: text(&template.note),
        version: big_count(template.version),
        position: count(position),
    };
    LettersTemplatesResponse {
        templates: templates.list().iter().zip(1..).map(template).collect(),
        version: big_count(templates.version()),
    }
}
