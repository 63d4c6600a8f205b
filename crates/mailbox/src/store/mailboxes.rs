//! The mailboxes of a store, by name.

use std::num::NonZeroU64;
use std::sync::Arc;

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{CreateQueue, GetQueue, QueueSettings, Rejection};
use redrive_store::{Store, StoreError};

use super::StoreMailbox;
use super::mailbox::{INSTANT, store_error};
use crate::{MailboxError, MailboxName, MailboxSettings, ReceiveSpec, TokenGenerator};

/// The mailboxes of a store. Clones share it.
///
/// A mailbox is the queue of its name. Operators see it as any other queue. Its retention (`expire_timeout`) and its
/// capacity (`max_items`) are settings of the queue: [`Store::update_queue`] changes them.
#[derive(Debug, Clone)]
pub struct StoreMailboxes {
    store: Arc<dyn Store>,
    tokens: Arc<TokenGenerator>,
    namespace: Option<NamespaceName>,
}

impl StoreMailboxes {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, tokens: Arc::new(TokenGenerator::new()), namespace: None }
    }

    /// Creates queues in this namespace. Mailboxes that exist are opened in any namespace.
    #[must_use]
    pub fn in_namespace(mut self, namespace: NamespaceName) -> Self {
        self.namespace = Some(namespace);
        self
    }

    /// Opens the mailbox of this name, or creates its queue with these settings. If the queue exists, the mailbox has the
    /// retention and the capacity of the queue. Every call returns a separate object of the same mailbox, which is closed
    /// separately.
    ///
    /// # Errors
    ///
    /// `InvalidParameter` if the name is not one of a queue, or the queue cannot be a mailbox: it has several partitions,
    /// a dead queue or a maximum of attempts, all of which would take messages away from their receivers.
    pub async fn open(&self, name: MailboxName, settings: MailboxSettings) -> Result<Arc<StoreMailbox>, MailboxError> {
        let queue = QueueName::new(name.as_str()).map_err(|error| {
            MailboxError::invalid("mailbox name", &format!("'{name}'"), format!("names of queues: {error}"))
        })?;
        let existing = self.find_or_create(&name, queue.clone(), &settings).await?;
        let settings = settings_of(&existing, &settings)?;
        Ok(StoreMailbox::new(Arc::clone(&self.store), Arc::clone(&self.tokens), name, queue, settings))
    }

    async fn find_or_create(
        &self,
        name: &MailboxName,
        queue: QueueName,
        settings: &MailboxSettings,
    ) -> Result<QueueSettings, MailboxError> {
        let failed = |error: StoreError| store_error(name, &error);
        match self.store.queue(GetQueue { name: queue.clone() }).await {
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => {}
            found => return found.map_err(failed),
        }
        let settings = QueueSettings { namespace: self.namespace.clone(), ..queue_settings(queue.clone(), settings) };
        match self.store.create_queue(CreateQueue { settings }).await {
            // Another program has created it meanwhile.
            Err(StoreError::Rejected(Rejection::QueueExists(_))) => {
                self.store.queue(GetQueue { name: queue }).await.map_err(failed)
            }
            created => created.map_err(failed),
        }
    }
}

/// The settings of the queue of a mailbox.
fn queue_settings(name: QueueName, settings: &MailboxSettings) -> QueueSettings {
    let expire_timeout = match settings.retention {
        Span::ZERO => Span::MAX,
        retention => retention.saturating_sub(INSTANT).max(INSTANT),
    };
    QueueSettings {
        lease_timeout: ReceiveSpec::default().visibility.min(expire_timeout),
        expire_timeout,
        max_items: settings.capacity.map_or(0, NonZeroU64::get),
        ..QueueSettings::new(name)
    }
}

/// The settings of the mailbox that an existing queue is.
fn settings_of(queue: &QueueSettings, settings: &MailboxSettings) -> Result<MailboxSettings, MailboxError> {
    let obstacle = match queue {
        QueueSettings { dead_queue: Some(dead), .. } => Some(format!("with the dead queue '{dead}'")),
        QueueSettings { max_attempts: 1.., .. } => Some(format!("with max_attempts {}", queue.max_attempts)),
        QueueSettings { partitions: 2.., .. } => Some(format!("with {} partitions", queue.partitions)),
        _ => None,
    };
    if let Some(obstacle) = obstacle {
        let allowed = "queues with one partition, without a dead queue and without a maximum of attempts";
        let value = format!("'{}', a queue {obstacle}", queue.name);
        return Err(MailboxError::invalid("mailbox", &value, allowed));
    }
    let retention = match queue.expire_timeout {
        Span::MAX => Span::ZERO,
        expire_timeout => expire_timeout.saturating_add(INSTANT),
    };
    Ok(MailboxSettings { capacity: NonZeroU64::new(queue.max_items), retention, ..settings.clone() })
}
