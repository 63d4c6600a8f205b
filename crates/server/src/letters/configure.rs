//! Read and change the letter settings of a queue.

use redrive_core::{Invalid, QueueName};
use redrive_model::{GetQueue, LetterOverrides, LetterSettingKey, UpdateQueue};
use redrive_proto::redrive::v1::{LetterSetting, LettersConfigureRequest, LettersConfigureResponse};

use super::archive::act_error;
use super::fields::{letter_error, targets};
use super::templates::invalid;
use crate::api_error::ApiError;
use crate::audit::{AuditTarget, Change};
use crate::auth::Permission;
use crate::configured::{ConfigSource, ConfiguredSetting};
use crate::http::Endpoint;
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::settings::Settings;

pub(crate) struct Configure;

impl Endpoint for Configure {
    type Request = LettersConfigureRequest;
    type Answer = LettersConfigureResponse;

    const PATH: &'static str = "/v1/letters.configure";
    const NEEDS: Permission = Permission::LettersConfigure;

    fn targets(request: &LettersConfigureRequest) -> Option<Vec<AuditTarget>> {
        if is_read_only(request) {
            return None;
        }
        let mut targets = targets(&request.queue_name, &[])?;
        let mut names: Vec<&String> = request.set.keys().chain(&request.reset).collect();
        names.sort();
        targets.extend(names.into_iter().map(|name| AuditTarget::new("setting", name)));
        Some(targets)
    }

    async fn call(
        ctx: &RequestContext,
        request: LettersConfigureRequest,
    ) -> Result<LettersConfigureResponse, ApiError> {
        let queue = ctx.dead_queue(&request.queue_name, Self::NEEDS).await?;
        if is_read_only(&request) {
            let settings = ctx.store().queue(GetQueue { name: queue }).await.map_err(letter_error)?.letters;
            return Ok(response(&settings, ctx).await);
        }
        let letters = ctx.change_overrides(&queue, |before| changed(before, &request, ctx.settings()));
        let letters = letters.await?;
        Ok(response(&letters, ctx).await)
    }
}

fn is_read_only(request: &LettersConfigureRequest) -> bool {
    request.set.is_empty() && request.reset.is_empty()
}

impl RequestContext {
    /// Changes the letter settings of a queue. They are read and changed under the audit lock, so that neither of two
    /// concurrent requests loses its change.
    pub(super) async fn change_overrides(
        &self,
        queue: &QueueName,
        changed: impl Fn(&LetterOverrides) -> Result<LetterOverrides, ApiError>,
    ) -> Result<LetterOverrides, ApiError> {
        let changed = &changed;
        let change = self.change(|| async move {
            let before = self.store().queue(GetQueue { name: queue.clone() }).await.map_err(letter_error)?;
            let letters = changed(&before.letters)?;
            let update = UpdateQueue { letters: Some(letters.clone()), ..UpdateQueue::of(queue.clone()) };
            let after = update.clone().merged(&before, before.updated_at);
            Ok((Change::of(update).queue_before(&before).queue_after(&after), letters))
        });
        let (_, letters) = change.await.map_err(act_error)?;
        Ok(letters)
    }
}

fn changed(
    before: &LetterOverrides,
    request: &LettersConfigureRequest,
    server: &Settings,
) -> Result<LetterOverrides, ApiError> {
    let mut settings = before.clone();
    let mut problems = Problems::default();
    for name in &request.reset {
        let reset = key(name, server).map(|key| key.reset(&mut settings));
        problems.field(format_args!("reset.{name}"), reset.map_err(|error| invalid(&error)));
    }
    // Sorted, so that the same request is always rejected for the same reason.
    let mut set: Vec<(&String, &String)> = request.set.iter().collect();
    set.sort();
    for (name, text) in set {
        let set = key(name, server).and_then(|key| key.set(&mut settings, &server.letters, text));
        problems.field(format_args!("set.{name}"), set.map_err(|error| invalid(&error)));
    }
    problems.finish(settings)
}

/// The setting with a name. For one that queues cannot override, the error says that the server's configuration sets
/// it.
fn key(name: &str, server: &Settings) -> Result<LetterSettingKey, Invalid> {
    name.parse().map_err(|invalid: Invalid| match server.configured.iter().find(|configured| configured.name == name) {
        Some(_) => {
            let allowed = "a setting that a queue can override; this one is set in the configuration of the server";
            Invalid { allowed: allowed.to_owned(), ..invalid }
        }
        None => invalid,
    })
}

/// All letter settings of a queue: first those that a queue can override, then those of the server only. The settings
/// of the search index are shown only to callers that may configure queues in all namespaces.
async fn response(settings: &LetterOverrides, ctx: &RequestContext) -> LettersConfigureResponse {
    let server = ctx.settings();
    let sees_index = ctx.allow(Permission::LettersConfigure, None).await.is_ok();
    let source = |name: &str| {
        let configured = server.configured.iter().find(|configured| configured.name == name);
        configured.map_or(ConfigSource::Default, |configured| configured.source)
    };
    let of_queues = LetterSettingKey::ALL.into_iter().map(|key| LetterSetting {
        name: key.name().to_owned(),
        value: key.shown(settings, &server.letters),
        source: if key.is_own(settings) { "queue" } else { source(key.name()).as_str() }.to_owned(),
        allowed: key.allowed(&server.letters),
        description: key.description().to_owned(),
    });
    let is_of_server = |configured: &&ConfiguredSetting| {
        let is_of_index = configured.name.starts_with("opensearch_");
        configured.name.parse::<LetterSettingKey>().is_err() && (sees_index || !is_of_index)
    };
    let of_server = server.configured.iter().filter(is_of_server).map(|configured| LetterSetting {
        name: configured.name.clone(),
        value: configured.value.clone(),
        source: configured.source.as_str().to_owned(),
        ..LetterSetting::default()
    });
    LettersConfigureResponse { settings: of_queues.chain(of_server).collect() }
}
