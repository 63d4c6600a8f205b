//! Runs that do not proceed, for the overview.

use redrive_core::QueueName;
use redrive_model::{GetQueue, Rejection};
use redrive_store::StoreError;

use super::run::{Run, RunState};
use crate::api_error::ApiError;
use crate::auth::{Permission, Permissions, Reach};
use crate::records::Records;
use crate::request_context::RequestContext;

/// A run whose letters wait for their destination, or that ended before it had worked on all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StalledRun {
    pub(crate) id: String,
    pub(crate) namespace: String,
    pub(crate) queue: QueueName,
    /// Letters that have not been worked on.
    pub(crate) letters: u64,
    pub(crate) has_ended: bool,
    /// Why it does not proceed, or why it ended.
    pub(crate) cause: String,
}

impl RequestContext {
    /// The runs of a namespace, or of all, that do not proceed and whose letters the caller may read. A run that a user
    /// has cancelled is not one of them.
    pub(crate) async fn stalled_runs(&self, namespace: &str) -> Result<Vec<StalledRun>, ApiError> {
        let needs = Permissions::default().with(Permission::LettersRead);
        let prefixes = match self.app.auth.reach(&self.caller, needs).await? {
            Reach::All if namespace.is_empty() => vec![Run::prefix()],
            Reach::Only(namespaces) if namespace.is_empty() => {
                namespaces.iter().map(|name| Run::prefix_of(name)).collect()
            }
            Reach::Only(namespaces) if !namespaces.contains(namespace) => Vec::new(),
            Reach::All | Reach::Only(_) => vec![Run::prefix_of(namespace)],
        };
        let now = self.app.deadlines.now();
        let mut stalled = Vec::new();
        for prefix in prefixes {
            for run in Records(self.store()).all::<Run>(prefix).await? {
                let has_ended = match run.state {
                    RunState::Waiting => false,
                    RunState::GaveUp | RunState::Stopped => true,
                    RunState::Planned | RunState::Running | RunState::Finished | RunState::Cancelled => continue,
                };
                if run.remaining() > 0 && !run.is_expired(now) && self.exists(&run.queue).await? {
                    let letters = run.remaining();
                    let Run { id, namespace, queue, cause, .. } = run;
                    stalled.push(StalledRun { id, namespace, queue, letters, has_ended, cause });
                }
            }
        }
        Ok(stalled)
    }

    /// Nothing can be done about a run whose queue was deleted.
    async fn exists(&self, queue: &QueueName) -> Result<bool, ApiError> {
        match self.store().queue(GetQueue { name: queue.clone() }).await {
            Ok(_) => Ok(true),
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
