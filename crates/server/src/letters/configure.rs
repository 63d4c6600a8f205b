//! How a queue treats its letters.

use redrive_core::Invalid;
use redrive_model::{GetQueue, LetterOverrides, LetterSettingKey, UpdateQueue};
use redrive_proto::redrive::v1::{LetterSetting, LettersConfigureRequest, LettersConfigureResponse};

use super::archive::undone;
use super::fields::{refused, targets};
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::configured::{ConfigSource, Configured};
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::Fault;
use crate::settings::Settings;

#[derive(Debug)]
pub(crate) struct Configure;

impl Endpoint for Configure {
    type Request = LettersConfigureRequest;
    type Answer = LettersConfigureResponse;

    const PATH: &'static str = "/v1/letters.configure";
    const NEEDS: Permission = Permission::LettersConfigure;

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
        let queue = desk.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if looks_only(&request) {
            let settings = desk.store().queue(GetQueue { name: queue }).await.map_err(refused)?.letters;
            return Ok(told(&settings, desk).await);
        }
        let (request, queue) = (&request, &queue);
        // Decided in the turn of the acts: what two people set at the same time is both set.
        let change = desk.change(|| async move {
            let before = desk.store().queue(GetQueue { name: queue.clone() }).await.map_err(refused)?;
            let letters = changed(&before.letters, request, desk.settings()).map_err(|error| invalid(&error))?;
            let update = UpdateQueue { letters: Some(letters.clone()), ..UpdateQueue::of(queue.clone()) };
            let after = update.clone().merged(&before, before.updated_at);
            let change = Change::of(update).queue_before(&before).queue_after(&after);
            Ok((change, letters))
        });
        let (_, letters) = change.await.map_err(undone)?;
        Ok(told(&letters, desk).await)
    }
}

fn looks_only(request: &LettersConfigureRequest) -> bool {
    request.set.is_empty() && request.reset.is_empty()
}

fn invalid(invalid: &Invalid) -> Fault {
    Fault::bad(invalid.to_string()).because("invalid")
}

fn changed(
    before: &LetterOverrides,
    request: &LettersConfigureRequest,
    server: &Settings,
) -> Result<LetterOverrides, Invalid> {
    let mut settings = before.clone();
    for name in &request.reset {
        key(name, server)?.reset(&mut settings);
    }
    // In an order of their own, so that the same request is refused for the same reason.
    let mut set: Vec<(&String, &String)> = request.set.iter().collect();
    set.sort();
    for (name, text) in set {
        key(name, server)?.set(&mut settings, &server.letters, text)?;
    }
    Ok(settings)
}

/// A setting that queues have; of one that only the server has, where it is set.
fn key(name: &str, server: &Settings) -> Result<LetterSettingKey, Invalid> {
    name.parse().map_err(|invalid: Invalid| match server.configured.iter().find(|configured| configured.name == name) {
        Some(_) => {
            let allowed = "what a queue can say itself; this is for the configuration of the server";
            Invalid { allowed: allowed.to_owned(), ..invalid }
        }
        None => invalid,
    })
}

/// Everything that holds for the letters of a queue: what it can say itself, then what the server alone does. Where the
/// server keeps its index is told to whoever may configure more than the queues of a namespace.
async fn told(settings: &LetterOverrides, desk: &Desk) -> LettersConfigureResponse {
    let server = desk.settings();
    let sees_index = desk.allow(Permission::LettersConfigure, None).await.is_ok();
    let source = |name: &str| {
        let configured = server.configured.iter().find(|configured| configured.name == name);
        configured.map_or(ConfigSource::Default, |configured| configured.source)
    };
    let of_queues = LetterSettingKey::ALL.into_iter().map(|key| LetterSetting {
        name: key.name().to_owned(),
        value: key.shown(settings, &server.letters),
        source: if key.is_own(settings) { "queue" } else { source(key.name()).as_str() }.to_owned(),
    });
    let is_of_server = |configured: &&Configured| {
        let is_of_index = configured.name.starts_with("opensearch_");
        configured.name.parse::<LetterSettingKey>().is_err() && (sees_index || !is_of_index)
    };
    let of_server = server.configured.iter().filter(is_of_server).map(|configured| LetterSetting {
        name: configured.name.clone(),
        value: configured.value.clone(),
        source: configured.source.to_string(),
    });
    LettersConfigureResponse { settings: of_queues.chain(of_server).collect() }
}
