//! Reads the DLQ topics of any program into letters.

mod capture_batches;
#[cfg(test)]
mod capture_tests;
mod dialects;
mod dlq_record;
mod ingest;
mod letter;
mod settings;
#[cfg(test)]
mod tests;

pub use ingest::KafkaIngest;
pub(crate) use letter::{DLQ_PLACE, REFERENCE, REMOVED};
pub use settings::IngestSettings;
