//! The context of one request, and the checks that several calls share.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{GetQueue, QueueSettings, Rejection};
use redrive_store::{Store, StoreError};

use crate::api_error::ApiError;
use crate::app::App;
use crate::audit::{ActNamespace, AuditTarget};
use crate::auth::{Caller, Permission, Permissions, SYSTEM};
use crate::request_id::RequestId;
use crate::settings::Settings;

/// One request: its caller, its origin and the server that handles it.
#[derive(Debug, Clone)]
pub(crate) struct RequestContext {
    pub(crate) app: Arc<App>,
    pub(crate) caller: Caller,
    pub(crate) request: RequestId,
    /// `None` if the server acts for a user by itself.
    pub(crate) peer: Option<SocketAddr>,
    pub(crate) path: &'static str,
    /// The caller's reason for an administrative act, from the header `X-Redrive-Reason`.
    pub(crate) reason: Option<String>,
    /// The targets of an administrative act.
    pub(crate) targets: OnceLock<Vec<AuditTarget>>,
    /// The namespace of an administrative act, once its checks have determined it.
    pub(crate) act_namespace: OnceLock<ActNamespace>,
}

impl RequestContext {
    /// The context in which the server carries out a run of letters for a user.
    pub(crate) fn of_run(app: &Arc<App>, caller: Caller, namespace: &str, reason: &str) -> Self {
        Self {
            app: Arc::clone(app),
            caller,
            request: RequestId::of(None, &app.ids),
            peer: None,
            path: "/v1/letters.run",
            reason: Some(reason.to_owned()),
            targets: OnceLock::new(),
            act_namespace: OnceLock::from(ActNamespace::named(namespace)),
        }
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.app.store
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.app.settings
    }

    /// Checks a queue name and the caller's permission. The queue is looked up only if authorization is on, because the
    /// permission depends on its namespace; otherwise the operation that follows reports a missing queue.
    pub(crate) async fn queue(&self, name: &str, permission: Permission) -> Result<QueueName, ApiError> {
        self.queue_or(name, permission, |missing| missing).await
    }

    /// Like [`queue`](Self::queue), but reports a missing queue as `as_missing` makes it.
    pub(crate) async fn queue_or(
        &self,
        name: &str,
        permission: Permission,
        as_missing: fn(ApiError) -> ApiError,
    ) -> Result<QueueName, ApiError> {
        if name.trim().is_empty() {
            let error = ApiError::bad("queue name is invalid; queue name cannot be empty");
            return Err(error.of_field("queue_name"));
        }
        if name.contains('~') {
            let error = ApiError::bad(format!("queue name is invalid; '{name}' cannot contain '~' character"));
            return Err(error.of_field("queue_name"));
        }
        // A queue with an invalid name cannot exist.
        let name = QueueName::new(name).map_err(|_| as_missing(missing(name)))?;
        if self.app.auth.is_open() {
            self.note_namespace(|| ActNamespace::OfQueue(name.clone()));
            return Ok(name);
        }
        let settings = self.store().queue(GetQueue { name: name.clone() }).await.map_err(|error| match error {
            StoreError::Rejected(Rejection::NoSuchQueue(_)) => as_missing(error.into()),
            error => error.into(),
        })?;
        self.allow(permission, settings.namespace.as_ref()).await?;
        Ok(name)
    }

    /// The settings of a queue, after a check of the caller's permission.
    pub(crate) async fn queue_settings(&self, name: &str, permission: Permission) -> Result<QueueSettings, ApiError> {
        let name = self.queue(name, permission).await?;
        Ok(self.store().queue(GetQueue { name }).await?)
    }

    /// Returns the result of a request's checks. If they failed, a missing queue or partition is reported first, as the
    /// API promises.
    pub(crate) async fn checked<T>(
        &self,
        queue: &QueueName,
        partition: Option<i32>,
        found: Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let number = partition.map(u32::try_from);
        if found.is_ok() && !matches!(number, Some(Err(_))) {
            return found;
        }
        let settings = self.store().queue(GetQueue { name: queue.clone() }).await?;
        match (partition, number) {
            (Some(given), Some(number))
                if number.is_err() || number.is_ok_and(|number| number >= settings.partitions) =>
            {
                let error = ApiError::from(Rejection::NoSuchPartition(i64::from(given)));
                Err(error.of_field("partition").with_problems_of(&found))
            }
            _ => found,
        }
    }

    pub(crate) async fn allow(
        &self,
        permission: Permission,
        namespace: Option<&NamespaceName>,
    ) -> Result<(), ApiError> {
        self.allow_in(permission, namespace.map_or(SYSTEM, NamespaceName::as_str)).await
    }

    /// Like [`allow`](Self::allow) for a namespace by its text, which need not be a valid name.
    pub(crate) async fn allow_in(&self, permission: Permission, namespace: &str) -> Result<(), ApiError> {
        self.note_namespace(|| ActNamespace::named(namespace));
        self.app.auth.allow_in(&self.caller, permission, namespace).await
    }

    /// Checks that the caller has a permission in some namespace.
    pub(crate) async fn allow_somewhere(&self, permission: Permission) -> Result<(), ApiError> {
        let is_allowed = self.app.auth.is_allowed_somewhere(&self.caller, permission, &[]).await?;
        if is_allowed { Ok(()) } else { Err(self.caller.denied(permission)) }
    }

    /// The caller's permissions in a namespace.
    pub(crate) async fn permissions_in(&self, namespace: &str) -> Result<Permissions, ApiError> {
        self.app.auth.permissions(&self.caller, namespace).await
    }

    /// Notes the namespace of an administrative act: the first one that a check is about. Later checks of the same act
    /// may be about other namespaces, such as that of a dead queue.
    fn note_namespace(&self, namespace: impl FnOnce() -> ActNamespace) {
        if self.targets.get().is_some() {
            self.act_namespace.get_or_init(namespace);
        }
    }

    /// Checks that the caller may grant these permissions in a namespace.
    pub(crate) async fn may_grant(&self, permissions: Permissions, namespace: &str) -> Result<(), ApiError> {
        self.app.auth.may_grant(&self.caller, permissions, namespace).await
    }

    /// Waits for the store, at most for the request's timeout.
    pub(crate) async fn within<T, E>(
        &self,
        queue: &QueueName,
        wait: Span,
        work: impl Future<Output = Result<T, E>> + Send,
    ) -> Result<T, ApiError>
    where
        ApiError: From<E>,
    {
        let timeout = self.timeout(queue, wait);
        tokio::select! {
            biased;
            done = work => Ok(done?),
            () = timeout => Err(ApiError::timed_out()),
        }
    }

    #[cfg(not(feature = "test-mode"))]
    fn timeout(&self, _: &QueueName, wait: Span) -> impl Future<Output = ()> {
        let deadlines = &self.app.deadlines;
        deadlines.sleep_until(deadlines.after(wait))
    }

    /// The timeout of a request does not run while its queue is frozen.
    #[cfg(feature = "test-mode")]
    fn timeout(&self, queue: &QueueName, wait: Span) -> impl Future<Output = ()> {
        let App { deadlines, frozen_queues, .. } = &*self.app;
        let mut deadline = deadlines.after(wait);
        async move {
            loop {
                deadlines.sleep_until(deadline).await;
                if !frozen_queues.is_frozen(queue) {
                    return;
                }
                frozen_queues.unfrozen(queue).await;
                deadline = deadlines.after(wait);
            }
        }
    }

    /// Runs an act to completion, even if its caller disconnects or the server shuts down: an act that has begun must
    /// get its audit record.
    pub(crate) async fn run_to_completion<T, F>(&self, work: impl FnOnce(Self) -> F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ApiError>> + Send + 'static,
    {
        self.app.acts.spawn(work(self.clone())).await.unwrap_or_else(|error| {
            tracing::error!(request = %self.request, %error, "call panicked; this is a bug");
            Err(ApiError::internal())
        })
    }

    /// Waits until the caller loses this permission on a queue: the API key was deleted or has expired, or a role was
    /// removed. Returns the error to report.
    pub(crate) async fn revoked(&self, queue: &QueueName, permission: Permission) -> ApiError {
        let App { auth, deadlines, .. } = &*self.app;
        if auth.is_open() {
            return std::future::pending().await;
        }
        let expiry = async {
            let key = self.caller.key.as_deref();
            let Some((key, at)) = key.and_then(|key| Some((key, key.expires_at?))) else {
                return std::future::pending().await;
            };
            deadlines.sleep_until(deadlines.after(at.since(deadlines.now()))).await;
            key.expired(at)
        };
        tokio::pin!(expiry);
        let mut ctx = self.clone();
        loop {
            tokio::select! {
                caller = auth.reauthorize_on_change(&ctx.caller) => match caller {
                    Ok(caller) => ctx.caller = caller,
                    Err(error) => return error,
                },
                error = &mut expiry => return error,
            }
            if let Err(error) = ctx.queue(queue.as_str(), permission).await {
                return error;
            }
        }
    }

    /// Waits for work that may take long, and ends it with a error when the server shuts down.
    pub(crate) async fn until_shutdown<T>(
        &self,
        work: impl Future<Output = Result<T, ApiError>> + Send,
    ) -> Result<T, ApiError> {
        tokio::select! {
            biased;
            done = work => done,
            () = self.app.closing.cancelled() => Err(ApiError::closing()),
        }
    }
}

pub(crate) fn missing(name: &str) -> ApiError {
    let error = ApiError::bad(format!("queue does not exist; no such queue named '{name}'"));
    error.because("no_such_queue").with("queue", name)
}
