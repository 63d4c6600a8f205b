//! `redrive letters process`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{LettersProcessRequest, LettersProcessResponse, ProcessReport};
use redrive_run::ProcessorSettings;
use serde::Serialize;
use serde_json::Value;

use crate::commands::destination_line::{breaker, destination};
use crate::console::{Fields, given, or_dash};
use crate::session::Session;

#[derive(clap::Args)]
#[command(
    after_help = "Without an action, the command only prints the state. An action lasts until the server restarts.

Examples:
  redrive letters process orders-dead
  redrive letters process orders-dead start --interval 30
  redrive letters process orders-dead pause --reason 'the bank is down'"
)]
pub(crate) struct Arguments {
    /// Queue name.
    queue: String,
    /// Action on the retries of the queue.
    action: Option<Action>,
    #[command(flatten)]
    options: StartOptions,
}

#[derive(Default, clap::Args)]
pub(crate) struct StartOptions {
    /// With start: maximum time between two polls for due letters, in seconds, 10 to 3600. A letter that is due earlier is
    /// retried on time [default: dlq.retry_interval_seconds of the server].
    #[arg(long, short, value_name = "SECONDS", value_parser = seconds)]
    interval: Option<i32>,
}

fn seconds(text: &str) -> Result<i32, String> {
    let allowed = ProcessorSettings::INTERVAL_SECONDS;
    let seconds = text.parse().ok().filter(|seconds| allowed.contains(seconds));
    let seconds = seconds.and_then(|seconds: u64| i32::try_from(seconds).ok());
    seconds.ok_or_else(|| format!("expected a whole number from {} to {}", allowed.start(), allowed.end()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Action {
    /// Start automatic retries.
    Start,
    /// Start no further retries, and wait for those that run.
    Stop,
    /// Claim no letters until resume.
    Pause,
    /// Claim letters again.
    Resume,
}

impl Action {
    const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Pause => "pause",
            Self::Resume => "resume",
        }
    }
}

/// A line of `--output json`.
#[derive(Debug, Serialize)]
struct ProcessLine<'p> {
    queue_name: &'p str,
    state: &'p str,
    running: i32,
    held: &'p [String],
    trouble: Option<&'p str>,
    retry_interval_seconds: Option<i64>,
    destinations: Vec<Value>,
    report: Option<ReportLine>,
}

#[derive(Debug, Serialize)]
struct ReportLine {
    finished: i64,
    deferred: i64,
    aborted: i64,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    process(&arguments.queue, arguments.action, &arguments.options, session).await
}

pub(super) async fn process(
    queue: &str,
    action: Option<Action>,
    options: &StartOptions,
    session: &Session,
) -> Result<()> {
    let request = LettersProcessRequest {
        queue_name: queue.to_owned(),
        action: action.map(Action::name).unwrap_or_default().to_owned(),
        retry_interval_seconds: options.interval.unwrap_or_default(),
    };
    let answer = session.call(session.client.process_letters(&request)).await?;
    session.show(fields(queue, &answer), &line(queue, &answer))
}

fn line<'p>(queue_name: &'p str, answer: &'p LettersProcessResponse) -> ProcessLine<'p> {
    let report = |report: &ProcessReport| ReportLine {
        finished: report.finished,
        deferred: report.deferred,
        aborted: report.aborted,
    };
    ProcessLine {
        queue_name,
        state: &answer.state,
        running: answer.running,
        held: &answer.held,
        trouble: given(&answer.trouble),
        retry_interval_seconds: answer.retry_interval_seconds,
        destinations: answer.destinations.iter().map(destination).collect(),
        report: answer.report.as_ref().map(report),
    }
}

fn fields(queue: &str, answer: &LettersProcessResponse) -> Fields {
    // Letters without a destination share one breaker.
    let named = |name: &str| if name.is_empty() { "(unnamed)".to_owned() } else { name.to_owned() };
    let held: Vec<_> = answer.held.iter().map(|name| named(name)).collect();
    let poll_interval = answer.retry_interval_seconds.map(|seconds| format!("{seconds} s")).unwrap_or_default();
    let fields = Fields::new()
        .with("queue", queue)
        .with("state", &answer.state)
        .with("running", &answer.running.to_string())
        .with_non_empty("poll interval", &poll_interval)
        .with("circuit open", or_dash(&held.join(", ")))
        .with_non_empty("error", &answer.trouble);
    let troubled = answer.destinations.iter().filter(|found| found.breaker != "closed" || !found.last_error.is_empty());
    let fields = troubled.fold(fields, |fields, found| {
        fields.with("destination", &format!("{}: {}", named(&found.destination), breaker(found)))
    });
    answer.report.iter().fold(fields, |fields, report| {
        let ProcessReport { finished, deferred, aborted } = report;
        fields.with("stopped", &format!("{finished} finished, {deferred} released untried, {aborted} aborted"))
    })
}
