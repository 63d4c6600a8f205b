//! Dead letters: topics, dead queues, and the way there.

mod dead_queue;
mod letter_record;
mod pending;
mod probe;
mod producer;
mod sink;
mod topics;

pub(crate) use pending::{PendingLetter, PendingLetters};
pub(crate) use producer::LetterProducer;
pub(crate) use sink::{Sink, SinkPath};
pub(crate) use topics::DlqTopics;
