//! Confirm a plan: the server carries it out, also if the caller leaves.

use redrive_core::{QueueName, Span};
use redrive_model::{GetQueue, KeyCondition};
use redrive_proto::redrive::v1::{LettersConfirmRequest, LettersRun};
use redrive_store::StoreError;

use super::run::{Run, RunState};
use crate::api_error::{ApiError, Code};
use crate::audit::AuditTarget;
use crate::auth::{Permission, namespace_of};
use crate::http::Endpoint;
use crate::letters::archive;
use crate::letters::fields::{letter_error, targets};
use crate::problems::Problems;
use crate::records::{Read, RecordTime, Records};
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};

/// How long a run waits for a destination, by default and at most.
const GIVE_UP_AFTER: (u64, u64) = (3_600, 7 * 24 * 3_600);
/// Maximum time that a call waits for the end of a run.
const WAIT_SECONDS_MAX: i32 = 60;

#[derive(Debug)]
pub(crate) struct Confirm;

impl Endpoint for Confirm {
    type Request = LettersConfirmRequest;
    type Answer = LettersRun;

    const PATH: &'static str = "/v1/letters.confirm";
    const NEEDS: Permission = Permission::LettersRetry;
    const OR: &'static [Permission] = &[Permission::LettersArchive, Permission::LettersClear];

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

    fn targets(request: &LettersConfirmRequest) -> Option<Vec<AuditTarget>> {
        targets(&request.queue_name, &[])
    }

    async fn call(ctx: &RequestContext, request: LettersConfirmRequest) -> Result<LettersRun, ApiError> {
        let mut problems = Problems::default();
        let wait = problems.field("wait_seconds", wait(request.wait_seconds));
        let rate = u32::try_from(request.rate).map_err(|_| ApiError::bad("rate is invalid; cannot be negative"));
        let rate = problems.field("rate", rate);
        let give_up_after = problems.field("give_up_after_seconds", give_up_after(request.give_up_after_seconds));
        problems.finish(())?;
        ctx.may_act_on_letters(&request.queue_name).await?;
        let found = ctx.run_of(&request.queue_name, &request.token).await?;
        // A plan is confirmed by who has seen its numbers; a run that ended early by all who may do the same act.
        let is_own = |run: &Run| run.state != RunState::Planned || run.user == *ctx.caller.user;
        let found = found.filter(|found| is_own(&found.record));
        let Some(Read { record: run, .. }) = found.filter(|found| !found.record.is_expired(ctx.app.deadlines.now()))
        else {
            let message = "there is no such plan; it has expired or belongs to another caller: plan it again";
            return Err(ApiError::new(Code::NotFound, message).because("no_such_plan").grouped("not_found"));
        };
        // The caller's permissions may have changed since the plan was made.
        ctx.dead_queue(&request.queue_name, run.act.permission()).await?;
        let reason = ctx.reason.as_deref().map(str::trim).unwrap_or_default();
        if reason.is_empty() {
            let message = "reason is required; state it in the header X-Redrive-Reason";
            return Err(ApiError::bad(message).because("reason_required"));
        }
        let LettersConfirmRequest { queue_name, token, .. } = request;
        let started = ctx
            .run_to_completion(move |ctx| async move { start(&ctx, &queue_name, &token, rate, give_up_after).await });
        let run = started.await?;
        Ok(ctx.run_after(run, wait).await?.view())
    }
}

/// Starts the run of a plan, unless it has been started. The start and its audit record are one transaction.
async fn start(
    ctx: &RequestContext,
    queue: &str,
    id: &str,
    rate: u32,
    give_up_after_seconds: u64,
) -> Result<Run, ApiError> {
    let _changing = ctx.app.runs.changing().await;
    let gone = || ApiError::new(Code::NotFound, "there is no such plan; plan it again").because("no_such_plan");
    let Read { record: run, version, .. } = ctx.run_of(queue, id).await?.ok_or_else(gone)?;
    if !run.state.is_startable() {
        return Ok(run);
    }
    let now = RecordTime(ctx.app.deadlines.now());
    let is_continued = run.state != RunState::Planned;
    let run = Run {
        user: ctx.caller.user.to_string(),
        user_name: ctx.caller.user_name().to_owned(),
        key: ctx.caller.key.as_ref().map(|key| key.key_id.clone()),
        reason: ctx.reason.clone().unwrap_or_default(),
        confirmed_at: run.confirmed_at.or(Some(now)),
        ended_at: None,
        state: RunState::Running,
        cause: String::new(),
        rate,
        give_up_after_seconds,
        cancelled_by: String::new(),
        ..run
    };
    let (act, digest, letters) = (run.act.name(), &run.digest, run.remaining().to_string());
    let targets = AuditTarget::list([("action", act), ("plan", digest), ("run", &run.id), ("letters", &letters)]);
    let stored = run.store_recorded(ctx, KeyCondition::Version(version), &targets).await;
    stored.map_err(archive::act_error)?;
    ctx.app.carry_out(run.clone(), is_continued);
    Ok(run)
}

fn give_up_after(seconds: i64) -> Result<u64, ApiError> {
    let (default, most) = GIVE_UP_AFTER;
    match u64::try_from(seconds) {
        Ok(0) => Ok(default),
        Ok(seconds) if seconds <= most => Ok(seconds),
        _ => Err(ApiError::bad(format!("give_up_after_seconds is invalid; must be 1 to {most}"))),
    }
}

/// The time that a call waits for the end of a run.
pub(super) fn wait(seconds: i32) -> Result<Span, ApiError> {
    match u64::try_from(seconds) {
        Ok(within) if seconds <= WAIT_SECONDS_MAX => Ok(Span::from_secs(within)),
        _ => Err(ApiError::bad(format!("wait_seconds is invalid; must be 0 to {WAIT_SECONDS_MAX}"))),
    }
}

impl RequestContext {
    /// Checks that the caller has the permission of some bulk action on the letters of a queue. A caller without one does
    /// not learn which runs exist.
    pub(super) async fn may_act_on_letters(&self, queue: &str) -> Result<(), ApiError> {
        for permission in [Permission::LettersArchive, Permission::LettersClear] {
            if self.dead_queue(queue, permission).await.is_ok() {
                return Ok(());
            }
        }
        self.dead_queue(queue, Permission::LettersRetry).await.map(drop)
    }

    /// The plan or run with this id, if it is of this queue.
    pub(super) async fn run_of(&self, queue: &str, id: &str) -> Result<Option<Read<Run>>, ApiError> {
        let name = QueueName::new(queue).map_err(|error| ApiError::from(error).grouped("invalid"))?;
        let settings = self.store().queue(GetQueue { name: name.clone() }).await.map_err(letter_error)?;
        let key = Run::key_of(namespace_of(&settings), id);
        let found = Records(self.store()).read::<Run>(key).await?;
        Ok(found.filter(|found| found.record.queue == name))
    }

    /// A run as it is when it has ended, or after a time.
    pub(super) async fn run_after(&self, run: Run, wait: Span) -> Result<Run, ApiError> {
        if let Some(active) = self.app.runs.active(&run.id) {
            let deadlines = &self.app.deadlines;
            tokio::select! {
                () = active.ended.cancelled() => {}
                () = deadlines.sleep_until(deadlines.after(wait)) => {}
                () = self.app.closing.cancelled() => {}
            }
        }
        let now = Records(self.store()).get::<Run>(run.key()).await;
        match now {
            Ok(now) => Ok(now.unwrap_or(run)),
            // It has been started, whatever can be read now.
            Err(StoreError::Closed) => Ok(run),
            Err(error) => Err(error.into()),
        }
    }
}
