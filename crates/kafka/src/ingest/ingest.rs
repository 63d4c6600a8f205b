//! A consumer of DLQ topics that captures letters.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use redrive_core::{CaptureReason, CapturedBy, Evidence, Failure, GrpcCode, Time};
use redrive_model::Rejection;
use redrive_model::capture::FailedWork;
use redrive_run::{Call, DeadQueue, Handled, Handler, NotCaptured, RunReport, RunnerHealth, Running};
use redrive_store::{Clock, StoreError, SystemClock};

use super::capture_batches::CaptureBatches;
use super::dlq_record::DlqRecord;
use super::letter::{KeptParts, LetterIdentity, ingest};
use super::settings::IngestSettings;
use crate::delivery::{DeliveryNames, SourcePurpose};
use crate::record::Nulls;
use crate::{ConsumerSnapshot, KafkaConsumer, KafkaError, KafkaSource};

/// A running ingest: reads DLQ topics as a member of a consumer group, and captures their records as letters.
///
/// Every record becomes a letter: no category is skipped, and what the dead queue refuses of a record is left out. A record
/// is committed once its letter is durable, and none is given up: while the dead queue is full, disabled or not available,
/// the ingest reads on until its limits are reached, tries again, and is not healthy.
///
/// ```no_run
/// use redrive_kafka::{IngestSettings, KafkaIngest};
/// use redrive_run::DeadQueue;
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
    consumer: KafkaConsumer,
}

impl KafkaIngest {
    /// Checks the topics, joins the group and captures records.
    pub fn start(settings: IngestSettings, dead_queue: DeadQueue) -> BoxFuture<'static, Result<Self, KafkaError>> {
        Box::pin(async move {
            let (consumer, policy, runner) = (settings.consumer(), IngestSettings::policy()?, settings.runner()?);
            let clock: Arc<dyn Clock> = Arc::new(SystemClock);
            let handler = Arc::new(IngestHandler::new(dead_queue.clone(), Arc::clone(&clock)));
            let (dead_queue, purpose) = (Some(dead_queue), SourcePurpose::Ingest);
            let consumer =
                KafkaConsumer::start_for(consumer, handler, policy, runner, dead_queue, clock, purpose).await?;
            Ok(Self { consumer })
        })
    }

    /// What the ingest holds and waits for. While a record has no letter because its capture failed, there is the trouble
    /// [`TroubleKind::HandOver`](crate::TroubleKind::HandOver). That of [`source`](Self::source) is the same.
    pub fn snapshot(&self) -> ConsumerSnapshot {
        self.consumer.snapshot()
    }

    pub const fn source(&self) -> &KafkaSource {
        self.consumer.source()
    }

    pub const fn running(&self) -> &Running {
        self.consumer.running()
    }

    pub async fn health(&self) -> RunnerHealth {
        self.consumer.health().await
    }

    /// Whether the runner has ended, because the consumer was closed or cannot go on.
    pub fn has_ended(&self) -> bool {
        self.consumer.has_ended()
    }

    /// Stops captures until they are resumed. The consumer stays in its group, and reads on up to its limits.
    pub async fn pause(&self) {
        self.running().pause().await;
    }

    pub async fn resume(&self) {
        self.running().resume().await;
    }

    /// Reads nothing new, lets running captures finish, commits, and leaves the group.
    pub fn stop(self) -> BoxFuture<'static, RunReport> {
        self.consumer.stop()
    }
}

pub(super) struct IngestHandler {
    batches: CaptureBatches,
    clock: Arc<dyn Clock>,
}

#[async_trait]
impl Handler for IngestHandler {
    async fn handle(&self, call: Call) -> Handled {
        let (record, now) = (dlq_record(&call), self.clock.now());
        match self.capture(&record, now).await {
            Ok(()) => Handled::DONE,
            Err(error) => Handled::failed(failure(&error)),
        }
    }
}

impl IngestHandler {
    pub(super) fn new(dead_queue: DeadQueue, clock: Arc<dyn Clock>) -> Self {
        Self { batches: CaptureBatches::new(dead_queue), clock }
    }

    /// Captures a record: every record becomes a letter, unless the dead queue takes none.
    pub(super) async fn capture(&self, record: &DlqRecord, now: Time) -> Result<(), NotCaptured> {
        use LetterIdentity::{OwnContent, OwnPlace, Source};
        let whole = || ingest(record, now);
        let mut answer = self.capture_as(&[Source, OwnPlace, OwnContent], record, whole).await;
        for kept in KeptParts::ALL {
            if !answer.as_ref().is_err_and(is_about_content) {
                break;
            }
            answer = self.capture_as(&[OwnPlace, OwnContent], record, || kept.apply(whole())).await;
        }
        answer
    }

    /// Captures a letter with the first of these identities that no letter of other work has.
    async fn capture_as(
        &self,
        identities: &[LetterIdentity],
        record: &DlqRecord,
        work: impl Fn() -> FailedWork,
    ) -> Result<(), NotCaptured> {
        let mut answer = Ok(());
        for identity in identities {
            answer = self.post(|| identity.apply(work(), record)).await;
            if !answer.as_ref().is_err_and(|error| error.reason == CaptureReason::Duplicate) {
                break;
            }
        }
        answer
    }

    /// Captures a letter. A failure that the strategy of the queue or the policy skips is captured as if a person had
    /// requested it: the DLQ topic has the record already, and the operator of the ingest wants it as a letter.
    async fn post(&self, work: impl Fn() -> FailedWork) -> Result<(), NotCaptured> {
        let Err(error) = self.batches.capture(work()).await else { return Ok(()) };
        let mut work = work();
        let category = match &error.error {
            StoreError::Rejected(Rejection::SkippedByStrategy { category, .. }) => *category,
            StoreError::Rejected(Rejection::ExcludedByPolicy) => self.batches.category_of(&work),
            _ => return Err(error),
        };
        work.by = CapturedBy::Explicit;
        work.requested.policy = Some(category.derived_policy());
        self.batches.capture(work).await.map(drop)
    }
}

/// Whether a letter was refused because of what it has.
const fn is_about_content(error: &NotCaptured) -> bool {
    matches!(
        error.error,
        StoreError::Rejected(
            Rejection::ContentTooLong { .. }
                | Rejection::TooManyHeaders { .. }
                | Rejection::LetterTooLarge { .. }
                | Rejection::TooLarge { .. }
                | Rejection::MetadataTooLarge { .. }
                | Rejection::MetadataTooMany { .. }
                // A server has more rejections than its client knows.
                | Rejection::Elsewhere(_)
        )
    )
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
