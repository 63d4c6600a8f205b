//! Administrative acts of callers: the change and its audit record are written in one transaction.

use redrive_core::Span;
use redrive_store::{StoreError, Transactional};

use super::chain::ATTEMPTS_MAX;
use super::target::cut;
use super::{AuditActor, AuditOrigin, AuditResult, Change, ChangeError, Entry};
use crate::fault::{Code, Fault};
use crate::request_context::RequestContext;

const REASON_BYTES_MAX: usize = 512;
/// Maximum time of an act. After it the outcome is unknown to the caller; the audit record shows whether it was done.
const ACT_TIMEOUT: Span = Span::from_mins(5);

impl RequestContext {
    /// Does an administrative act: calls `decide` and commits the change that it returns together with its audit
    /// record. If the data that the decision is based on has changed meanwhile, `decide` is called again.
    pub(crate) async fn change<O, T, F>(&self, decide: impl Fn() -> F) -> Result<(O::Reply, T), ChangeError>
    where
        O: Transactional,
        F: Future<Output = Result<(Change<O>, T), Fault>>,
    {
        let deadlines = &self.app.deadlines;
        let deadline = deadlines.after(ACT_TIMEOUT);
        tokio::select! {
            biased;
            changed = self.change_locked(decide) => changed,
            () = deadlines.sleep_until(deadline) => Err(ChangeError::Fault(Fault::timed_out())),
        }
    }

    /// Records an administrative act that changes no other data of the store.
    pub(crate) async fn record_act(&self) -> Result<(), ChangeError> {
        self.change(|| async { Ok((Change::of_keys(Vec::new()), ())) }).await.map(|_| ())
    }

    /// Fails if the store accepts no audit record now. An act whose effect precedes its record must check this first: what
    /// is done to a destination or to a processor cannot be undone when the record is rejected.
    pub(crate) fn check_recordable(&self) -> Result<(), Fault> {
        match self.store().status() {
            Some(status) if status.is_poisoned => Err(StoreError::Poisoned.into()),
            Some(status) if status.is_full => Err(StoreError::Full.into()),
            _ => Ok(()),
        }
    }

    async fn change_locked<O, T, F>(&self, decide: impl Fn() -> F) -> Result<(O::Reply, T), ChangeError>
    where
        O: Transactional,
        F: Future<Output = Result<(Change<O>, T), Fault>>,
    {
        let mut chain = self.app.audit.lock().await;
        for _ in 0..ATTEMPTS_MAX {
            let (change, answer) = decide().await.map_err(ChangeError::Fault)?;
            let result = AuditResult { code: Code::Ok.number(), message: String::new() };
            let entry = self.entry(result).await?;
            if let Some(reply) = chain.append(self.store(), entry, change).await? {
                return Ok((reply, answer));
            }
        }
        tracing::warn!(request = %self.request, attempts = ATTEMPTS_MAX, "act gave up after concurrent changes");
        Err(ChangeError::Fault(Fault::new(Code::RetryRequest, "internal error, try your request again")))
    }

    /// Records that an administrative act was rejected, for lack of permission or because it does not fit the current
    /// state.
    pub(crate) async fn record_rejection(&self, fault: &Fault) {
        let is_rejection = match fault.code {
            Code::BadRequest
            | Code::Unauthorized
            | Code::Forbidden
            | Code::NotFound
            | Code::Conflict
            | Code::TooMany
            | Code::RequestFailed => true,
            // Not a decision about the act: the same request may succeed later.
            Code::Ok | Code::RetryRequest | Code::ContentError | Code::Internal | Code::NotImplemented => false,
        };
        if !is_rejection || self.app.closing.is_cancelled() {
            return;
        }
        let mut chain = self.app.audit.lock().await;
        if !chain.rejections.admit(self.app.deadlines.monotonic()) {
            return;
        }
        let result = AuditResult { code: fault.code.number(), message: fault.loggable().to_owned() };
        for _ in 0..ATTEMPTS_MAX {
            let appended = match self.entry(result.clone()).await {
                Ok(entry) => chain.append(self.store(), entry, Change::of_keys(Vec::new())).await,
                Err(error) => Err(error),
            };
            match appended {
                Ok(Some(_)) => return,
                Ok(None) => {}
                Err(error) => {
                    tracing::error!(%error, request = %self.request, "recording a rejected act failed");
                    return;
                }
            }
        }
    }

    async fn entry(&self, result: AuditResult) -> Result<Entry, StoreError> {
        let namespace = match self.act_namespace.get() {
            Some(namespace) => namespace.resolve(self.store()).await?,
            None => None,
        };
        let key = self.caller.key.as_deref();
        Ok(Entry {
            now: self.app.deadlines.now(),
            actor: AuditActor {
                user: self.caller.user.to_string(),
                name: Some(self.caller.user_name().to_owned()),
                key: key.map(|key| key.key_id.clone()),
                key_name: key.map(|key| key.key_name.clone()).filter(|name| !name.is_empty()),
            },
            origin: AuditOrigin { peer: Some(self.peer.to_string()), request: Some(self.request.as_str().to_owned()) },
            namespace,
            action: self.path.trim_start_matches("/v1/").to_owned(),
            targets: self.targets.get().cloned().unwrap_or_default(),
            reason: self.reason.as_deref().map(|reason| cut(reason, REASON_BYTES_MAX).to_owned()),
            result,
        })
    }
}
