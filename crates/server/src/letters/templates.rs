//! Read and change the templates of a queue, which classify its failures.

use redrive_core::{Category, Invalid, RetryPolicy, Span};
use redrive_model::{GetQueue, LetterOverrides, LetterTemplate, Templates as QueueTemplates};
use redrive_proto::redrive::v1::{LetterTemplate as WireTemplate, LettersTemplatesRequest, LettersTemplatesResponse};

use super::fields::{letter_error, max_retries, one_of, retry_policy, span, targets};
use crate::api_error::{ApiError, Code};
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::http::Endpoint;
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::wire::{big_count, count};

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

    async fn call(
        ctx: &RequestContext,
        request: LettersTemplatesRequest,
    ) -> Result<LettersTemplatesResponse, ApiError> {
        let is_read_only = request.set.is_none() && request.remove.is_empty();
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if is_read_only {
            let settings = ctx.store().queue(GetQueue { name: queue }).await.map_err(letter_error)?;
            return Ok(response(&settings.letters.templates));
        }
        let letters = ctx.change_overrides(&queue, |before| {
            let templates = changed(&before.templates, &request)?;
            Ok(LetterOverrides { templates, ..before.clone() })
        });
        Ok(response(&letters.await?.templates))
    }
}

fn changed(before: &QueueTemplates, request: &LettersTemplatesRequest) -> Result<QueueTemplates, ApiError> {
    let current = big_count(before.version());
    if request.version != 0 && request.version != current {
        let expected = request.version;
        let message =
            format!("templates were changed; they have version {current}, and the request expects {expected}");
        return Err(ApiError::new(Code::Conflict, message).because("stale_revision"));
    }
    match &request.set {
        Some(_) if !request.remove.is_empty() => Err(ApiError::bad("templates is invalid; set one, or remove one")),
        Some(sent) => {
            let (template, position) = template(sent).map_err(|error| error.of_field("set"))?;
            before.with(template, position).map_err(|error| invalid(&error))
        }
        None => before.without(&request.remove).ok_or_else(|| no_such(&request.remove)),
    }
}

pub(super) fn no_such(name: &str) -> ApiError {
    ApiError::new(Code::NotFound, format!("template does not exist; this queue has none named '{name}'"))
        .because("no_such_template")
        .with("template", name)
        .grouped("not_found")
}

pub(super) fn invalid(invalid: &Invalid) -> ApiError {
    ApiError::bad(invalid.to_string())
}

/// The position of a template in the order of evaluation, from 1; `None` if the request sets none.
fn position(given: i32) -> Result<Option<usize>, ApiError> {
    let position = usize::try_from(given).map_err(|_| {
        ApiError::bad(format!("position is invalid; must be 1 or more, or left out, but {given} was given"))
    })?;
    Ok(Some(position).filter(|position| *position > 0))
}

/// A template of a request, with its position.
pub(super) fn template(sent: &WireTemplate) -> Result<(LetterTemplate, Option<usize>), ApiError> {
    let text = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let mut problems = Problems::default();
    let template = LetterTemplate {
        name: sent.name.clone(),
        regex: text(&sent.regex),
        field: text(&sent.field),
        when: text(&sent.when),
        category: problems.field("category", one_of("category", &sent.category)),
        policy: problems.field("retry_policy", retry_policy(&sent.retry_policy)),
        max_retries: problems.field("max_retries", max_retries(sent.max_retries)),
        delay: problems.field("delay", span("delay", &sent.delay)),
        route: text(&sent.route),
        note: text(&sent.note),
        version: 0,
    };
    let position = problems.field("position", position(sent.position));
    problems.finish((template, position))
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
