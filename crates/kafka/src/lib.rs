//! A parallel Kafka consumer with retries and dead letters.
//!
//! A [`KafkaConsumer`] reads topics as a member of a consumer group and processes many records of a partition at the
//! same time, in the order of their keys. Records that fail are retried with a delay, without blocking other keys; what
//! fails for good becomes a letter in a DLQ topic or a dead queue before its offset is committed. [`KafkaIngest`] reads
//! the DLQ topics of other programs into letters, and [`KafkaHandBack`] sends letters back to their topics.
//!
//! It has no retry loop: retries, limits and decisions are those of [`redrive_run`], for which it is one more source.
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
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `consumer`, `source`, `delivery` | the consumer; the source: claims, results and hand-overs; a claimed record as a delivery | [`KafkaSource`] |
//! | `settings`, `error` | the settings with their checks, policy and runner settings; why a consumer does not start | [`KafkaSettings`] |
//! | `log` | all assigned partitions as pure state: which records may run, which are done, what can be committed | `log/log.rs` |
//! | `client` | the client library, librdkafka: the poll thread, the commit thread, the callbacks of a rebalance, transactions | `client/threads.rs` |
//! | `dlq` | letters: topics and their check, the record of a letter, the producer, the dead queue | `dlq/sink.rs` |
//! | `record`, `source_record` | a record as it was read; the identity of a failed record, also after it was handed back | `SourceRecord` |
//! | `hand_back` | letters back to their topics: the allowed topics, the producer | [`KafkaHandBack`] |
//! | `ingest` | DLQ topics of any program into letters: the dialects, the captures in batches | `ingest/letter.rs` |
//! | `shared` | what the threads share: the log behind a lock, and what waits for its changes | `Shared` |
//! | `snapshot`, `trouble`, `numbers`, `gauges` | what the consumer holds and waits for, what is failing, metrics | [`ConsumerSnapshot`] |
//!
//! ```text
//! kafka-poll   ──► records ──► ┌──────────┐ ──► claim ──► runner ──► handler
//! (polls, pauses, rebalances)  │   Log    │ ◄── settle ◄─ results, letters ──► DLQ topic, dead queue
//! kafka-commit ◄── positions ◄─│ (1 lock) │ ◄────────────────── delivery report, capture, transaction
//! (commits, gauges, warnings)  └──────────┘
//! ```
//!
//! - **The poll thread** owns the member of the group. It takes records over in batches, pauses partitions at a limit,
//!   and runs the callbacks of a rebalance. A revocation withdraws the partition, waits for its running records within
//!   the grace, and has the commit thread commit it.
//! - **The commit thread** commits synchronously, sets the gauges and logs blocking records. With a transactional id,
//!   it writes the letters of the interval and the positions in one transaction.
//! - **The log** is pure: no client, no clock, no task. A delivered record gets a sequence number in its partition. It
//!   is queued behind the last open one of its key, runnable, claimed, handing over, or waiting for a time. Done
//!   records leave the partition: those above an open one are kept as runs.
//! - **The way of a record**: read and copied once (`client/read.rs`) → `Log::deliver` → `Log::claim` → a delivery with
//!   the fence (epoch, sequence number, delivery) → the runner → `settle` → done, which lets the next record of its key
//!   run, or waiting for its next attempt. The next commit has the new position.
//! - **The way of a letter**: `Resolution::DeadLetter` → `Log::start_hand_over`, from where on only the hand-over can
//!   end the claim → `Sink::hand_over` → producer, transaction or letter box → `HandOverEnd`, exactly once → the record
//!   is done, or the runner has it redelivered for its hand-over. The log keeps the first reason, the newest attempt
//!   and the content, so a later hand-over writes the same letter.
//!
//! # Invariants
//!
//! - Offsets are decided in the log alone, under one lock. The count of records in a state changes with the state of a
//!   record, in `Partition`, and is dropped with the partition: no count can leak.
//! - No committed position exceeds an open record, and a record with a letter is open until the broker or the store has
//!   confirmed that letter. In a transaction, records count as done for its own positions only.
//! - An epoch is used once in a process. A result of an earlier assignment finds no partition and changes nothing.
//! - Nothing in a callback of the client waits for anything that needs a poll, and every wait there has a limit. No
//!   list of partitions of the client library is kept: it prevents the client from closing.
//! - The types of the client library appear in no public signature.

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
