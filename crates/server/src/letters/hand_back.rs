//! Hand letters of a dead queue without a target back to where they came from, when a person asks.
//!
//! A letter that this store made of a dead item goes back to that item's queue. A letter that a route made of a record or
//! a message goes back to the topic or mailbox, as long as a route of the namespace reads it and has this dead queue. The
//! origin of any other letter is only claimed by the caller that captured or imported it: such a letter goes back only to
//! a queue in the namespace of its dead queue, and without the message id that was claimed. The caller must be allowed to
//! produce there. Whatever is not possible is one and the same answer, so that a caller does not learn whether a queue of
//! another namespace exists.

use std::collections::HashMap;
use std::sync::Arc;

use redrive_core::{LetterId, NamespaceName, QueueName, Status};
use redrive_model::{
    CaptureContext, FullLetter, GetLetter, GetQueue, GetStats, HandBackLetter, HandBackLetters, HandBackResult,
    ItemState, LetterInfo, LetterRevision, NewItem, Origin, Rejection,
};
use redrive_proto::redrive::v1::LettersRetryResponse;
use redrive_routes::RouteId;
use redrive_run::{ProcessorError, Retried, WhileDown};
use redrive_store::StoreError;

use super::address::by_id;
use super::archive::act_error;
use super::fields::letter_error;
use super::process::processor_error;
use super::view;
use crate::api_error::{ApiError, Code};
use crate::audit::Change;
use crate::auth::{Permission, SYSTEM};
use crate::request_context::RequestContext;

/// How much of a name in a letter an error shows.
const NAME_CHARS_MAX: usize = 64;

/// Where a letter goes back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WayBack {
    Queue(QueueName),
    /// The topic or mailbox of this name, which a route reads.
    Source(RouteId, Arc<str>),
}

impl WayBack {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Queue(queue) => queue.as_str(),
            Self::Source(_, name) => name,
        }
    }
}

/// The ways back of the letters of one dead queue. Queues and sources are looked up once each.
#[derive(Debug)]
pub(super) struct WaysBack<'c> {
    ctx: &'c RequestContext,
    letters: QueueName,
    /// The namespace of the dead queue.
    namespace: Option<NamespaceName>,
    /// `None` for a queue that does not exist.
    queues: HashMap<QueueName, Option<Way>>,
    sources: HashMap<SourceKey, Option<RouteId>>,
    if_forbidden: IfForbidden,
}

/// Transport, name and server of a topic or mailbox.
type SourceKey = (Arc<str>, Arc<str>, Option<Arc<str>>);

/// What a way is where the caller must not produce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IfForbidden {
    /// None, as to a queue that does not exist.
    NoWay,
    /// An error: when the run of the caller was planned, the caller was allowed to.
    Error,
}

/// The way to a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    /// The way to a queue of another namespace is one for letters whose origin is known.
    is_same_namespace: bool,
    /// Whether the caller may produce into the queue.
    is_allowed: bool,
}

impl<'c> WaysBack<'c> {
    pub(super) async fn new(ctx: &'c RequestContext, letters: QueueName) -> Result<Self, ApiError> {
        let settings = ctx.store().queue(GetQueue { name: letters.clone() }).await.map_err(letter_error)?;
        Ok(Self {
            ctx,
            letters,
            namespace: settings.namespace,
            queues: HashMap::new(),
            sources: HashMap::new(),
            if_forbidden: IfForbidden::NoWay,
        })
    }

    /// The ways back of the letters of a run. If its user has lost the permission to produce since the plan, they are
    /// errors, so that the run stops.
    pub(super) async fn of_run(ctx: &'c RequestContext, letters: QueueName) -> Result<Self, ApiError> {
        Ok(Self { if_forbidden: IfForbidden::Error, ..Self::new(ctx, letters).await? })
    }

    /// Where a letter can go back to. Its documents are read only if its origin is not known otherwise.
    pub(super) async fn of(&mut self, letter: &LetterInfo) -> Result<Option<WayBack>, ApiError> {
        if letter.has_own_origin {
            // The destination of a dead item is the queue in which it died.
            return self.to(&letter.destination, true).await;
        }
        let get = GetLetter { queue: self.letters.clone(), letter: letter.id };
        match self.ctx.store().letter(get).await {
            Ok(record) => self.of_record(&record).await,
            Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => Ok(None),
            Err(error) => Err(letter_error(error)),
        }
    }

    /// Like [`of`](Self::of), for a letter that was read.
    pub(super) async fn of_record(&mut self, record: &FullLetter) -> Result<Option<WayBack>, ApiError> {
        let Some(letter) = record.info.letter.as_deref() else { return Ok(None) };
        let Some(origin) = record.context.as_ref().map(|context| &context.origin) else { return Ok(None) };
        match &*origin.transport {
            "queue" if letter.has_own_origin => self.to(&letter.destination, true).await,
            "queue" => self.to(&origin.name, false).await,
            _ if letter.is_of_source => self.way_to_source(origin).await,
            _ => Ok(None),
        }
    }

    async fn to(&mut self, name: &str, is_known: bool) -> Result<Option<WayBack>, ApiError> {
        let name = QueueName::new(name).ok().filter(|name| *name != self.letters);
        let Some(name) = name else { return Ok(None) };
        let way = match self.queues.get(&name) {
            Some(way) => *way,
            None => {
                let way = self.way_to(&name).await?;
                self.queues.insert(name.clone(), way);
                way
            }
        };
        match way.filter(|way| is_known || way.is_same_namespace) {
            Some(Way { is_allowed: false, .. }) => self.forbidden(),
            Some(_) => Ok(Some(WayBack::Queue(name))),
            None => Ok(None),
        }
    }

    fn forbidden<T>(&self) -> Result<Option<T>, ApiError> {
        match self.if_forbidden {
            IfForbidden::NoWay => Ok(None),
            IfForbidden::Error => Err(self.ctx.caller.denied(Permission::QueueProduce)),
        }
    }

    async fn way_to_source(&mut self, origin: &Origin) -> Result<Option<WayBack>, ApiError> {
        let key = (Arc::clone(&origin.transport), Arc::clone(&origin.name), origin.server.clone());
        let route = match self.sources.get(&key) {
            Some(route) => route.clone(),
            None => {
                let route = self.route_of(origin).await?;
                self.sources.entry(key).or_insert(route).clone()
            }
        };
        Ok(route.map(|route| WayBack::Source(route, Arc::clone(&origin.name))))
    }

    async fn route_of(&self, origin: &Origin) -> Result<Option<RouteId>, ApiError> {
        let namespace = self.namespace.as_ref().map(NamespaceName::as_str);
        if !self.ctx.permissions_in(namespace.unwrap_or(SYSTEM)).await?.has(Permission::QueueProduce) {
            return self.forbidden();
        }
        let Some(routes) = self.ctx.app.routes.get() else { return Ok(None) };
        let found = routes.running.route_of(namespace.unwrap_or_default(), &self.letters, origin);
        // A server that stops has no routes any more; the next one has.
        if found.is_none() && routes.running.is_stopping() { Err(ApiError::closing()) } else { Ok(found) }
    }

    async fn way_to(&self, name: &QueueName) -> Result<Option<Way>, ApiError> {
        let queue = match self.ctx.store().queue(GetQueue { name: name.clone() }).await {
            Ok(queue) => queue,
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => return Ok(None),
            Err(error) => return Err(letter_error(error)),
        };
        let namespace = queue.namespace.as_ref().map_or(SYSTEM, NamespaceName::as_str);
        let is_allowed = self.ctx.permissions_in(namespace).await?.has(Permission::QueueProduce);
        Ok(Some(Way { is_same_namespace: queue.namespace == self.namespace, is_allowed }))
    }
}

/// A letter as the item that is produced, for the store to check against its revision. The record must not be damaged:
/// its content would be empty.
pub(super) fn as_item(record: &FullLetter, to: QueueName) -> Option<HandBackLetter> {
    let letter = record.info.letter.as_deref().filter(|_| record.info.state != ItemState::Damaged)?;
    let item = NewItem {
        content: Arc::clone(&record.content),
        priority: record.info.priority,
        message_id: record.context.as_ref().filter(|_| letter.has_own_origin).and_then(message_id),
        ..NewItem::default()
    };
    Some(HandBackLetter { letter: LetterRevision { id: letter.id, revision: letter.revision }, to, item })
}

/// The message id that a dead item had. The capture context of an item without one has the id under which it died.
fn message_id(context: &CaptureContext) -> Option<Box<str>> {
    let id = context.origin.message_id.as_deref()?;
    let is_item_id = context.death.as_ref().is_some_and(|death| death.id.to_string() == id);
    (!is_item_id && !id.is_empty()).then(|| id.into())
}

/// Hands one letter back now.
pub(super) async fn retry(
    ctx: &RequestContext,
    queue: QueueName,
    name: String,
    letter: LetterId,
) -> Result<LettersRetryResponse, ApiError> {
    let get = GetLetter { queue: queue.clone(), letter };
    let record = ctx.store().letter(get).await.map_err(letter_error)?;
    if let Some(status) = record.info.letter.as_deref().map(|letter| letter.status)
        && !matches!(status, Status::Pending | Status::Exhausted)
    {
        return Err(letter_error(Rejection::LetterConflict { letter, status, verb: "retried" }.into()));
    }
    if record.info.state == ItemState::Damaged {
        return Err(letter_error(Rejection::LetterDamaged(letter).into()));
    }
    let way = WaysBack::new(ctx, queue.clone()).await?.of_record(&record).await?;
    match way.ok_or_else(|| no_way_back(&queue, &record))? {
        WayBack::Queue(to) => retry_to_queue(ctx, queue, name, letter, &record, to).await,
        WayBack::Source(route, _) => retry_to_source(ctx, queue, name, record, route).await,
    }
}

/// Completes the letter and produces its item in one operation.
async fn retry_to_queue(
    ctx: &RequestContext,
    queue: QueueName,
    name: String,
    letter: LetterId,
    record: &FullLetter,
    to: QueueName,
) -> Result<LettersRetryResponse, ApiError> {
    let handed_back = as_item(record, to.clone()).ok_or_else(|| no_way_back(&queue, record))?;
    let revision = handed_back.letter.revision;
    let op =
        HandBackLetters { queue: queue.clone(), letters: vec![handed_back], actor: Some(Arc::from(&*ctx.caller.user)) };
    // A change is recorded as done: what the queue does not take now is rejected before.
    let changed = ctx.change(|| async {
        check_space(ctx, &to).await?;
        Ok((by_id(Change::of(op.clone()), &name, letter), ()))
    });
    let (results, ()) = changed.await.map_err(act_error)?;
    match results.first() {
        Some(HandBackResult::Done(_)) => {}
        Some(HandBackResult::Changed) | None => {
            return Err(letter_error(Rejection::LetterChanged { letter, revision }.into()));
        }
        Some(HandBackResult::Gone) => return Err(letter_error(Rejection::NoSuchLetter(letter).into())),
        Some(HandBackResult::Held) => return Err(letter_error(Rejection::LetterHeld(letter).into())),
        Some(HandBackResult::Damaged) => return Err(letter_error(Rejection::LetterDamaged(letter).into())),
        Some(HandBackResult::NoQueue) => return Err(no_way_back(&queue, record)),
        Some(HandBackResult::QueuePaused) => {
            return Err(queue_paused(&to));
        }
        Some(HandBackResult::QueueFull) => {
            return Err(queue_full(&to, max_items(ctx, &to).await?));
        }
        Some(HandBackResult::Duplicate(item)) => {
            let message = format!("queue '{to}' has an item with the message id of the letter: '{item}'");
            return Err(ApiError::new(Code::Conflict, message).because("duplicate").with("queue", &to));
        }
    }
    // It is done, whatever becomes of the letter: without a retention, a completed letter is removed at once.
    let now = ctx.store().letter(GetLetter { queue: queue.clone(), letter }).await.ok();
    let attempts = now.iter().flat_map(|now| now.attempts.iter().rev());
    Ok(LettersRetryResponse {
        success: true,
        message: format!("Task handed back to '{to}'"),
        attempt: attempts.filter(|attempt| attempt.handed_back_to.is_some()).map(view::attempt).next(),
        letter: now.as_ref().map(|now| view::letter(queue.as_str(), &now.info)),
    })
}

/// Claims the letter, and completes it when the topic or mailbox has its work.
async fn retry_to_source(
    ctx: &RequestContext,
    queue: QueueName,
    name: String,
    record: FullLetter,
    route: RouteId,
) -> Result<LettersRetryResponse, ApiError> {
    ctx.check_recordable()?;
    let retried = ctx.run_to_completion(move |ctx| async move {
        let no_way_back = no_way_back(&queue, &record);
        let Some(seen) = record.info.letter.as_deref() else { return Err(no_way_back) };
        let letter = LetterRevision { id: seen.id, revision: seen.revision };
        let to_retry = SourceLetters { route, letters: vec![letter], while_down: WhileDown::Try };
        let retried = retry_through(&ctx, &queue, to_retry, &ctx.caller.user).await?;
        let retried = retried.ok_or(no_way_back)?.pop().unwrap_or(Err(ProcessorError::Stopping));
        let retried = retried.map_err(processor_error)?;
        ctx.record_act_on(&name, letter.id).await?;
        Ok(view::retried(queue.as_str(), &retried))
    });
    retried.await
}

/// Letters of the source of a route.
pub(super) struct SourceLetters {
    pub(super) route: RouteId,
    pub(super) letters: Vec<LetterRevision>,
    pub(super) while_down: WhileDown,
}

/// Hands letters back to the source of a route; `None` if the route is gone or has another dead queue.
pub(super) async fn retry_through(
    ctx: &RequestContext,
    queue: &QueueName,
    to_retry: SourceLetters,
    actor: &str,
) -> Result<Option<Vec<Result<Retried, ProcessorError>>>, ApiError> {
    let SourceLetters { route, letters, while_down } = to_retry;
    let letters = letters.into_iter().map(Into::into).collect();
    let Some((routes, processor)) = ctx.app.routes.get().zip(ctx.app.processor.get()) else { return Ok(None) };
    let handler = match routes.running.hand_back(&route, queue).await {
        None if routes.running.is_stopping() => return Err(ApiError::closing()),
        None => return Ok(None),
        Some(Ok(handler)) => handler,
        Some(Err(error)) => {
            tracing::warn!(%route, %queue, %error, "letters cannot be handed back through the route");
            let message = format!("the source of route '{}' is not available; see the log of the server", route.name);
            return Err(ApiError::new(Code::Conflict, message).because("route_unavailable").with("route", &route.name));
        }
    };
    let retried = processor.retry_with(&handler, queue, letters, actor, while_down, &ctx.app.closing).await;
    retried.map(Some).map_err(processor_error)
}

/// Checks that a queue takes an item now. The operation checks it again.
pub(super) async fn check_space(ctx: &RequestContext, to: &QueueName) -> Result<(), ApiError> {
    let settings = match ctx.store().queue(GetQueue { name: to.clone() }).await {
        // The operation finds out that the queue is gone.
        Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => return Ok(()),
        settings => settings.map_err(letter_error)?,
    };
    if settings.is_paused {
        return Err(queue_paused(to));
    }
    if settings.max_items > 0 {
        let stats = ctx.store().stats(GetStats { queue: to.clone() }).await.map_err(letter_error)?;
        if stats.items() >= settings.max_items {
            return Err(queue_full(to, settings.max_items));
        }
    }
    Ok(())
}

async fn max_items(ctx: &RequestContext, queue: &QueueName) -> Result<u64, ApiError> {
    Ok(ctx.store().queue(GetQueue { name: queue.clone() }).await.map_err(letter_error)?.max_items)
}

fn queue_paused(to: &QueueName) -> ApiError {
    let message = format!("queue '{to}' is paused; resume it, and hand the letter back again");
    ApiError::new(Code::Conflict, message).because("queue_paused").with("queue", to)
}

fn queue_full(to: &QueueName, max_items: u64) -> ApiError {
    let message = format!("queue '{to}' is full; wait until its consumers have made space, or raise max_items");
    ApiError::new(Code::TooMany, message).because("queue_full").with("queue", to).with("max_items", max_items)
}

/// The one answer for every letter that cannot go back, whatever the reason.
pub(super) fn no_way_back(queue: &QueueName, record: &FullLetter) -> ApiError {
    let shortened = |name: &str| name.chars().take(NAME_CHARS_MAX).collect::<String>();
    let origin = record.context.as_ref().map(|context| &context.origin);
    let origin = origin.filter(|origin| !origin.name.is_empty());
    let origin = origin.map_or_else(
        || "its origin, which is not known".to_owned(),
        |origin| format!("{} '{}'", shortened(&origin.transport), shortened(&origin.name)),
    );
    let message = format!("the letter cannot be handed back to {origin}");
    ApiError::new(Code::RequestFailed, message).because("no_way_back").with("queue", queue)
}
