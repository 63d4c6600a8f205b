//! Administrative acts of callers: decided, done and recorded in one.

use redrive_core::Span;
use redrive_store::Transactional;

use super::chain::ATTEMPTS_MAX;
use super::target::cut;
use super::{AuditActor, AuditOrigin, AuditResult, Change, Entry, Undone};
use crate::desk::Desk;
use crate::fault::{Code, Fault};

const REASON_BYTES_MAX: usize = 512;
/// An act that takes longer is given up; whether it was done, its record tells.
const PATIENCE: Span = Span::from_mins(5);

impl Desk {
    /// Does an administrative act: decides, and makes the change together with its record. When what was decided on has
    /// changed meanwhile, it is decided anew.
    pub(crate) async fn change<O, T, F>(&self, decide: impl Fn() -> F) -> Result<(O::Reply, T), Undone>
    where
        O: Transactional,
        F: Future<Output = Result<(Change<O>, T), Fault>>,
    {
        let deadlines = &self.app.deadlines;
        let deadline = deadlines.after(PATIENCE);
        tokio::select! {
            biased;
            changed = self.change_in_turn(decide) => changed,
            () = deadlines.passed(deadline) => Err(Undone::Decided(Fault::late())),
        }
    }

    /// Records an administrative act that changes nothing which is kept beside its record.
    pub(crate) async fn record_act(&self) -> Result<(), Undone> {
        self.change(|| async { Ok((Change::of_keys(Vec::new()), ())) }).await.map(|_| ())
    }

    async fn change_in_turn<O, T, F>(&self, decide: impl Fn() -> F) -> Result<(O::Reply, T), Undone>
    where
        O: Transactional,
        F: Future<Output = Result<(Change<O>, T), Fault>>,
    {
        let mut chain = self.app.audit.turn().await;
        for _ in 0..ATTEMPTS_MAX {
            let (change, answer) = decide().await.map_err(Undone::Decided)?;
            let result = AuditResult { code: Code::Ok.number(), message: String::new() };
            if let Some(reply) = chain.append(self.store(), self.entry(result), change).await? {
                return Ok((reply, answer));
            }
        }
        tracing::warn!(request = %self.request, "others changed the same things again and again");
        Err(Undone::Decided(Fault::new(Code::RetryRequest, "internal error, try your request again")))
    }

    /// Records that an administrative act was refused, whether its caller may not do it or it does not fit what is there.
    pub(crate) async fn record_refusal(&self, fault: &Fault) {
        let is_refusal = match fault.code {
            Code::BadRequest
            | Code::Unauthorized
            | Code::Forbidden
            | Code::NotFound
            | Code::Conflict
            | Code::TooMany
            | Code::RequestFailed => true,
            // Nobody decided against it: it may be done when it is asked for again.
            Code::Ok | Code::RetryRequest | Code::ContentError | Code::Internal | Code::NotImplemented => false,
        };
        if !is_refusal || self.app.closing.is_cancelled() {
            return;
        }
        let mut chain = self.app.audit.turn().await;
        if !chain.refusals.admit(self.app.deadlines.monotonic()) {
            return;
        }
        let result = AuditResult { code: fault.code.number(), message: fault.kept().to_owned() };
        for _ in 0..ATTEMPTS_MAX {
            let change = Change::of_keys(Vec::new());
            match chain.append(self.store(), self.entry(result.clone()), change).await {
                Ok(Some(_)) => return,
                Ok(None) => {}
                Err(error) => {
                    tracing::error!(%error, request = %self.request, "a refusal could not be recorded");
                    return;
                }
            }
        }
    }

    fn entry(&self, result: AuditResult) -> Entry {
        Entry {
            now: self.app.deadlines.now(),
            actor: AuditActor {
                user: self.caller.user.to_string(),
                key: self.caller.key.as_ref().map(|key| key.key_id.clone()),
            },
            origin: AuditOrigin { peer: Some(self.peer.to_string()), request: Some(self.request.as_str().to_owned()) },
            action: self.path.trim_start_matches("/v1/").to_owned(),
            targets: self.targets.get().cloned().unwrap_or_default(),
            reason: self.reason.as_deref().map(|reason| cut(reason, REASON_BYTES_MAX).to_owned()),
            result,
        }
    }
}
