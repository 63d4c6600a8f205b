//! A bulk retry of letters by the server, compared with its retry processor over the same letters and the same target.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use redrive_client::Client;
use redrive_proto::redrive::v1::{
    CaptureLetter, Fault, LettersCaptureRequest, LettersConfirmRequest, LettersPlanRequest, LettersProcessRequest,
    LettersRunRequest,
};

use super::redrive::ServerProcess;
use crate::figure::{Figure, Target, progress};
use crate::folder::Folder;
use crate::letters::HttpServer;
use crate::measure::median;
use crate::plain::PAYLOAD;

const LETTERS: u64 = 100_000;
const BATCH: u64 = 1_000;
const QUEUE: &str = "bulk-dead";
const TURNS: usize = 3;
/// The time limit of a turn.
const TURN_MAX: Duration = Duration::from_secs(120);

/// Letters per second of the run, and of the processor, in turns.
pub(super) fn figure() -> Result<Figure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let target = HttpServer::start()?;
    let config = format!(
        "[dlq]\nmax_size = {LETTERS}\nmax_parallel = 32\nretry_processor_enabled = false\n\
         targets = [{{ queue = \"{QUEUE}\", http = \"{}\" }}]\n",
        target.url()
    );
    let server = ServerProcess::start_with(Folder::new("bulk")?, &config)?;
    let rates = runtime.block_on(async {
        let client = server.client()?.because("benchmark")?;
        let mut turns = Vec::new();
        for turn in 1..=TURNS {
            progress("bulk retry of 100 k letters");
            capture(&client, turn, "never").await?;
            let run = timed(&target, bulk_retry(&client)).await?;
            capture(&client, turn + TURNS, "immediate").await?;
            let processor = timed(&target, drain(&client, &target)).await?;
            eprintln!("  {run:.0} and {processor:.0} letters/s");
            turns.push((run, processor));
        }
        anyhow::Ok(median(turns))
    })?;
    Ok(Figure::of("bulk retry/100 k letters", "letters/s of 1 KiB to an HTTP target", rates)
        .beside("retry processor", Target::RatioAtLeast(0.8)))
}

async fn capture(client: &Client, turn: usize, policy: &str) -> Result<()> {
    let fault = Fault { error: "HTTP 503 Service Unavailable".to_owned(), ..Fault::default() };
    let letter = |number: u64| CaptureLetter {
        source_id: format!("{turn}-{number}"),
        bytes: PAYLOAD[..].into(),
        retry_policy: policy.to_owned(),
        fault: Some(fault.clone()),
        ..CaptureLetter::default()
    };
    for first in (0..LETTERS).step_by(usize::try_from(BATCH)?) {
        let letters = (first..first + BATCH).map(letter).collect();
        let request = LettersCaptureRequest { queue_name: QUEUE.to_owned(), letters };
        client.capture_letters(&request).await?;
    }
    Ok(())
}

/// Letters per second of work that sends all of them to the target.
async fn timed(target: &HttpServer, work: impl Future<Output = Result<()>>) -> Result<f64> {
    let (before, begin) = (target.accepted(), Instant::now());
    tokio::time::timeout(TURN_MAX, work).await??;
    let seconds = begin.elapsed().as_secs_f64();
    let sent = target.accepted() - before;
    ensure!(sent == LETTERS, "{sent} letters of {LETTERS} were sent");
    Ok(LETTERS as f64 / seconds)
}

async fn bulk_retry(client: &Client) -> Result<()> {
    let queue_name = QUEUE.to_owned();
    let plan = LettersPlanRequest {
        queue_name: queue_name.clone(),
        action: "retry".to_owned(),
        statuses: vec!["pending".to_owned()],
        ..LettersPlanRequest::default()
    };
    let token = client.plan_letters(&plan).await?.token;
    let confirm = LettersConfirmRequest { queue_name: queue_name.clone(), token: token.clone(), ..Default::default() };
    client.confirm_letters(&confirm).await?;
    loop {
        let request = LettersRunRequest {
            queue_name: queue_name.clone(),
            id: token.clone(),
            wait_seconds: 60,
            ..Default::default()
        };
        let run = client.letter_run(&request).await?.run.unwrap_or_default();
        if run.state == "finished" {
            ensure!(run.failed == 0 && run.skipped == 0, "{run:?}");
            return Ok(());
        }
    }
}

async fn drain(client: &Client, target: &HttpServer) -> Result<()> {
    let process = |action: &str| LettersProcessRequest {
        queue_name: QUEUE.to_owned(),
        action: action.to_owned(),
        ..LettersProcessRequest::default()
    };
    let wanted = target.accepted() + LETTERS;
    client.process_letters(&process("start")).await?;
    while target.accepted() < wanted {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    client.process_letters(&process("stop")).await?;
    Ok(())
}
