//! Checks the queue settings of requests.

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{GetQueue, ListQueues, QueueSettings, Rejection, UpdateQueue};
use redrive_proto::querator::QueueInfo;
use redrive_store::StoreError;

use crate::api_error::ApiError;
use crate::audit::ChangeError;
use crate::auth::{Permission, SYSTEM};
use crate::problems::Problems;
use crate::request_context::RequestContext;
use crate::wire::{expire_timeout, lease_timeout};

const TIMEOUT_BYTES_MAX: usize = 15;
/// Number of queues that one read of the store returns.
const PAGE: usize = 1_000;

/// The fields of a request that are checked first, and what is wrong with the others.
pub(super) struct CheckedInfo {
    /// The name and the timeouts.
    pub(super) update: UpdateQueue,
    pub(super) namespace: Option<NamespaceName>,
    /// What is wrong with the fields that are checked later.
    pub(super) later: Result<(), ApiError>,
}

impl CheckedInfo {
    /// `merged` makes the settings that a request asks for.
    pub(super) fn of(info: &QueueInfo, merged: fn(UpdateQueue) -> QueueSettings) -> Result<Self, ApiError> {
        let mut problems = Problems::default();
        let name = QueueName::new(&info.queue_name);
        problems.field("queue_name", name.as_ref().map(drop).map_err(|error| ApiError::bad(error.to_string())));
        problems.field("lease_timeout", timeout_length("lease", &info.lease_timeout));
        problems.field("expire_timeout", timeout_length("expire", &info.expire_timeout));
        // A timeout of zero means unset.
        let is_set = |span: &Span| !span.is_zero();
        let expire_timeout = problems.field("expire_timeout", expire_timeout(&info.expire_timeout)).filter(is_set);
        let lease_timeout = problems.field("lease_timeout", lease_timeout(&info.lease_timeout)).filter(is_set);
        let namespace = problems.field("namespace", namespace(&info.namespace));
        let checked = problems.finish(());
        // The other fields are checked with any name.
        let update =
            UpdateQueue { lease_timeout, expire_timeout, ..UpdateQueue::of(name.or(QueueName::new("queue"))?) };
        let later = later_problems(info, merged, update.clone());
        checked.map_err(|error| error.with_problems_of(&later))?;
        Ok(Self { update, namespace, later })
    }
}

fn timeout_length(what: &str, text: &str) -> Result<(), ApiError> {
    // A long duration that this API itself returns, as of a queue whose items never expire, is accepted.
    if text.len() > TIMEOUT_BYTES_MAX && text.parse::<Span>().is_err() {
        let message = format!("{what} timeout is invalid; cannot be greater than '{TIMEOUT_BYTES_MAX}' characters");
        return Err(ApiError::bad(message));
    }
    Ok(())
}

fn later_problems(
    info: &QueueInfo,
    merged: fn(UpdateQueue) -> QueueSettings,
    update: UpdateQueue,
) -> Result<(), ApiError> {
    let mut problems = Problems::default();
    problems.field("dead_queue", dead_queue(&info.dead_queue));
    let max_items = info.max_items.map_or(Ok(0), u64::try_from);
    problems.field("max_items", max_items.map_err(|_| negative_max_items()));
    let settings = merged(changes(&QueueInfo { max_items: None, ..info.clone() }, update)?);
    for rejection in settings.broken_rules() {
        // Two timeouts can be compared only if both are valid; the store does it.
        if let Some(field) = field_of(&rejection).filter(|_| !matches!(rejection, Rejection::LeaseTooLong { .. })) {
            problems.field(field, Err::<(), _>(setting_error(rejection, info)));
        }
    }
    problems.finish(())
}

/// The field that a rejected setting has in a request.
const fn field_of(rejection: &Rejection) -> Option<&'static str> {
    match rejection {
        Rejection::ReferenceTooLong => Some("reference"),
        Rejection::TooManyAttempts => Some("max_attempts"),
        Rejection::NoPartitions | Rejection::TooManyPartitions => Some("requested_partitions"),
        Rejection::NoLeaseTimeout | Rejection::LeaseTooLong { .. } => Some("lease_timeout"),
        Rejection::NoExpireTimeout => Some("expire_timeout"),
        _ => None,
    }
}

/// The error of a rejected setting, with the API's message for negative attempts.
fn setting_error(rejection: Rejection, info: &QueueInfo) -> ApiError {
    match rejection {
        Rejection::TooManyAttempts if info.max_attempts < 0 => {
            ApiError::bad("max attempts is invalid; cannot be negative number")
        }
        rejection => rejection.into(),
    }
}

/// The other changes of a request, with those that are checked already.
pub(super) fn changes(info: &QueueInfo, checked: UpdateQueue) -> Result<UpdateQueue, ApiError> {
    info.add_to(checked).map_err(|_| negative_max_items().of_field("max_items"))
}

fn negative_max_items() -> ApiError {
    ApiError::bad("max items is invalid; cannot be negative number")
}

/// The namespace of a request; `None` for `_system`, which is the default.
pub(crate) fn namespace(text: &str) -> Result<Option<NamespaceName>, ApiError> {
    let is_system = text.is_empty() || text == SYSTEM;
    if is_system { Ok(None) } else { Ok(Some(NamespaceName::new(text)?)) }
}

/// The dead queue of a request.
pub(super) fn dead_queue(text: &str) -> Result<Option<QueueName>, ApiError> {
    if text.is_empty() {
        return Ok(None);
    }
    if text.len() > QueueSettings::DEAD_QUEUE_BYTES_MAX {
        return Err(Rejection::DeadQueueNameTooLong.into());
    }
    if text.contains(char::is_whitespace) {
        return Err(ApiError::bad(format!("dead queue is invalid; '{text}' cannot contain whitespace")));
    }
    if text.contains('~') {
        return Err(ApiError::bad(format!("dead queue is invalid; '{text}' cannot contain '~' character")));
    }
    Ok(Some(QueueName::new(text)?))
}

impl RequestContext {
    /// Checks that a queue may use another one as its dead queue: both are in the same namespace, or the caller may
    /// produce into the dead queue.
    pub(super) async fn may_use_dead_queue(
        &self,
        dead_queue: Option<&QueueName>,
        namespace: Option<&NamespaceName>,
    ) -> Result<(), ApiError> {
        let Some(name) = dead_queue else { return Ok(()) };
        match self.store().queue(GetQueue { name: name.clone() }).await {
            Ok(dead) if dead.namespace.as_ref() == namespace => Ok(()),
            Ok(dead) => self.allow(Permission::QueueProduce, dead.namespace.as_ref()).await,
            // The store reports the missing queue.
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Rejects a new queue whose name is the dead queue of a queue in another namespace. A dead queue can be deleted
    /// while other queues still name it; a queue that is created under its name later must not receive their dead
    /// items.
    pub(super) async fn is_no_foreign_dead_queue(&self, new: &QueueSettings) -> Result<(), ApiError> {
        if self.app.auth.is_open() {
            return Ok(());
        }
        let mut list = ListQueues { limit: PAGE, ..ListQueues::default() };
        loop {
            let page = self.store().queues(list.clone()).await?;
            let is_foreign = |queue: &QueueSettings| {
                queue.dead_queue.as_ref() == Some(&new.name) && queue.namespace != new.namespace
            };
            if page.iter().any(is_foreign) {
                let name = &new.name;
                let message =
                    format!("queue name is taken; '{name}' is the dead queue of a queue in another namespace");
                return Err(ApiError::bad(message));
            }
            match page.last() {
                Some(last) if page.len() == PAGE => list.pivot = Some(last.name.as_str().into()),
                _ => return Ok(()),
            }
        }
    }
}

/// The error of a failed change. One about a setting also names the other wrong ones.
pub(super) fn queue_error(error: ChangeError, info: &QueueInfo, later: &Result<(), ApiError>) -> ApiError {
    match error {
        ChangeError::Store(StoreError::Rejected(rejection)) => match field_of(&rejection) {
            Some(field) => setting_error(rejection, info).of_field(field).with_problems_of(later),
            None => rejection.into(),
        },
        error => error.into(),
    }
}
