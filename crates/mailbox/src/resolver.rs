//! Finds the mailbox of a `reply_to`.
//!
//! The name was chosen by the sender of the message. A factory therefore opens only mailboxes whose name is on its
//! allow-list: otherwise any sender could make a worker write to any queue.

use std::collections::HashMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use metrics::counter;

use crate::{MailboxBackend, MailboxError, MailboxName, MessageId, NewMessage};

type Opened = Result<Arc<dyn MailboxBackend>, MailboxError>;
type Factory = Arc<dyn Fn(MailboxName) -> BoxFuture<'static, Opened> + Send + Sync>;

/// Resolves names to reply mailboxes: registered ones, then those that a factory may open. Clones share the cache.
#[derive(Clone, Default)]
pub struct ReplyResolver {
    shared: Arc<Resolver>,
}

#[derive(Default)]
struct Resolver {
    registered: HashMap<MailboxName, ReplyMailbox>,
    factory: Option<Factory>,
    allowed_names: Vec<MailboxName>,
    allowed_prefixes: Vec<String>,
    /// What the factory has opened.
    cache: Mutex<HashMap<MailboxName, ReplyMailbox>>,
}

/// How long the factory may take.
const OPEN_FOR: Duration = Duration::from_secs(10);

/// How many mailboxes of the factory are kept open.
const CACHED_MAX: usize = 1024;

impl ReplyResolver {
    #[must_use]
    pub fn builder() -> ReplyResolverBuilder {
        ReplyResolverBuilder { resolver: Resolver::default() }
    }

    /// The mailbox of this name.
    ///
    /// # Errors
    ///
    /// `Resolution` if the name is not valid, not known or not allowed; the error of the factory if it fails.
    pub async fn resolve(&self, name: &str) -> Result<ReplyMailbox, MailboxError> {
        let resolved = self.find(name).await;
        if let Err(error @ MailboxError::Resolution { .. }) = &resolved {
            counter!("redrive_mailbox_unresolved_replies_total").increment(1);
            tracing::warn!(reply_to = name.escape_debug().to_string(), %error, "reply mailbox was not resolved");
        }
        resolved
    }

    /// The mailbox of this name, or `None` if there is no such mailbox or it is not allowed.
    ///
    /// # Errors
    ///
    /// The error of the factory if it fails for another reason.
    pub async fn resolve_optional(&self, name: &str) -> Result<Option<ReplyMailbox>, MailboxError> {
        match self.find(name).await {
            Ok(mailbox) => Ok(Some(mailbox)),
            Err(MailboxError::Resolution { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn find(&self, text: &str) -> Result<ReplyMailbox, MailboxError> {
        let fail = |reason: &str| MailboxError::Resolution { name: text.to_owned(), reason: reason.to_owned() };
        let name = MailboxName::new(text).map_err(|_| fail("the name is not valid"))?;
        if let Some(found) = self.shared.registered.get(&name) {
            return Ok(found.clone());
        }
        let factory = self.shared.factory.as_ref().ok_or_else(|| fail("it is not registered"))?;
        if !self.shared.allows(&name) {
            return Err(fail("its name is not allowed; add it to the allow-list of the resolver"));
        }
        if let Some(found) = self.shared.cache().get(&name) {
            return Ok(found.clone());
        }
        let opened = ReplyMailbox(self.open(factory, name.clone()).await?);
        let mut cache = self.shared.cache();
        if cache.len() >= CACHED_MAX {
            // Any entry: an evicted mailbox is opened again when it is needed.
            let victim = cache.keys().next().cloned();
            victim.and_then(|victim| cache.remove(&victim));
        }
        Ok(cache.entry(name).or_insert(opened).clone())
    }
    /// Calls the factory, whose panics and hangs must not stop a loop: the sender of a message chose the name.
    async fn open(&self, factory: &Factory, name: MailboxName) -> Opened {
        let log = |reason: &str| {
            counter!("redrive_mailbox_reply_factory_errors_total").increment(1);
            tracing::error!(reply_to = %name, reason, "reply mailbox was not opened");
            reason.to_owned()
        };
        let opening = AssertUnwindSafe(async { factory(name.clone()).await }).catch_unwind();
        match tokio::time::timeout(OPEN_FOR, opening).await {
            Ok(Ok(opened)) => opened,
            Ok(Err(_)) => Err(MailboxError::Resolution { name: name.to_string(), reason: log("the factory panicked") }),
            Err(_) => {
                let reason = log("the factory did not return within 10s");
                Err(MailboxError::Connection { mailbox: name.clone(), reason })
            }
        }
    }
}

impl Resolver {
    fn allows(&self, name: &MailboxName) -> bool {
        let has_prefix = |prefix: &String| name.as_str().starts_with(prefix.as_str());
        self.allowed_names.contains(name) || self.allowed_prefixes.iter().any(has_prefix)
    }

    fn cache(&self) -> MutexGuard<'_, HashMap<MailboxName, ReplyMailbox>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ReplyResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Resolver { registered, factory, allowed_names, allowed_prefixes, .. } = &*self.shared;
        f.debug_struct("ReplyResolver")
            .field("registered", &registered.keys())
            .field("has_factory", &factory.is_some())
            .field("allowed_names", allowed_names)
            .field("allowed_prefixes", allowed_prefixes)
            .finish_non_exhaustive()
    }
}

/// Builds a [`ReplyResolver`].
pub struct ReplyResolverBuilder {
    resolver: Resolver,
}

impl ReplyResolverBuilder {
    /// Adds a mailbox, which is resolved by its name.
    #[must_use]
    pub fn register(mut self, mailbox: Arc<dyn MailboxBackend>) -> Self {
        self.resolver.registered.insert(mailbox.name().clone(), ReplyMailbox(mailbox));
        self
    }

    /// Sets the factory for mailboxes that are not registered. It opens only those that are allowed, and should do so
    /// with [`MailboxSettings::of_replies`](crate::MailboxSettings::of_replies).
    #[must_use]
    pub fn factory<F>(mut self, open: F) -> Self
    where
        F: Fn(MailboxName) -> BoxFuture<'static, Opened> + Send + Sync + 'static,
    {
        self.resolver.factory = Some(Arc::new(open));
        self
    }

    /// Allows the factory to open this mailbox.
    #[must_use]
    pub fn allow(mut self, name: MailboxName) -> Self {
        self.resolver.allowed_names.push(name);
        self
    }

    /// Allows the factory to open mailboxes whose name begins with this. An empty prefix allows all names.
    #[must_use]
    pub fn allow_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.resolver.allowed_prefixes.push(prefix.into());
        self
    }

    #[must_use]
    pub fn build(self) -> ReplyResolver {
        ReplyResolver { shared: Arc::new(self.resolver) }
    }
}

impl fmt::Debug for ReplyResolverBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplyResolverBuilder").finish_non_exhaustive()
    }
}

/// A mailbox to which replies are sent, and nothing else.
#[derive(Debug, Clone)]
pub struct ReplyMailbox(Arc<dyn MailboxBackend>);

impl ReplyMailbox {
    pub fn name(&self) -> &MailboxName {
        self.0.name()
    }

    /// Sends a reply, which has no `reply_to`. A reply with an id is accepted once.
    ///
    /// # Errors
    ///
    /// Those of [`MailboxBackend::send`].
    pub async fn send(&self, id: Option<MessageId>, body: Bytes) -> Result<MessageId, MailboxError> {
        self.send_message(NewMessage { id, body, reply_to: None }).await
    }

    pub(crate) async fn send_message(&self, message: NewMessage) -> Result<MessageId, MailboxError> {
        self.0.send(message).await
    }
}
