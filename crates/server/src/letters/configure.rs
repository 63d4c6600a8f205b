//! How a queue treats its letters.

use redrive_core::Invalid;
use redrive_proto::redrive::v1::{LetterSetting, LettersConfigureRequest, LettersConfigureResponse};
use redrive_queue::{LetterKey, LetterSettings, Treatment, UpdateQueue};
use redrive_store::Operation;

use super::archive::undone;
use super::fields::{refused, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;

#[derive(Debug)]
pub(crate) struct Configure;

impl Endpoint for Configure {
    type Request = LettersConfigureRequest;
    type Answer = LettersConfigureResponse;

    const PATH: &'static str = "/v1/letters.configure";

    fn targets(request: &LettersConfigureRequest) -> Option<Vec<AuditTarget>> {
        if looks_only(request) {
            return None;
        }
        let mut targets = targets(&request.queue_name, &[])?;
        let mut names: Vec<&String> = request.set.keys().chain(&request.reset).collect();
        names.sort();
        targets.extend(names.into_iter().map(|name| AuditTarget::new("setting", name)));
        Some(targets)
    }

    async fn call(desk: &Desk, request: LettersConfigureRequest) -> Result<LettersConfigureResponse, Fault> {
        let queue = desk.dead_queue(&request.queue_name, Permission::LettersConfigure).await?;
        let store = &desk.settings().letters;
        if looks_only(&request) {
            let settings = desk.store().queue(queue).await.map_err(refused)?.letters;
            return Ok(told(&settings, store));
        }
        let (request, queue) = (&request, &queue);
        // Decided in the turn of the acts: what two people set at the same time is both set.
        let change = desk.change(|| async move {
            let before = desk.store().queue(queue.clone()).await.map_err(refused)?;
            let letters = changed(&before.letters, request, store).map_err(|error| invalid(&error))?;
            let update = UpdateQueue { letters: Some(letters.clone()), ..UpdateQueue::of(queue.clone()) };
            let after = update.clone().merged(&before, before.updated_at);
            let change = Change::of(Operation::UpdateQueue(Box::new(update))).queue_before(&before).queue_after(&after);
            Ok((change, letters))
        });
        let (_, letters) = change.await.map_err(undone)?;
        Ok(told(&letters, store))
    }
}

fn looks_only(request: &LettersConfigureRequest) -> bool {
    request.set.is_empty() && request.reset.is_empty()
}

fn invalid(invalid: &Invalid) -> Fault {
    Fault::bad(invalid.to_string()).because("invalid")
}

fn changed(
    before: &LetterSettings,
    request: &LettersConfigureRequest,
    store: &Treatment,
) -> Result<LetterSettings, Invalid> {
    let mut settings = before.clone();
    for name in &request.reset {
        name.parse::<LetterKey>()?.reset(&mut settings);
    }
    // In an order of their own, so that the same request is refused for the same reason.
    let mut set: Vec<(&String, &String)> = request.set.iter().collect();
    set.sort();
    for (name, text) in set {
        name.parse::<LetterKey>()?.set(&mut settings, store, text)?;
    }
    Ok(settings)
}

fn told(settings: &LetterSettings, store: &Treatment) -> LettersConfigureResponse {
    let setting = |key: LetterKey| LetterSetting {
        name: key.name().to_owned(),
        value: key.shown(settings, store),
        source: if key.is_own(settings) { "queue" } else { "server" }.to_owned(),
    };
    LettersConfigureResponse { settings: LetterKey::ALL.into_iter().map(setting).collect() }
}
