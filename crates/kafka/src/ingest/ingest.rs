//! A consumer of DLQ topics that captures letters.

use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{CaptureReason, Evidence, Failure, GrpcCode, Span};
use redrive_run::{Call, Handled, Handler, NotCaptured, RunReport, Runner, RunnerHealth, Running};
use redrive_store::{Clock, SystemClock};

use super::capture_batches::CaptureBatches;
use super::dlq_record::DlqRecord;
use super::letter::{ingest, ingest_by_own_place};
use super::settings::IngestSettings;
use crate::delivery::{DeliveryNames, UnreadableRecords};
use crate::record::Nulls;
use crate::{ConsumerSnapshot, ConsumerTrouble, DeadQueue, KafkaError, KafkaSource, TroubleKind};

/// A running ingest: reads DLQ topics as a member of a consumer group, and captures their records as letters.
///
/// A record is committed once its letter is durable, and none is given up: while the dead queue is full or not available,
/// and for a record that the dead queue refuses, the ingest reads on until its limits are reached, tries again, and is
/// not healthy.
///
/// ```no_run
/// use redrive_kafka::{DeadQueue, IngestSettings, KafkaIngest};
///
/// # async fn example(dead_queue: DeadQueue) -> Result<(), Box<dyn std::error::Error>> {
/// let settings = IngestSettings::new("localhost:9092", "redrive-ingest", "^.*\\.DLT$");
/// let ingest = KafkaIngest::start(settings, dead_queue).await?;
/// tokio::signal::ctrl_c().await?;
/// println!("{:?}", ingest.stop().await);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct KafkaIngest {
    source: KafkaSource,
    running: Running,
    drain: Span,
}

impl KafkaIngest {
    /// Checks the topics, joins the group and captures records.
    pub async fn start(settings: IngestSettings, dead_queue: DeadQueue) -> Result<Self, KafkaError> {
        let (consumer, policy, runner) = (settings.consumer(), IngestSettings::policy()?, settings.runner()?);
        let drain = consumer.drain_timeout;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let handler = IngestHandler { batches: CaptureBatches::new(dead_queue.clone()), clock: Arc::clone(&clock) };
        let source = KafkaSource::open_for(consumer, Some(dead_queue), clock, UnreadableRecords::Run).await?;
        let runner = Runner::new(source.clone(), handler, policy, runner)?;
        match runner.start().await {
            Ok(running) => Ok(Self { source, running, drain }),
            Err(error) => {
                source.close().await;
                Err(KafkaError::Client { doing: "starting the runner", reason: error.to_string() })
            }
        }
    }

    /// What the ingest holds and waits for. A record that blocks its partition because its capture failed is the trouble
    /// [`TroubleKind::HandOver`].
    pub fn snapshot(&self) -> ConsumerSnapshot {
        let mut snapshot = self.source.snapshot();
        let now = SystemClock.now();
        let refused = snapshot.partitions.iter().filter_map(|partition| {
            let record = partition.blocking.as_ref()?;
            let error = format!("{} offset {}: {}", partition.at, record.offset, record.error.as_ref()?);
            Some(ConsumerTrouble { kind: TroubleKind::HandOver, since: now.saturating_sub(record.age), error })
        });
        let oldest = refused.min_by_key(|trouble| trouble.since);
        snapshot.troubles.extend(oldest);
        snapshot
    }

    pub const fn source(&self) -> &KafkaSource {
        &self.source
    }

    pub const fn running(&self) -> &Running {
        &self.running
    }

    pub async fn health(&self) -> RunnerHealth {
        self.running.health().await
    }

    /// Whether the runner has ended, because the consumer was closed or cannot go on.
    pub fn has_ended(&self) -> bool {
        self.running.has_ended()
    }

    /// Stops captures until they are resumed. The consumer stays in its group, and reads on up to its limits.
    pub async fn pause(&self) {
        self.running.pause().await;
    }

    pub async fn resume(&self) {
        self.running.resume().await;
    }

    /// Reads nothing new, lets running captures finish, commits, and leaves the group.
    pub async fn stop(self) -> RunReport {
        let report = self.running.stop(self.drain).await;
        self.source.close().await;
        report
    }
}

struct IngestHandler {
    batches: CaptureBatches,
    clock: Arc<dyn Clock>,
}

#[async_trait]
impl Handler for IngestHandler {
    async fn handle(&self, call: Call) -> Handled {
        let (record, now) = (dlq_record(&call), self.clock.now());
        let mut answer = self.batches.capture(ingest(&record, now)).await;
        // Headers are no proof: if they name a letter of other work, the record has its own letter.
        if answer.as_ref().is_err_and(|error| error.reason == CaptureReason::Duplicate) {
            answer = self.batches.capture(ingest_by_own_place(&record, now)).await;
        }
        match answer {
            Ok(_) => Handled::DONE,
            Err(error) => Handled::failed(failure(&error)),
        }
    }
}

fn dlq_record(call: &Call) -> DlqRecord {
    let origin = &call.origin;
    let unreadable = call.metadata.get(DeliveryNames::UNREADABLE).and_then(|reason| reason.as_str());
    DlqRecord {
        topic: Arc::clone(&origin.name),
        // A record of the source has both.
        partition: origin.partition.and_then(|partition| i32::try_from(partition).ok()).unwrap_or_default(),
        offset: origin.offset.unwrap_or_default(),
        timestamp: origin.timestamp.map(|time| time.as_micros().div_euclid(1_000)),
        content: Arc::clone(&call.content),
        nulls: Nulls::of(&call.metadata, &call.content),
        unreadable: unreadable.map(str::to_owned),
    }
}

/// A failed capture. What concerns the whole dead queue opens the breaker; what concerns one record does not.
fn failure(error: &NotCaptured) -> Failure {
    let evidence = match error.reason {
        CaptureReason::QueueFull => GrpcCode::ResourceExhausted,
        CaptureReason::Invalid
        | CaptureReason::Duplicate
        | CaptureReason::SkippedByPolicy
        | CaptureReason::SkippedByStrategy => GrpcCode::InvalidArgument,
        _ => GrpcCode::Unavailable,
    };
    Failure::new(format!("no letter: {error}")).with_evidence(Evidence::Grpc(evidence))
}
