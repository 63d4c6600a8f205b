//! Start, stop, pause and inspect the automatic retries of a queue's letters.

use std::sync::Arc;
use std::time::Duration;

use redrive_core::{NamespaceName, QueueName, Span};
use redrive_model::{GetQueue, Rejection};
use redrive_proto::redrive::v1::{LettersProcessRequest, LettersProcessResponse, ProcessReport};
use redrive_run::{Processor, ProcessorError, ProcessorSettings, RunReport, RunnerHealth, RunnerStartError};
use redrive_store::StoreError;

use super::fields::{letter_error, targets};
use crate::api_error::{ApiError, Code};
use crate::app::App;
use crate::audit::AuditTarget;
use crate::auth::{Permission, SYSTEM};
use crate::http::{BodyLimit, Endpoint};
use crate::request_context::RequestContext;
use crate::status::destinations;
use crate::wire::{big_count, count};

/// A runner that does not report its health within this time is shown as unresponsive: one runner must not delay what is
/// shown about others.
pub(crate) const HEALTH_TIMEOUT: Duration = Duration::from_secs(1);

pub(crate) struct Process;

impl Endpoint for Process {
    type Request = LettersProcessRequest;
    type Answer = LettersProcessResponse;

    const PATH: &'static str = "/v1/letters.process";
    const NEEDS: Permission = Permission::LettersConfigure;
    const OR: &'static [Permission] = &[Permission::LettersRead];
    const BODY_MAX: BodyLimit = BodyLimit::Small;

    fn targets(request: &LettersProcessRequest) -> Option<Vec<AuditTarget>> {
        if request.action.is_empty() {
            return None;
        }
        let mut targets = targets(&request.queue_name, &[])?;
        targets.push(AuditTarget::new("action", &request.action));
        if request.retry_interval_seconds != 0 {
            targets.push(AuditTarget::new("retry_interval_seconds", &request.retry_interval_seconds.to_string()));
        }
        Some(targets)
    }

    async fn call(ctx: &RequestContext, request: LettersProcessRequest) -> Result<LettersProcessResponse, ApiError> {
        let is_read_only = request.action.is_empty();
        let needed = if is_read_only { Permission::LettersRead } else { Self::NEEDS };
        let queue = ctx.dead_queue(&request.queue_name, needed).await?;
        let interval = interval(&request)?;
        let processor = processor(ctx, &queue).await?;
        let mut report = None;
        if !is_read_only {
            ctx.check_recordable()?;
            let (processor, queue) = (Arc::clone(&processor), queue.clone());
            let acted = ctx.run_to_completion(move |ctx| async move {
                let report = act(&processor, &queue, &request.action, interval).await?;
                ctx.record_act().await?;
                Ok(report)
            });
            report = acted.await?;
        }
        let health = processor.health(&queue).await.map_err(processor_error)?;
        let interval = processor.interval(&queue).map_err(processor_error)?;
        Ok(response(health, interval, report))
    }
}

/// The interval of searches for due letters, if the request sets it.
fn interval(request: &LettersProcessRequest) -> Result<Option<Span>, ApiError> {
    let allowed = ProcessorSettings::INTERVAL_SECONDS;
    let invalid = |why: String| ApiError::bad(format!("retry_interval_seconds is invalid; {why}"));
    let seconds = request.retry_interval_seconds;
    match u64::try_from(seconds) {
        Ok(0) => Ok(None),
        _ if request.action != "start" => Err(invalid("only 'start' takes it".to_owned())),
        Ok(seconds) if allowed.contains(&seconds) => Ok(Some(Span::from_secs(seconds))),
        _ => Err(invalid(format!("'{seconds}' is not within {} and {}", allowed.start(), allowed.end()))),
    }
}

async fn act(
    processor: &Processor,
    queue: &QueueName,
    action: &str,
    interval: Option<Span>,
) -> Result<Option<RunReport>, ApiError> {
    let done = match (action, interval) {
        ("start", None) => processor.start(queue).await.map(|()| None),
        ("start", Some(interval)) => processor.start_looking_every(queue, interval).await.map(|()| None),
        ("stop", _) => processor.stop(queue, processor.drain()).await,
        ("pause" | "resume", _) => processor.pause(queue, action == "pause").await.map(|()| None),
        (other, _) => {
            let message = format!("action is invalid; '{other}' is not one of start, stop, pause, resume");
            return Err(ApiError::bad(message));
        }
    };
    done.map_err(processor_error)
}

impl App {
    /// The queues that have a target and do not exist.
    pub(crate) async fn missing_target_queues(&self) -> Result<Vec<QueueName>, StoreError> {
        let mut missing = Vec::new();
        for queue in self.processor.get().into_iter().flat_map(|processor| processor.queues()) {
            match self.store.queue(GetQueue { name: queue.clone() }).await {
                Ok(_) => {}
                Err(StoreError::Rejected(Rejection::NoSuchQueue(_))) => missing.push(queue.clone()),
                Err(error) => return Err(error),
            }
        }
        Ok(missing)
    }

    /// The namespace in which the configuration creates a queue that has a target.
    pub(crate) fn target_namespace(&self, queue: &QueueName) -> &str {
        let namespaces = self.target_namespaces.get();
        namespaces.and_then(|namespaces| namespaces.get(queue)).map_or(SYSTEM, NamespaceName::as_str)
    }

    /// Whether the letters of a queue are retried automatically while its processor runs.
    pub(crate) fn has_target(&self, queue: &QueueName) -> bool {
        self.processor.get().is_some_and(|processor| processor.has_target(queue))
    }
}

/// The processor that retries the letters of a queue.
pub(super) async fn processor(ctx: &RequestContext, queue: &QueueName) -> Result<Arc<Processor>, ApiError> {
    if let Some(processor) = ctx.app.processor.get().filter(|_| ctx.app.has_target(queue)) {
        return Ok(Arc::clone(processor));
    }
    // A missing queue has no target either, but is reported as missing.
    ctx.store().queue(GetQueue { name: queue.clone() }).await.map_err(letter_error)?;
    Err(processor_error(ProcessorError::NoTarget(queue.clone())))
}

pub(super) fn processor_error(error: ProcessorError) -> ApiError {
    match error {
        ProcessorError::Store(error) => letter_error(error),
        ProcessorError::NoTarget(ref queue) => {
            let message = format!(
                "{error}: nothing retries its letters automatically; letters.retry hands them back to where \
                 they came from"
            );
            ApiError::new(Code::RequestFailed, message).because("no_target").with("queue", queue)
        }
        ProcessorError::Start(RunnerStartError::AlreadyRunning) => {
            let message = "letters of this queue are being retried already; to change the interval, stop it first";
            ApiError::new(Code::Conflict, message).because("conflict")
        }
        ProcessorError::Start(_) | ProcessorError::NotRunning(_) => {
            ApiError::new(Code::Conflict, error.to_string()).because("conflict")
        }
        ProcessorError::BreakerOpen(_) => ApiError::new(Code::Conflict, error.to_string()).because("breaker_open"),
        ProcessorError::ClaimLost => ApiError::new(Code::Conflict, error.to_string()).because("claim_lost"),
        ProcessorError::Stopping => ApiError::closing(),
        ProcessorError::Setting(_) => ApiError::internal(),
    }
}

/// The state of a processor, as the API shows it.
pub(super) fn state(health: Option<&RunnerHealth>) -> &'static str {
    match health {
        None => "stopped",
        Some(health) if health.is_draining => "draining",
        Some(health) if health.is_paused => "paused",
        Some(_) => "running",
    }
}

fn response(health: Option<RunnerHealth>, interval: Span, report: Option<RunReport>) -> LettersProcessResponse {
    let report = report.map(|report| ProcessReport {
        finished: big_count(report.finished()),
        deferred: big_count(report.deferred),
        aborted: big_count(report.aborted),
    });
    let state = state(health.as_ref());
    let Some(health) = health else {
        return LettersProcessResponse { state: state.to_owned(), report, ..LettersProcessResponse::default() };
    };
    let trouble = health.claim_trouble.or(health.settle_trouble).map(|trouble| trouble.error).unwrap_or_default();
    LettersProcessResponse {
        state: state.to_owned(),
        running: count(health.running),
        held: health.held.iter().map(ToString::to_string).collect(),
        trouble,
        destinations: destinations(health.destinations),
        report,
        retry_interval_seconds: Some(big_count(interval.as_micros() / 1_000_000)),
    }
}
