//! Routes over a real broker: to an HTTP target, and from DLQ topics into letters. The references are plain programs over
//! the same topic, in alternating runs.

mod figures;
mod http;
mod ingest;

pub(crate) use figures::figures;
