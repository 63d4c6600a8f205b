//! The settings of a queue as they are sent and shown.

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{GetQueue, ListQueues, QueueSettings, Rejection};
use redrive_proto::querator::QueueInfo;
use redrive_store::StoreError;

use crate::audit::Undone;
use crate::auth::{Permission, SYSTEM};
use crate::desk::Desk;
use crate::fault::Fault;
use crate::wire::{count, expire_timeout, lease_timeout};

const TIMEOUT_BYTES_MAX: usize = 15;
/// So many queues are looked at a time.
const PAGE: usize = 1_000;

/// The timeouts that a request names; none where it says nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timeouts {
    pub(super) lease: Option<Span>,
    pub(super) expire: Option<Span>,
}

impl Timeouts {
    pub(super) fn of(info: &QueueInfo) -> Result<Self, Fault> {
        for (what, text) in [("lease", &info.lease_timeout), ("expire", &info.expire_timeout)] {
            if text.len() > TIMEOUT_BYTES_MAX {
                let message =
                    format!("{what} timeout is invalid; cannot be greater than '{TIMEOUT_BYTES_MAX}' characters");
                return Err(Fault::bad(message));
            }
        }
        // A time of nothing is none.
        let is_said = |span: &Span| !span.is_zero();
        let expire = expire_timeout(&info.expire_timeout)?.filter(is_said);
        Ok(Self { expire, lease: lease_timeout(&info.lease_timeout)?.filter(is_said) })
    }
}

/// The namespace that a request names; `_system`, where it says nothing.
pub(super) fn namespace(text: &str) -> Result<Option<NamespaceName>, Fault> {
    let is_system = text.is_empty() || text == SYSTEM;
    if is_system { Ok(None) } else { Ok(Some(NamespaceName::new(text)?)) }
}

/// The dead queue that a request names.
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

impl Desk {
    /// Whether items of a queue in one namespace may die into a queue: it is in the same one, or the caller may put items
    /// into it.
    pub(super) async fn may_bury_in(
        &self,
        dead_queue: Option<&QueueName>,
        namespace: Option<&NamespaceName>,
    ) -> Result<(), Fault> {
        let Some(name) = dead_queue else { return Ok(()) };
        match self.store().queue(GetQueue { name: name.clone() }).await {
            Ok(there) if there.namespace.as_ref() == namespace => Ok(()),
            Ok(there) => self.allow(Permission::QueueProduce, there.namespace.as_ref()).await,
            // The store says so in its turn.
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Desk {
    /// A dead queue may be deleted while others name it. Whoever makes one of its name later must not get their dead.
    pub(super) async fn nobody_else_buries_in(&self, new: &QueueSettings) -> Result<(), Fault> {
        if self.app.auth.is_open() {
            return Ok(());
        }
        let mut list = ListQueues { limit: PAGE, ..ListQueues::default() };
        loop {
            let page = self.store().queues(list.clone()).await?;
            let is_theirs = |queue: &QueueSettings| {
                queue.dead_queue.as_ref() == Some(&new.name) && queue.namespace != new.namespace
            };
            if page.iter().any(is_theirs) {
                let message = format!("queue name is taken; items of another namespace die into '{}'", new.name);
                return Err(Fault::bad(message));
            }
            match page.last() {
                Some(last) if page.len() == PAGE => list.pivot = Some(last.name.as_str().into()),
                _ => return Ok(()),
            }
        }
    }
}

/// How many attempts are asked for. A number below zero goes as the largest there is, which a store refuses in its turn.
pub(super) fn attempts(info: &QueueInfo) -> u32 {
    u32::try_from(info.max_attempts).unwrap_or(u32::MAX)
}

/// What a store refused, in the words for what was sent.
pub(super) fn refused(undone: Undone, info: &QueueInfo) -> Fault {
    match undone {
        Undone::Store(StoreError::Rejected(Rejection::TooManyAttempts)) if info.max_attempts < 0 => {
            Fault::bad("max attempts is invalid; cannot be negative number")
        }
        undone => undone.into(),
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
    }
}
