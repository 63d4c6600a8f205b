//! Log events about items and letters, emitted once the changes are durable.

use redrive_queue::{LetterEventKind, LetterLogEvent};

use super::Writer;

impl Writer {
    pub(super) fn log_events(&mut self) {
        for (queue, items) in self.state.take_lost() {
            tracing::warn!(queue = %queue, items, "dropped dead items: their queue has no dead queue");
        }
        for LetterLogEvent { queue, letter, category, turn } in self.state.take_letter_events() {
            match turn {
                LetterEventKind::Captured => tracing::info!(%letter, %queue, %category, "a letter was captured"),
                LetterEventKind::Exhausted => tracing::info!(%letter, %queue, %category, "a letter became exhausted"),
            }
        }
    }
}
