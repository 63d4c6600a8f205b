//! Reads the DLQ topics of any program into letters.

mod capture_batches;
mod dialects;
mod dlq_record;
mod ingest;
mod letter;
mod settings;
#[cfg(test)]
mod tests;

pub use ingest::KafkaIngest;
pub(crate) use letter::REFERENCE;
pub use settings::IngestSettings;
