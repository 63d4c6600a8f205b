//! A parallel Kafka consumer with retries and dead letters.
//!
//! A [`KafkaConsumer`] reads topics as a member of a consumer group and processes many records of a partition at the
//! same time, in the order of their keys. Records that fail are retried with a delay, without blocking other keys; what
//! fails for good becomes a letter in a DLQ topic or a dead queue before its offset is committed.
//!
//! ```no_run
//! use redrive_kafka::{KafkaConsumer, KafkaSettings};
//! use redrive_run::Call;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = KafkaSettings { dlq_create_topics: true, ..KafkaSettings::new("localhost:9092", "billing", "orders") };
//! let place = |call: Call| async move {
//!     println!("order {:?}: {} bytes", call.content.key, call.content.payload.len());
//!     Ok::<(), redrive_core::Failure>(())
//! };
//! let consumer = KafkaConsumer::start(settings, place, None).await?;
//! tokio::signal::ctrl_c().await?;
//! println!("{:?}", consumer.stop().await);
//! # Ok(())
//! # }
//! ```
//!
//! Every setting, the behaviour in each fault, and how to read a snapshot are described in `docs/kafka.md`.
//!
//! Of the library, this crate alone names the client library, librdkafka.

mod client;
mod consumer;
mod delivery;
mod dlq;
mod error;
mod gauges;
mod hand_back;
mod ingest;
mod log;
mod numbers;
mod record;
mod settings;
mod shared;
mod snapshot;
mod source;
mod source_record;
mod trouble;

pub use consumer::KafkaConsumer;
pub use error::KafkaError;
pub use hand_back::{HandBackSettings, KafkaHandBack};
pub use ingest::{IngestSettings, KafkaIngest};
pub use log::{RecordFence, TopicPartition};
pub use settings::{DlqTarget, KafkaSettings, OffsetMetadata, OrderingMode, ShutdownPolicy};
pub use snapshot::{BlockingRecord, ConsumerSnapshot, PartitionSnapshot, RecordState};
pub use source::KafkaSource;
pub use trouble::{ConsumerTrouble, TroubleKind};
