//! Administrative acts of callers: the change and its audit record are written in one transaction.

use futures_util::future::BoxFuture;
use redrive_core::Span;
use redrive_store::{Reply, Request, StoreError, Transactional};

use super::chain::{ATTEMPTS_MAX, Chain};
use super::target::cut;
use super::{AuditActor, AuditOrigin, AuditRecord, AuditResult, Change, ChangeError};
use crate::api_error::{ApiError, Code};
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
        F: Future<Output = Result<(Change<O>, T), ApiError>>,
    {
        let deadlines = &self.app.deadlines;
        let deadline = deadlines.after(ACT_TIMEOUT);
        tokio::select! {
            biased;
            changed = self.change_locked(decide) => changed,
            () = deadlines.sleep_until(deadline) => Err(ChangeError::ApiError(ApiError::timed_out())),
        }
    }

    /// Does an administrative act whose change does not depend on data of the store.
    pub(crate) async fn act<O: Transactional + Clone>(&self, change: Change<O>) -> Result<O::Reply, ChangeError> {
        let change = &change;
        self.change(|| async move { Ok((change.clone(), ())) }).await.map(|(reply, ())| reply)
    }

    /// Records an administrative act that changes no other data of the store.
    pub(crate) async fn record_act(&self) -> Result<(), ChangeError> {
        self.act(Change::of_keys(Vec::new())).await
    }

    /// Fails if the store accepts no audit record now. An act whose effect precedes its record must check this first: what
    /// is done to a destination or to a processor cannot be undone when the record is rejected.
    pub(crate) fn check_recordable(&self) -> Result<(), ApiError> {
        match self.store().status() {
            Some(status) if status.is_poisoned => Err(StoreError::Poisoned.into()),
            Some(status) if status.is_full => Err(StoreError::Full.into()),
            _ => Ok(()),
        }
    }

    async fn change_locked<O, T, F>(&self, decide: impl Fn() -> F) -> Result<(O::Reply, T), ChangeError>
    where
        O: Transactional,
        F: Future<Output = Result<(Change<O>, T), ApiError>>,
    {
        let mut chain = self.app.audit.lock().await;
        for _ in 0..ATTEMPTS_MAX {
            let (change, answer) = decide().await.map_err(ChangeError::ApiError)?;
            if let Some(reply) = self.commit(&mut chain, change.erased()).await? {
                return Ok((O::unwrap(reply).ok_or(StoreError::WrongAnswer)?, answer));
            }
        }
        tracing::warn!(request = %self.request, attempts = ATTEMPTS_MAX, "act gave up after concurrent changes");
        Err(ChangeError::ApiError(ApiError::new(Code::RetryRequest, "internal error, try your request again")))
    }

    /// Writes a change with its audit record. Boxed, so that it is compiled once and not for each operation.
    fn commit<'c>(
        &'c self,
        chain: &'c mut Chain,
        change: Change<Request>,
    ) -> BoxFuture<'c, Result<Option<Reply>, StoreError>> {
        Box::pin(async move {
            let result = AuditResult { code: Code::Ok.number(), message: String::new() };
            let record = self.record(result).await?;
            chain.append(self.store(), record, change).await
        })
    }

    /// Records that an administrative act was rejected, for lack of permission or because it does not fit the current
    /// state.
    pub(crate) async fn record_rejection(&self, error: &ApiError) {
        let is_rejection = match error.code {
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
        let result = AuditResult { code: error.code.number(), message: error.loggable().to_owned() };
        for _ in 0..ATTEMPTS_MAX {
            let appended = match self.record(result.clone()).await {
                Ok(record) => chain.append(self.store(), record, Change::of_keys(Vec::new()).erased()).await,
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

    async fn record(&self, result: AuditResult) -> Result<AuditRecord, StoreError> {
        let namespace = match self.act_namespace.get() {
            Some(namespace) => namespace.resolve(self.store()).await?,
            None => None,
        };
        let key = self.caller.key.as_deref();
        Ok(AuditRecord {
            actor: AuditActor {
                user: self.caller.user.to_string(),
                name: Some(self.caller.user_name().to_owned()),
                key: key.map(|key| key.key_id.clone()),
                key_name: key.map(|key| key.key_name.clone()).filter(|name| !name.is_empty()),
            },
            origin: AuditOrigin {
                peer: self.peer.map(|peer| peer.to_string()),
                request: Some(self.request.as_str().to_owned()),
            },
            namespace,
            targets: self.targets.get().cloned().unwrap_or_default(),
            reason: self.reason.as_deref().map(|reason| cut(reason, REASON_BYTES_MAX).to_owned()),
            result,
            ..AuditRecord::of_server(self.path.trim_start_matches("/v1/"), self.app.deadlines.now())
        })
    }
}
