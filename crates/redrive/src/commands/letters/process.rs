//! `redrive letters process`.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::redrive::v1::{LettersProcessRequest, LettersProcessResponse, ProcessReport};
use redrive_run::ProcessorSettings;
use serde::Serialize;

use crate::console::{Facts, Format, or_dash};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Without an action it is only looked at. What is done lasts until the server is started again.

Examples:
  redrive letters process orders-dead
  redrive letters process orders-dead start --interval 30
  redrive letters process orders-dead pause --reason 'the bank is down'")]
pub(crate) struct Arguments {
    queue: String,
    action: Option<Action>,
    #[command(flatten)]
    pace: Pace,
}

#[derive(clap::Args)]
struct Pace {
    /// With start: look for letters at least this often, in seconds, 10 to 3600; without it as the server is
    /// configured. What is due is noticed at once in any case.
    #[arg(long, short, value_name = "SECONDS", value_parser = seconds)]
    interval: Option<i32>,
}

fn seconds(text: &str) -> Result<i32, String> {
    let allowed = ProcessorSettings::INTERVAL_SECONDS;
    let seconds = text.parse().ok().filter(|seconds| allowed.contains(seconds));
    let seconds = seconds.and_then(|seconds: u64| i32::try_from(seconds).ok());
    seconds.ok_or_else(|| format!("it is not within {} and {}", allowed.start(), allowed.end()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Action {
    /// Retry letters by themselves.
    Start,
    /// Begin nothing new, and let what runs end.
    Stop,
    /// Take no more letters until it is resumed.
    Pause,
    /// Take letters again.
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

/// The queue whose retries are started.
#[derive(clap::Args)]
pub(crate) struct Start {
    queue: String,
    #[command(flatten)]
    pace: Pace,
}

/// The queue whose retries are stopped.
#[derive(clap::Args)]
pub(crate) struct Stop {
    queue: String,
}

/// For programs.
#[derive(Debug, Serialize)]
struct ProcessLine<'p> {
    queue_name: &'p str,
    state: &'p str,
    running: i32,
    held: &'p [String],
    trouble: Option<&'p str>,
    retry_interval_seconds: Option<i64>,
    report: Option<ReportLine>,
}

#[derive(Debug, Serialize)]
struct ReportLine {
    finished: i64,
    deferred: i64,
    aborted: i64,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    ask(&arguments.queue, arguments.action, &arguments.pace, session).await
}

pub(super) async fn start(start: &Start, session: &Session) -> Result<()> {
    ask(&start.queue, Some(Action::Start), &start.pace, session).await
}

pub(super) async fn stop(stop: &Stop, session: &Session) -> Result<()> {
    ask(&stop.queue, Some(Action::Stop), &Pace { interval: None }, session).await
}

async fn ask(queue: &str, action: Option<Action>, pace: &Pace, session: &Session) -> Result<()> {
    let request = LettersProcessRequest {
        queue_name: queue.to_owned(),
        action: action.map(Action::name).unwrap_or_default().to_owned(),
        retry_interval_seconds: pace.interval.unwrap_or_default(),
    };
    let answer = session.ask(session.client.process_letters(&request)).await?;
    let mut out = session.out();
    match session.format {
        Format::Json => writeln!(out, "{}", serde_json::to_string(&line(queue, &answer))?)?,
        Format::Table => facts(queue, &answer).print(&mut out)?,
    }
    Ok(out.flush()?)
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
        trouble: Some(answer.trouble.as_str()).filter(|trouble| !trouble.is_empty()),
        retry_interval_seconds: answer.retry_interval_seconds,
        report: answer.report.as_ref().map(report),
    }
}

fn facts(queue: &str, answer: &LettersProcessResponse) -> Facts {
    // Letters that name no destination have one in common.
    let held: Vec<_> = answer.held.iter().map(|name| if name.is_empty() { "(unnamed)" } else { name }).collect();
    let facts = Facts::new()
        .with("queue", queue)
        .with("state", &answer.state)
        .with("running", &answer.running.to_string())
        .some("looks every", &answer.retry_interval_seconds.map(|seconds| format!("{seconds} s")).unwrap_or_default())
        .with("left alone", or_dash(&held.join(", ")))
        .some("trouble", &answer.trouble);
    answer.report.iter().fold(facts, |facts, report| {
        let ProcessReport { finished, deferred, aborted } = report;
        facts.with("until it stopped", &format!("{finished} finished, {deferred} given back, {aborted} cut off"))
    })
}
