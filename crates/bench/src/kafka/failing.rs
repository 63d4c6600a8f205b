//! The waiting handlers, where every twentieth record fails in all its attempts and becomes a letter in the DLQ topic.

use anyhow::{Result, ensure};
use redrive_core::{Evidence, Failure, Span, SplitMix64};
use redrive_kafka::KafkaSettings;
use redrive_run::{Call, Handled};

use super::consumer_run::{WORK, run, settings};
use super::fixture::{Backlog, KafkaBench};
use super::stopwatch::Stopwatch;

const ATTEMPTS: u32 = 3;
/// One of this many records fails.
const ONE_OF: u64 = 20;

/// The records per second that succeeded or had their last attempt.
pub(super) async fn rate(bench: &KafkaBench, backlog: &Backlog, records: u64) -> Result<f64> {
    let settings = KafkaSettings {
        max_retries: ATTEMPTS,
        retry_backoff: Span::from_millis(10),
        retry_jitter: Span::ZERO,
        ..settings(bench, &backlog.topic)
    };
    let stopwatch = Stopwatch::new(records);
    let counted = stopwatch.clone();
    let handler = move |call: Call| {
        let counted = counted.clone();
        async move {
            counted.work(WORK).await;
            let fails = fails(&call);
            if !fails || call.attempt == ATTEMPTS {
                counted.done();
            }
            if fails { Handled::failed(Failure::typed(Evidence::http(503))) } else { Handled::DONE }
        }
    };
    let run = run(settings, handler, &stopwatch).await?;
    // Letters of the last moment are not confirmed yet.
    let least = run.report.done / ONE_OF * 8 / 10;
    ensure!(run.snapshot.letters >= least, "{} letters, and at least {least} expected", run.snapshot.letters);
    Ok(run.rate)
}

/// Whether the record fails: by its place, so that all its attempts do.
fn fails(call: &Call) -> bool {
    let place = |part: Option<i64>| part.and_then(|part| u64::try_from(part).ok()).unwrap_or(0);
    SplitMix64::at(place(call.origin.partition), place(call.origin.offset)).is_multiple_of(ONE_OF)
}
