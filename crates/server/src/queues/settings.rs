//! Converts queue settings from and to messages of the API.

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{GetQueue, ListQueues, QueueSettings, Rejection};
use redrive_proto::querator::QueueInfo;
use redrive_store::StoreError;

use crate::audit::ChangeError;
use crate::auth::{Permission, SYSTEM};
use crate::fault::Fault;
use crate::request_context::RequestContext;
use crate::wire::{big_count, count, expire_timeout, lease_timeout};

const TIMEOUT_BYTES_MAX: usize = 15;
/// Number of queues that one read of the store returns.
const PAGE: usize = 1_000;

/// The timeouts of a request; `None` if it does not set them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timeouts {
    pub(super) lease: Option<Span>,
    pub(super) expire: Option<Span>,
}

impl Timeouts {
    pub(super) fn of(info: &QueueInfo) -> Result<Self, Fault> {
        for (what, text) in [("lease", &info.lease_timeout), ("expire", &info.expire_timeout)] {
            // A long duration that this API itself returns, as of a queue whose items never expire, is accepted.
            if text.len() > TIMEOUT_BYTES_MAX && text.parse::<Span>().is_err() {
                let message =
                    format!("{what} timeout is invalid; cannot be greater than '{TIMEOUT_BYTES_MAX}' characters");
                return Err(Fault::bad(message));
            }
        }
        // A timeout of zero means unset.
        let is_set = |span: &Span| !span.is_zero();
        let expire = expire_timeout(&info.expire_timeout)?.filter(is_set);
        Ok(Self { expire, lease: lease_timeout(&info.lease_timeout)?.filter(is_set) })
    }
}

/// The namespace of a request; `None` for `_system`, which is the default.
pub(crate) fn namespace(text: &str) -> Result<Option<NamespaceName>, Fault> {
    let is_system = text.is_empty() || text == SYSTEM;
    if is_system { Ok(None) } else { Ok(Some(NamespaceName::new(text)?)) }
}

/// The dead queue of a request.
pub(super) fn dead_queue(text: &str) -> Result<Option<QueueName>, Fault> {
    if text.is_empty() {
        return Ok(None);
    }
    if text.len() > QueueSettings::DEAD_QUEUE_BYTES_MAX {
        return Err(Rejection::DeadQueueNameTooLong.into());
    }
    if text.contains(char::is_whitespace) {
        return Err(Fault::bad(format!("dead queue is invalid; '{text}' cannot contain whitespace")));
    }
    if text.contains('~') {
        return Err(Fault::bad(format!("dead queue is invalid; '{text}' cannot contain '~' character")));
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
    ) -> Result<(), Fault> {
        let Some(name) = dead_queue else { return Ok(()) };
        match self.store().queue(GetQueue { name: name.clone() }).await {
            Ok(dead) if dead.namespace.as_ref() == namespace => Ok(()),
            Ok(dead) => self.allow(Permission::QueueProduce, dead.namespace.as_ref()).await,
            // The store reports the missing queue.
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl RequestContext {
    /// Rejects a new queue whose name is the dead queue of a queue in another namespace. A dead queue can be deleted
    /// while other queues still name it; a queue that is created under its name later must not receive their dead
    /// items.
    pub(super) async fn is_no_foreign_dead_queue(&self, new: &QueueSettings) -> Result<(), Fault> {
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
                return Err(Fault::bad(message));
            }
            match page.last() {
                Some(last) if page.len() == PAGE => list.pivot = Some(last.name.as_str().into()),
                _ => return Ok(()),
            }
        }
    }
}

/// The maximum attempts of a request. A negative number becomes the largest `u32`, which the store rejects.
pub(super) fn attempts(info: &QueueInfo) -> u32 {
    u32::try_from(info.max_attempts).unwrap_or(u32::MAX)
}

/// The maximum number of items of a request; `None` if it does not set it.
pub(super) fn max_items(info: &QueueInfo) -> Result<Option<u64>, Fault> {
    let invalid = |_| Fault::bad("max items is invalid; cannot be negative number");
    info.max_items.map(u64::try_from).transpose().map_err(invalid)
}

/// The fault of a failed change, with the API's message for negative attempts.
pub(super) fn queue_fault(error: ChangeError, info: &QueueInfo) -> Fault {
    match error {
        ChangeError::Store(StoreError::Rejected(Rejection::TooManyAttempts)) if info.max_attempts < 0 => {
            Fault::bad("max attempts is invalid; cannot be negative number")
        }
        error => error.into(),
    }
}

pub(super) fn queue_info(settings: &QueueSettings) -> QueueInfo {
    QueueInfo {
        queue_name: settings.name.to_string(),
        created_at: Some(settings.created_at.into()),
        updated_at: Some(settings.updated_at.into()),
        dead_queue: settings.dead_queue.as_ref().map(ToString::to_string).unwrap_or_default(),
        reference: settings.reference.clone(),
        lease_timeout: settings.lease_timeout.to_string(),
        expire_timeout: settings.expire_timeout.to_string(),
        max_attempts: count(settings.max_attempts),
        requested_partitions: count(settings.requested_partitions),
        partitions: Vec::new(),
        namespace: settings.namespace.as_ref().map_or(SYSTEM, NamespaceName::as_str).to_owned(),
        max_items: (settings.max_items > 0).then(|| big_count(settings.max_items)),
    }
}
