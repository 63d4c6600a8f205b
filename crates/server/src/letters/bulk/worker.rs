//! Carries a run out, part by part, for the user who confirmed it.
//!
//! After each part the progress is stored. A server that is killed in between works on that part again: a letter that the
//! run has changed already has another revision, so that nothing is done twice.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use redrive_core::{LetterId, MonotonicTime, Span};
use redrive_model::{KeyCondition, LetterRevision};
use redrive_run::WhileDown;
use redrive_store::StoreError;

use super::active_runs::Active;
use super::lists::Lists;
use super::parts::{PartResult, RELEASED, letters_max, work};
use super::run::{ListPart, Run, RunState, WaitingLetter};
use crate::api_error::{ApiError, Code};
use crate::app::App;
use crate::audit::{AuditTarget, ChangeError};
use crate::auth::Caller;
use crate::records::RecordTime;
use crate::request_context::RequestContext;

/// Maximum number of letters that wait for a destination while others are worked on.
pub(super) const WAITING_MAX: usize = 1_000;
/// The first and the longest time until letters that wait are tried again.
const WAIT: (Span, Span) = (Span::from_secs(1), Span::from_secs(10));
/// How often a letter may probe its destination without an attempt that counts. Otherwise letters that always fail would
/// wait as long as for a destination that is down.
const PROBES_MAX: u32 = 2;
/// The delay before progress that could not be stored is stored again.
const STORE_DELAY: Span = Span::from_secs(1);

#[derive(Debug)]
pub(super) struct Worker {
    app: Arc<App>,
    run: Run,
    active: Active,
    /// The letters of the first part that have not been worked on.
    part: VecDeque<LetterRevision>,
    /// Whether the run may have worked on the next letters without knowing the result.
    is_uncertain: bool,
    /// How many letters may be looked at in vain behind others that wait: all once, and more with each that is changed, so
    /// that a long list behind a full queue is not read again and again.
    look_ahead: u64,
    wait: Span,
}

/// Why the work ends.
enum End {
    /// The server shuts down. The next one continues.
    Closing,
    With(RunState, String),
}

impl Worker {
    pub(super) fn new(app: Arc<App>, run: Run, active: Active, is_resumed: bool) -> Self {
        let look_ahead = run.remaining();
        Self { app, run, active, part: VecDeque::new(), is_uncertain: is_resumed, look_ahead, wait: WAIT.0 }
    }

    pub(super) fn work(mut self) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            if let End::With(state, cause) = self.until_end().await {
                self.end(state, cause).await;
            }
            self.app.runs.remove(&self.run.id, &self.active);
        })
    }

    async fn until_end(&mut self) -> End {
        loop {
            // Before anything is checked: what was true before a long wait for other runs may not be so any more.
            let permits = self.app.runs.working(&self.run.namespace);
            let permit = tokio::select! {
                biased;
                () = self.active.cancelled.cancelled() => None,
                () = self.app.closing.cancelled() => return End::Closing,
                permit = permits.acquire_owned() => permit.ok(),
            };
            if self.active.cancelled.is_cancelled() {
                return End::With(RunState::Cancelled, format!("cancelled by {}", self.active.canceller()));
            }
            let ctx = match self.context().await {
                Ok(ctx) => ctx,
                Err(error) if is_final(&error) => return end_by(error),
                Err(error) => {
                    drop(permit);
                    match self.wait_because(error.message.into_owned()).await {
                        Some(end) => return end,
                        None => continue,
                    }
                }
            };
            let began = self.app.deadlines.monotonic();
            let (letters, is_waiting) = match self.next_letters(&ctx).await {
                Ok(Some(next)) => next,
                Ok(None) => return End::With(RunState::Finished, String::new()),
                Err(end) => return end,
            };
            let waited = if is_waiting { &self.run.waiting[..letters.len()] } else { &[] };
            let has_probed = !waited.is_empty() && waited.iter().all(|letter| letter.probes >= PROBES_MAX);
            let while_down = if has_probed { WhileDown::Try } else { WhileDown::Wait };
            let result = work(&ctx, &self.run, &letters, while_down, self.is_uncertain).await;
            drop(permit);
            let worked = result.changed;
            if let Some(end) = self.count(is_waiting, result).await {
                return end;
            }
            self.keep_rate(began, worked).await;
        }
    }

    /// The letters to be worked on next, and whether they have waited; `None` if there are none.
    async fn next_letters(&mut self, ctx: &RequestContext) -> Result<Option<(Vec<LetterRevision>, bool)>, End> {
        let rate = usize::try_from(self.run.rate).unwrap_or(usize::MAX);
        let most = letters_max(ctx, &self.run).min(if rate == 0 { usize::MAX } else { rate });
        let has_more = !self.run.parts.is_empty();
        let has_space = self.run.waiting.len() + most <= WAITING_MAX;
        if has_more && !has_space && self.look_ahead > 0 {
            self.put_waiting_last().await?;
        } else if !self.run.waiting.is_empty() && (!has_more || !has_space) {
            // While nothing is possible, one letter shows when it is again.
            let most = if self.run.state == RunState::Waiting { 1 } else { most };
            let count = most.min(self.run.waiting.len());
            return Ok(Some((self.run.waiting[..count].iter().map(WaitingLetter::seen).collect(), true)));
        }
        while self.part.is_empty() {
            let Some(first) = self.run.parts.first() else { return Ok(None) };
            let done = usize::try_from(self.run.done_of_part).unwrap_or(usize::MAX);
            match Lists(&*self.app.store).part(first).await {
                Ok(Some(letters)) if letters.len() > done => self.part = letters.into_iter().skip(done).collect(),
                Ok(Some(_)) => {
                    let part = self.leave_part();
                    match self.store().await {
                        Some(end) => return Err(end),
                        None => Lists(&*self.app.store).discard(&[part]).await,
                    }
                }
                Ok(None) => {
                    let gone = "its list of letters is gone".to_owned();
                    return Err(End::With(RunState::Cancelled, gone));
                }
                Err(error) => match self.wait_because(ApiError::from(error).message.into_owned()).await {
                    Some(end) => return Err(end),
                    None => continue,
                },
            }
        }
        Ok(Some((self.part.iter().take(most).copied().collect(), false)))
    }

    /// Makes the letters that wait the last part of the run: others may have another destination.
    async fn put_waiting_last(&mut self) -> Result<(), End> {
        let letters: Vec<LetterRevision> = self.run.waiting.iter().map(WaitingLetter::seen).collect();
        loop {
            match Lists(&*self.app.store).append(&letters).await {
                Ok(part) => {
                    self.run.parts.push(part);
                    self.run.waiting.clear();
                    return self.store().await.map_or(Ok(()), Err);
                }
                Err(error) => {
                    if let Some(end) = self.store_again(&error).await {
                        return Err(end);
                    }
                }
            }
        }
    }

    /// Leaves the first part behind, which has been worked on.
    fn leave_part(&mut self) -> ListPart {
        self.run.done_of_part = 0;
        self.run.parts.remove(0)
    }

    /// Adds the result of a part to the progress, stores it, and waits if nothing was possible.
    async fn count(&mut self, is_waiting: bool, result: PartResult) -> Option<End> {
        let has_progress = result.has_progress();
        let PartResult { taken, changed, failed, report, blocked, untried, error, .. } = result;
        if taken == 0 {
            // Nothing was looked at, so there is an error, and it may not tell whether anything was done.
            self.is_uncertain = true;
            let error = error.unwrap_or_else(ApiError::internal);
            if is_final(&error) {
                return Some(end_by(error));
            }
            return self.wait_because(error.message.into_owned()).await;
        }
        let cause = blocked.first().map(|(_, reason)| cause_of(reason).to_owned());
        let cause = error.as_ref().map(|error| error.message.clone().into_owned()).or(cause);
        let mut probes: HashMap<LetterId, u32> = HashMap::new();
        if is_waiting {
            probes.extend(self.run.waiting.drain(..taken).map(|letter| (letter.id, letter.probes)));
        } else {
            self.part.drain(..taken.min(self.part.len()));
            self.run.done_of_part = self.run.done_of_part.saturating_add(u32::try_from(taken).unwrap_or(u32::MAX));
        }
        let untried = untried.into_iter().map(|seen| (seen, ""));
        self.run.waiting.extend(blocked.into_iter().chain(untried).map(|(seen, reason)| {
            let before = probes.get(&seen.id).copied().unwrap_or_default();
            WaitingLetter { probes: before + u32::from(reason == RELEASED), ..WaitingLetter::of(seen) }
        }));
        self.is_uncertain = error.is_some() || (self.is_uncertain && !self.run.waiting.is_empty());
        self.run.changed += changed;
        self.run.failed += failed;
        self.run.skipped += report.skips.len() as u64;
        for skip in &report.skips {
            *self.run.skips.entry(skip.reason.clone()).or_default() += 1;
        }
        for failure in &report.failures {
            let category = if failure.category.is_empty() { "outcome_unknown" } else { &failure.category };
            *self.run.failures.entry(category.to_owned()).or_default() += 1;
        }
        let mut replaced = None;
        if report.len() > 0 && !self.run.has_full_report() {
            loop {
                match Lists(&*self.app.store).append_report(self.run.reports.last(), &report).await {
                    Ok((part, is_replacing)) => {
                        replaced = if is_replacing { self.run.reports.pop() } else { None };
                        self.run.reports.push(part);
                        break;
                    }
                    // The run makes space; its numbers are kept.
                    Err(StoreError::Full) if self.run.act.frees_space() => {
                        tracing::warn!(run = %self.run.id, letters = report.len(), "the disk is full; skipped letters are not listed");
                        break;
                    }
                    Err(error) => {
                        if let Some(end) = self.store_again(&error).await {
                            return Some(end);
                        }
                    }
                }
            }
        }
        let ended_part = (self.part.is_empty() && !is_waiting).then(|| self.leave_part());
        self.look_ahead = match (has_progress, is_waiting) {
            (true, _) => self.look_ahead.saturating_add(2 * changed),
            (false, false) => self.look_ahead.saturating_sub(taken as u64),
            (false, true) => self.look_ahead,
        };
        if has_progress {
            self.wait = WAIT.0;
            self.run.waiting_since = None;
            self.run.state = RunState::Running;
            self.run.cause = String::new();
        }
        if let Some(end) = self.store().await {
            return Some(end);
        }
        // Not before the run that does not name them any more is stored.
        let unused: Vec<ListPart> = replaced.into_iter().chain(ended_part).collect();
        Lists(&*self.app.store).discard(&unused).await;
        match error {
            Some(error) if is_final(&error) => Some(end_by(error)),
            _ if is_waiting && !has_progress => self.wait_because(cause.unwrap_or_default()).await,
            _ => None,
        }
    }

    /// Waits until letters that wait are tried again. Gives up if that has lasted too long.
    async fn wait_because(&mut self, cause: String) -> Option<End> {
        let now = self.app.deadlines.now();
        let since = self.run.waiting_since.map_or(now, |since| since.0);
        if now.since(since) >= Span::from_secs(self.run.give_up_after_seconds) {
            return Some(End::With(RunState::GaveUp, cause));
        }
        let until = self.app.deadlines.after(self.wait);
        self.run.waiting_since = Some(RecordTime(since));
        self.run.state = RunState::Waiting;
        self.run.cause = cause;
        if let Some(end) = self.store().await {
            return Some(end);
        }
        self.wait = self.wait.saturating_add(self.wait).min(WAIT.1);
        self.sleep_until(until).await;
        None
    }

    /// Waits as long as the letters of a part take at the rate of the run.
    async fn keep_rate(&self, began: MonotonicTime, letters: u64) {
        if self.run.rate == 0 || letters == 0 || self.run.remaining() == 0 {
            return;
        }
        let micros = letters.saturating_mul(1_000_000) / u64::from(self.run.rate);
        self.sleep_until(began.saturating_add(Span::from_micros(micros))).await;
    }

    async fn sleep_until(&self, at: MonotonicTime) {
        tokio::select! {
            () = self.app.deadlines.sleep_until(at) => {}
            () = self.app.closing.cancelled() => {}
            () = self.active.cancelled.cancelled() => {}
        }
    }

    /// Stores the progress; tries until it is stored or the server shuts down.
    async fn store(&mut self) -> Option<End> {
        loop {
            let stored = {
                let _storing = self.active.storing.lock().await;
                self.run.cancelled_by = self.active.canceller();
                self.run.store(&*self.app.store).await
            };
            match stored {
                Ok(()) => return None,
                Err(error) => {
                    if let Some(end) = self.store_again(&error).await {
                        return Some(end);
                    }
                }
            }
        }
    }

    async fn store_again(&self, error: &StoreError) -> Option<End> {
        if self.app.closing.is_cancelled() || matches!(error, StoreError::Closed | StoreError::Poisoned) {
            return Some(End::Closing);
        }
        tracing::warn!(run = %self.run.id, %error, retry_in = %STORE_DELAY, "storing the progress of a run failed");
        tokio::select! {
            () = self.app.deadlines.sleep_until(self.app.deadlines.after(STORE_DELAY)) => None,
            () = self.app.closing.cancelled() => Some(End::Closing),
        }
    }

    /// Stores the end of the run together with its audit record.
    async fn end(&mut self, state: RunState, cause: String) {
        self.run.state = state;
        self.run.cause = cause;
        self.run.waiting_since = None;
        self.run.ended_at = Some(RecordTime(self.app.deadlines.now()));
        // Otherwise it can be continued.
        let is_over = !state.is_startable();
        let parts = if is_over { std::mem::take(&mut self.run.parts) } else { Vec::new() };
        let caller = Caller::recorded(&self.run.user, &self.run.user_name, self.run.key.as_deref());
        let ctx = RequestContext::of_run(&self.app, caller, &self.run.namespace, &self.run.reason);
        let targets = Self::targets(&self.run);
        loop {
            let stored = {
                let _storing = self.active.storing.lock().await;
                self.run.store_recorded(&ctx, KeyCondition::Any, &targets).await
            };
            match stored {
                Ok(()) => break,
                Err(ChangeError::Store(error)) => match self.store_again(&error).await {
                    Some(_) => return,
                    None => continue,
                },
                Err(ChangeError::ApiError(error)) => {
                    tracing::warn!(run = %self.run.id, error = error.loggable(), "recording the end of a run failed");
                    let again = self.app.deadlines.after(STORE_DELAY);
                    tokio::select! {
                        () = self.app.deadlines.sleep_until(again) => {}
                        () = self.app.closing.cancelled() => return,
                    }
                }
            }
        }
        let Run { id, queue, changed, skipped, failed, .. } = &self.run;
        let remaining = self.run.remaining();
        let state = state.name();
        tracing::info!(run = %id, %queue, state, changed, skipped, failed, remaining, "run of letters ended");
        Lists(&*self.app.store).discard(&parts).await;
    }

    fn targets(run: &Run) -> Vec<AuditTarget> {
        let numbers = [("changed", run.changed), ("skipped", run.skipped), ("failed", run.failed)];
        let mut targets = AuditTarget::list([
            ("queue", run.queue.as_str()),
            ("action", run.act.name()),
            ("plan", &run.digest),
            ("run", &run.id),
            ("state", run.state.name()),
        ]);
        targets.extend(numbers.map(|(kind, number)| AuditTarget::new(kind, &number.to_string())));
        targets.push(AuditTarget::new("remaining", &run.remaining().to_string()));
        targets
    }

    /// The context of a call by the user of the run, whose permissions are checked again.
    async fn context(&self) -> Result<RequestContext, ApiError> {
        let Run { user, key, namespace, reason, .. } = &self.run;
        let caller = self.app.auth.acting_for(user, key.as_deref()).await?;
        let ctx = RequestContext::of_run(&self.app, caller, namespace, reason);
        ctx.dead_queue(self.run.queue.as_str(), self.run.act.permission()).await?;
        Ok(ctx)
    }
}

/// The end of a run by an error that does not pass with time. Without its queue it cannot be continued.
fn end_by(error: ApiError) -> End {
    let state = if error.code == Code::NotFound { RunState::Cancelled } else { RunState::Stopped };
    End::With(state, error.message.into_owned())
}

/// Whether an error does not pass with time.
const fn is_final(error: &ApiError) -> bool {
    match error.code {
        Code::BadRequest | Code::Unauthorized | Code::Forbidden | Code::NotFound | Code::NotImplemented => true,
        Code::Ok
        | Code::Conflict
        | Code::TooMany
        | Code::RequestFailed
        | Code::RetryRequest
        | Code::ContentError
        | Code::Internal => false,
    }
}

fn cause_of(reason: &str) -> &str {
    match reason {
        "queue_paused" => "the queue of origin is paused",
        "queue_full" => "the queue of origin is full",
        "breaker_open" => "the circuit breaker of the destination is open",
        RELEASED => "the destination takes no letters now",
        other => other,
    }
}
