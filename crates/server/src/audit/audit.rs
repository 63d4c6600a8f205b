//! Acts of callers.

use redrive_core::{Ksuid, Span, Time};
use redrive_store::{Store, StoreError, Transactional};
use tokio::sync::{Mutex, MutexGuard};

use super::chain::{ATTEMPTS_MAX, Chain};
use super::target::cut;
use super::{AuditActor, AuditOrigin, AuditResult, Change, Entry};
use crate::desk::Desk;
use crate::fault::{Code, Fault};

const REASON_BYTES_MAX: usize = 512;
/// An act that takes longer is given up; whether it was done, its record tells.
const PATIENCE: Span = Span::from_mins(5);

/// The records that a server writes. One act at a time is done, so that each finds the chain, and whatever it decides
/// on, as the one before left it. Producing, leasing and the like are no acts, and never wait here.
#[derive(Debug)]
pub(crate) struct Audit {
    chain: Mutex<Chain>,
}

/// Why a change was not made.
#[derive(Debug)]
pub(crate) enum Undone {
    /// It was decided against.
    Decided(Fault),
    /// The store did not do it.
    Store(StoreError),
}

impl From<Undone> for Fault {
    fn from(undone: Undone) -> Self {
        match undone {
            Undone::Decided(fault) => fault,
            Undone::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Audit {
    pub(crate) fn new(incarnation: Ksuid, records_max: usize) -> Self {
        Self { chain: Mutex::new(Chain::new(incarnation.to_string(), records_max)) }
    }

    /// The turn of one act.
    pub(crate) async fn turn(&self) -> MutexGuard<'_, Chain> {
        self.chain.lock().await
    }

    /// Begins the chain.
    pub(crate) async fn begin(&self, store: &dyn Store, now: Time) -> Result<(), StoreError> {
        let entry = Entry::of_server("server.start", now);
        // The chain is this server's own: nobody else writes to it.
        self.turn().await.append(store, entry, Change::of_keys(Vec::new())).await.map(|_| ())
    }
}

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
        if !chain.refusals.admit(self.app.deadlines.now()) {
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
