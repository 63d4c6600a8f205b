//! What retries letters by themselves: start it, stop it, look at it.

use std::sync::Arc;

use redrive_core::{QueueName, Span};
use redrive_model::GetQueue;
use redrive_proto::redrive::v1::{LettersProcessRequest, LettersProcessResponse, ProcessReport};
use redrive_run::{Processor, ProcessorError, ProcessorSettings, RunReport, RunnerHealth, RunnerStartError};

use super::fields::{refused, targets};
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::door::Endpoint;
use crate::fault::{Code, Fault};
use crate::settings::{SMALL_BODY_MAX, Settings};
use crate::wire::{big_count, count};

#[derive(Debug)]
pub(crate) struct Process;

impl Endpoint for Process {
    type Request = LettersProcessRequest;
    type Answer = LettersProcessResponse;

    const PATH: &'static str = "/v1/letters.process";
    const NEEDS: Permission = Permission::LettersConfigure;
    const OR: &'static [Permission] = &[Permission::LettersRead];

    fn body_max(_settings: &Settings) -> usize {
        SMALL_BODY_MAX
    }

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

    async fn call(desk: &Desk, request: LettersProcessRequest) -> Result<LettersProcessResponse, Fault> {
        let looks_only = request.action.is_empty();
        let needed = if looks_only { Permission::LettersRead } else { Self::NEEDS };
        let queue = desk.dead_queue(&request.queue_name, needed).await?;
        let interval = interval(&request)?;
        let processor = processor(desk, &queue).await?;
        let mut report = None;
        if !looks_only {
            let (processor, queue) = (Arc::clone(&processor), queue.clone());
            let acted = desk.to_its_end(move |desk| async move {
                let report = act(&processor, &queue, &request.action, interval).await?;
                desk.record_act().await?;
                Ok(report)
            });
            report = acted.await?;
        }
        let health = processor.health(&queue).await.map_err(undone)?;
        let interval = processor.interval(&queue).map_err(undone)?;
        Ok(told(health, interval, report))
    }
}

/// How often letters are to be looked for, if the request says so.
fn interval(request: &LettersProcessRequest) -> Result<Option<Span>, Fault> {
    let allowed = ProcessorSettings::INTERVAL_SECONDS;
    let refused = |why: String| Fault::bad(format!("retry_interval_seconds is invalid; {why}")).because("invalid");
    let seconds = request.retry_interval_seconds;
    match u64::try_from(seconds) {
        Ok(0) => Ok(None),
        _ if request.action != "start" => Err(refused("only 'start' takes it".to_owned())),
        Ok(seconds) if allowed.contains(&seconds) => Ok(Some(Span::from_secs(seconds))),
        _ => Err(refused(format!("'{seconds}' is not within {} and {}", allowed.start(), allowed.end()))),
    }
}

async fn act(
    processor: &Processor,
    queue: &QueueName,
    action: &str,
    interval: Option<Span>,
) -> Result<Option<RunReport>, Fault> {
    let done = match (action, interval) {
        ("start", None) => processor.start(queue).await.map(|()| None),
        ("start", Some(interval)) => processor.start_looking_every(queue, interval).await.map(|()| None),
        ("stop", _) => processor.stop(queue, processor.drain()).await,
        ("pause" | "resume", _) => processor.pause(queue, action == "pause").await.map(|()| None),
        (other, _) => {
            let message = format!("action is invalid; '{other}' is not one of start, stop, pause, resume");
            return Err(Fault::bad(message).because("invalid"));
        }
    };
    done.map_err(undone)
}

/// What retries the letters of a queue.
pub(super) async fn processor(desk: &Desk, queue: &QueueName) -> Result<Arc<Processor>, Fault> {
    let processor = desk.app.processor.get().filter(|processor| processor.queues().any(|known| known == queue));
    if let Some(processor) = processor {
        return Ok(Arc::clone(processor));
    }
    // One that is not there has no target either, and that is what to say.
    desk.store().queue(GetQueue { name: queue.clone() }).await.map_err(refused)?;
    Err(undone(ProcessorError::NoTarget(queue.clone())))
}

pub(super) fn undone(error: ProcessorError) -> Fault {
    match error {
        ProcessorError::Store(error) => refused(error),
        ProcessorError::NoTarget(_) => Fault::new(Code::RequestFailed, error.to_string()).because("no_target"),
        ProcessorError::Start(RunnerStartError::AlreadyRunning) => {
            let message = "letters of this queue are being retried already; to start it otherwise, stop it first";
            Fault::new(Code::Conflict, message).because("conflict")
        }
        ProcessorError::Start(_) | ProcessorError::NotRunning(_) => {
            Fault::new(Code::Conflict, error.to_string()).because("conflict")
        }
        ProcessorError::BreakerOpen(_) => Fault::new(Code::Conflict, error.to_string()).because("breaker_open"),
        ProcessorError::Stopping => Fault::closing(),
        ProcessorError::Setting(_) => Fault::internal(),
    }
}

/// The word for how it fares.
pub(super) fn state(health: Option<&RunnerHealth>) -> &'static str {
    match health {
        None => "stopped",
        Some(health) if health.is_draining => "draining",
        Some(health) if health.is_paused => "paused",
        Some(_) => "running",
    }
}

fn told(health: Option<RunnerHealth>, interval: Span, report: Option<RunReport>) -> LettersProcessResponse {
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
        report,
        retry_interval_seconds: Some(big_count(interval.as_micros() / 1_000_000)),
    }
}
