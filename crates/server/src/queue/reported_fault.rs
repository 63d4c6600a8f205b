//! What failed, as the holder of an item reports it. It is classified as a runner classifies the failure of an attempt:
//! with the templates of the letters, the number of the attempt, and the metadata of a captured letter.

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt};
use redrive_core::{Category, Failure, ItemId, Metadata, QueueName, Trigger};
use redrive_model::{Attempt, GetItem, GetLetter, GetQueue, ItemInfo, Rejection, SettleAction, Settlement, Templates};
use redrive_store::StoreError;

use crate::api_error::ApiError;
use crate::request_context::RequestContext;

/// Maximum number of concurrent reads of items.
const CONCURRENT_MAX: usize = 16;

/// A settlement that was checked, with the failure that its attempt reports.
#[derive(Debug)]
pub(super) struct CheckedSettlement {
    pub(super) settlement: Settlement,
    pub(super) fault: Option<ReportedFault>,
}

/// A failure that is not classified yet.
#[derive(Debug)]
pub(super) struct ReportedFault {
    pub(super) failure: Failure,
    /// The category, if the holder names it.
    pub(super) category: Option<Category>,
    /// Whether the holder names what triggered the attempt.
    pub(super) has_trigger: bool,
}

/// The templates of the letters in a queue, and of the letters that its items become when they die.
#[derive(Debug, Default)]
struct QueueTemplates {
    own: Templates,
    dead: Templates,
}

/// Classifies the reported failures, and adds them to the records of their attempts.
pub(super) async fn classify(
    ctx: &RequestContext,
    queue: &QueueName,
    checked: Vec<CheckedSettlement>,
) -> Result<Vec<Settlement>, ApiError> {
    let templates = match checked.iter().any(|checked| checked.fault.is_some()) {
        true => QueueTemplates::read(ctx, queue).await?,
        false => QueueTemplates::default(),
    };
    let templates = &templates;
    let classified = futures_util::stream::iter(checked).map(|checked| async move {
        let CheckedSettlement { mut settlement, fault } = checked;
        if let (Some(fault), Some(attempt)) = (fault, reported_attempt(&mut settlement.action)) {
            // An item that no longer exists is rejected by the settlement.
            if let Some((info, metadata)) = item(ctx, queue, settlement.id).await? {
                fault.complete(attempt, &info, metadata, templates, ctx);
            }
        }
        Ok(settlement)
    });
    classified.buffered(CONCURRENT_MAX).try_collect().await
}

impl QueueTemplates {
    async fn read(ctx: &RequestContext, queue: &QueueName) -> Result<Self, ApiError> {
        let defaults = &ctx.settings().letters;
        let settings = ctx.store().queue(GetQueue { name: queue.clone() }).await?;
        let dead = match settings.dead_queue {
            Some(name) => match ctx.store().queue(GetQueue { name }).await {
                Ok(dead) => dead.letters.over(defaults).templates,
                // A dead queue that does not exist has no templates.
                Err(StoreError::Rejected(Rejection::NoSuchQueue(_)) | StoreError::QueueGone) => Templates::default(),
                Err(error) => return Err(error.into()),
            },
            None => Templates::default(),
        };
        Ok(Self { own: settings.letters.over(defaults).templates, dead })
    }
}

impl ReportedFault {
    fn complete(
        self,
        attempt: &mut Attempt,
        info: &ItemInfo,
        metadata: Metadata,
        templates: &QueueTemplates,
        ctx: &RequestContext,
    ) {
        let Self { mut failure, category, has_trigger } = self;
        failure.parts.clone_from(&attempt.failed_parts);
        failure.metadata = metadata;
        if !has_trigger {
            attempt.trigger = info.letter.as_ref().map_or(Trigger::Automatic, |letter| letter.trigger);
            attempt.actor = (attempt.trigger == Trigger::Manual).then(|| Arc::from(&*ctx.caller.user));
        }
        let templates = if info.letter.is_some() { &templates.own } else { &templates.dead };
        let mut found = templates.classify(ctx.settings().policy.classifier(), &failure, info.attempt()).found;
        found.category = category.unwrap_or(found.category);
        let failed = Attempt::failed(attempt.trigger, &failure, &found);
        attempt.error = failed.error;
        attempt.error_type = failed.error_type;
        attempt.category = failed.category;
        attempt.rule = failed.rule;
        attempt.fingerprint = failed.fingerprint;
    }
}

/// The record of the attempt, in a settlement that may report a failure.
fn reported_attempt(action: &mut SettleAction) -> Option<&mut Attempt> {
    match action {
        SettleAction::Retry { attempt, .. }
        | SettleAction::Dead { attempt, .. }
        | SettleAction::RedeliverForHandOver { attempt, .. } => attempt.as_deref_mut(),
        SettleAction::Complete { .. }
        | SettleAction::Defer { .. }
        | SettleAction::Release
        | SettleAction::Lost
        | SettleAction::Note { .. } => None,
    }
}

/// An item, and for a letter the metadata that was captured with it; `None` if the item does not exist.
async fn item(ctx: &RequestContext, queue: &QueueName, id: ItemId) -> Result<Option<(ItemInfo, Metadata)>, ApiError> {
    let info = match ctx.store().item(GetItem { queue: queue.clone(), id }).await {
        Ok(stored) => stored.info,
        Err(StoreError::Rejected(Rejection::NoSuchItem(_))) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let Some(letter) = info.letter.as_ref().map(|letter| letter.id) else { return Ok(Some((info, Metadata::new()))) };
    match ctx.store().letter(GetLetter { queue: queue.clone(), letter }).await {
        Ok(record) => Ok(Some((info, record.context.map(|context| context.metadata).unwrap_or_default()))),
        Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
