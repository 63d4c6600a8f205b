//! What a queue does with failures of known kinds.

use redrive_core::{Invalid, RetryPolicy};
use redrive_model::{GetQueue, LetterTemplate, Templates as Kept, UpdateQueue};
use redrive_proto::redrive::v1::{LetterTemplate as Sent, LettersTemplatesRequest, LettersTemplatesResponse};

use super::archive::undone;
use super::fields::{max_retries, refused, retry_policy, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
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

    async fn call(desk: &Desk, request: LettersTemplatesRequest) -> Result<LettersTemplatesResponse, Fault> {
        let looks_only = request.set.is_none() && request.remove.is_empty();
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if looks_only {
            let settings = desk.store().queue(GetQueue { name: queue }).await.map_err(refused)?;
            return Ok(told(&settings.letters.templates));
        }
        let (request, queue) = (&request, &queue);
        // Decided in the turn of the acts: what two people set at the same time is both set.
        let change = desk.change(|| async move {
            let before = desk.store().queue(GetQueue { name: queue.clone() }).await.map_err(refused)?;
            let templates = changed(&before.letters.templates, request)?;
            let letters = redrive_model::LetterOverrides { templates: templates.clone(), ..before.letters.clone() };
            let update = UpdateQueue { letters: Some(letters), ..UpdateQueue::of(queue.clone()) };
            let after = update.clone().merged(&before, before.updated_at);
            let change = Change::of(update).queue_before(&before).queue_after(&after);
            Ok((change, templates))
        });
        let (_, templates) = change.await.map_err(undone)?;
        Ok(told(&templates))
    }
}

fn changed(before: &Kept, request: &LettersTemplatesRequest) -> Result<Kept, Fault> {
    let today = big_count(before.version());
    if request.version != 0 && request.version != today {
        let message =
            format!("templates were changed; they have version {today}, and {} was looked at", request.version);
        return Err(Fault::new(Code::Conflict, message).because("stale_revision"));
    }
    match &request.set {
        Some(_) if !request.remove.is_empty() => {
            Err(Fault::bad("templates is invalid; set one, or remove one").because("invalid"))
        }
        Some(sent) => before.with(template(sent)?, place(sent.position)?).map_err(|error| invalid(&error)),
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

/// At which place it is asked; none where nothing is said.
pub(super) fn place(given: i32) -> Result<Option<usize>, Fault> {
    let place = usize::try_from(given).map_err(|_| {
        Fault::bad(format!("position is invalid; must be 1 or more, or left out, but {given} was given"))
            .because("invalid")
    })?;
    Ok(Some(place).filter(|place| *place > 0))
}

pub(super) fn template(sent: &Sent) -> Result<LetterTemplate, Fault> {
    let text = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    Ok(LetterTemplate {
        name: sent.name.clone(),
        regex: text(&sent.regex),
        field: text(&sent.field),
        when: text(&sent.when),
        policy: retry_policy(&sent.retry_policy)?,
        max_retries: max_retries(sent.max_retries)?,
        route: text(&sent.route),
        note: text(&sent.note),
        version: 0,
    })
}

fn told(templates: &Kept) -> LettersTemplatesResponse {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let template = |(template, position): (&LetterTemplate, usize)| Sent {
        name: template.name.clone(),
        regex: text(&template.regex),
        field: text(&template.field),
        when: text(&template.when),
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
