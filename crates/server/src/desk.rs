//! Where a call is worked on: what there is to work with, and what several calls check alike.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use redrive_core::{NamespaceName, QueueName, Span, Time};
use redrive_model::{GetQueue, QueueSettings, Rejection};
use redrive_store::{Store, StoreError};

use crate::app::App;
use crate::audit::AuditTarget;
use crate::auth::{Caller, Permission, Permissions, expired};
use crate::fault::Fault;
use crate::request_id::RequestId;
use crate::settings::Settings;

/// One call, its caller, and the server that it came to.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) app: Arc<App>,
    pub(crate) caller: Caller,
    pub(crate) request: RequestId,
    pub(crate) peer: SocketAddr,
    pub(crate) path: &'static str,
    /// Why an administrative act is done, if its caller says so.
    pub(crate) reason: Option<String>,
    /// What an administrative act is about.
    pub(crate) targets: OnceLock<Vec<AuditTarget>>,
}

impl Desk {
    pub(crate) fn store(&self) -> &dyn Store {
        &*self.app.store
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.app.settings
    }

    /// The name of a queue that should exist. Whether it does, is only looked up here where the caller's permission
    /// depends on it: elsewhere whoever works on it says so.
    pub(crate) async fn queue(&self, name: &str, permission: Permission) -> Result<QueueName, Fault> {
        self.queue_or(name, permission, |missing| missing).await
    }

    /// The same, for calls that tell of a queue which is not there in a way of their own.
    pub(crate) async fn queue_or(
        &self,
        name: &str,
        permission: Permission,
        told: fn(Fault) -> Fault,
    ) -> Result<QueueName, Fault> {
        if name.trim().is_empty() {
            return Err(Fault::bad("queue name is invalid; queue name cannot be empty"));
        }
        if name.contains('~') {
            return Err(Fault::bad(format!("queue name is invalid; '{name}' cannot contain '~' character")));
        }
        // No queue can have such a name.
        let name = QueueName::new(name).map_err(|_| told(missing(name)))?;
        if self.app.auth.is_open() {
            return Ok(name);
        }
        let settings = self.store().queue(GetQueue { name: name.clone() }).await.map_err(|error| match error {
            StoreError::Rejected(Rejection::NoSuchQueue(_)) => told(error.into()),
            error => error.into(),
        })?;
        self.allow(permission, settings.namespace.as_ref()).await?;
        Ok(name)
    }

    /// The queue itself.
    pub(crate) async fn queue_settings(&self, name: &str, permission: Permission) -> Result<QueueSettings, Fault> {
        let name = self.queue(name, permission).await?;
        Ok(self.store().queue(GetQueue { name }).await?)
    }

    /// What was found out about a request. Where it is wrong, a queue or partition that is not there is told first.
    pub(crate) async fn checked<T>(
        &self,
        queue: &QueueName,
        partition: Option<i32>,
        found: Result<T, Fault>,
    ) -> Result<T, Fault> {
        let number = partition.map(u32::try_from);
        if found.is_ok() && !matches!(number, Some(Err(_))) {
            return found;
        }
        let settings = self.store().queue(GetQueue { name: queue.clone() }).await?;
        match (partition, number) {
            (Some(given), Some(number))
                if number.is_err() || number.is_ok_and(|number| number >= settings.partitions) =>
            {
                Err(Rejection::NoSuchPartition(i64::from(given)).into())
            }
            _ => found,
        }
    }

    pub(crate) async fn allow(&self, permission: Permission, namespace: Option<&NamespaceName>) -> Result<(), Fault> {
        self.app.auth.allow(&self.caller, permission, namespace).await
    }

    /// The same for a namespace that nobody can have.
    pub(crate) async fn allow_in(&self, permission: Permission, namespace: &str) -> Result<(), Fault> {
        self.app.auth.allow_in(&self.caller, permission, namespace).await
    }

    /// Whether the caller may give others these permissions in a namespace.
    pub(crate) async fn may_grant(&self, permissions: Permissions, namespace: &str) -> Result<(), Fault> {
        self.app.auth.may_grant(&self.caller, permissions, namespace).await
    }

    /// A queue belongs to a namespace that there is.
    pub(crate) async fn namespace_exists(&self, namespace: Option<&NamespaceName>) -> Result<(), Fault> {
        self.namespace_held(namespace).await.map(|_| ())
    }

    /// Waits for the store, but no longer than the request may take.
    pub(crate) async fn within<T, E>(
        &self,
        queue: &QueueName,
        wait: Span,
        work: impl Future<Output = Result<T, E>> + Send,
    ) -> Result<T, Fault>
    where
        Fault: From<E>,
    {
        let App { deadlines, stills, .. } = &*self.app;
        tokio::pin!(work);
        loop {
            let deadline = deadlines.after(wait);
            tokio::select! {
                biased;
                done = &mut work => return Ok(done?),
                () = deadlines.passed(deadline) => {}
            }
            if !stills.is_still(queue) {
                return Err(Fault::late());
            }
            // The time of a request stands still with its queue.
            tokio::select! {
                biased;
                done = &mut work => return Ok(done?),
                () = stills.ended(queue) => {}
            }
        }
    }

    /// Does something to its end, also where its caller does not wait for it or the server is told to stop: an act that was
    /// begun must not lack its record.
    pub(crate) async fn to_its_end<T, F>(&self, work: impl FnOnce(Self) -> F) -> Result<T, Fault>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Fault>> + Send + 'static,
    {
        self.app.acts.spawn(work(self.clone())).await.unwrap_or_else(|error| {
            tracing::error!(request = %self.request, %error, "a call panicked; this is a defect");
            Err(Fault::internal())
        })
    }

    /// Waits until the caller may no longer do this with a queue: their key was deleted, or has expired, or a role was taken
    /// from them. What it was.
    pub(crate) async fn revoked(&self, queue: &QueueName, permission: Permission) -> Fault {
        let App { auth, deadlines, .. } = &*self.app;
        if auth.is_open() {
            return std::future::pending().await;
        }
        let expires_at = self.caller.key.as_ref().and_then(|key| key.expires_at).unwrap_or(Time::MAX);
        let expires_at = deadlines.after(expires_at.since(deadlines.now()));
        let mut desk = self.clone();
        loop {
            tokio::select! {
                caller = auth.judged_anew(&desk.caller) => match caller {
                    Ok(caller) => desk.caller = caller,
                    Err(fault) => return fault,
                },
                () = deadlines.passed(expires_at) => return expired(),
            }
            if let Err(fault) = desk.queue(queue.as_str(), permission).await {
                return fault;
            }
        }
    }

    /// Waits for something that may take long; a server that shuts down waits for nothing.
    pub(crate) async fn while_open<T>(&self, work: impl Future<Output = Result<T, Fault>> + Send) -> Result<T, Fault> {
        tokio::select! {
            biased;
            done = work => done,
            () = self.app.closing.cancelled() => Err(Fault::closing()),
        }
    }
}

pub(crate) fn missing(name: &str) -> Fault {
    Fault::bad(format!("queue does not exist; no such queue named '{name}'"))
}
