//! What the log says of items and letters, once it is durable.

use redrive_queue::{LetterNews, LetterTurn};

use super::Writer;

impl Writer {
    pub(super) fn log_news(&mut self) {
        for (queue, items) in self.state.take_lost() {
            tracing::warn!(queue = %queue, items, "items died, and their queue has no dead queue: they are gone");
        }
        for LetterNews { queue, letter, category, turn } in self.state.take_letter_news() {
            match turn {
                LetterTurn::Captured => tracing::info!(%letter, %queue, %category, "a letter was captured"),
                LetterTurn::Exhausted => tracing::info!(%letter, %queue, %category, "a letter became exhausted"),
            }
        }
    }
}
