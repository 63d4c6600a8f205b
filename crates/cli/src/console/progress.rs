//! Progress of long-running commands.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressStyle};

use super::say;

/// A counter, shown as a progress bar on stderr if stderr is a terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// `total` is the expected count, if it is known.
    pub(crate) fn new(what: &'static str, total: Option<u64>) -> Self {
        let bar = match (stderr().is_terminal(), total) {
            (false, _) => ProgressBar::hidden(),
            (true, Some(total)) => {
                ProgressBar::new(total).with_style(style("{wide_bar} {pos}/{len} {msg}, {per_sec}, {eta} left"))
            }
            (true, None) => ProgressBar::new_spinner().with_style(style("{spinner} {pos} {msg} {elapsed}")),
        };
        Self(bar.with_message(what))
    }

    pub(crate) fn add(&self, count: usize) {
        self.0.inc(u64::try_from(count).unwrap_or(u64::MAX));
    }

    /// Sets the count.
    pub(crate) fn reach(&self, count: u64) {
        self.0.set_position(count);
    }

    /// Prints a message to stderr, above the bar.
    pub(crate) fn say(&self, what: impl std::fmt::Display) {
        self.0.suspend(|| say(what));
    }

    pub(crate) fn done(&self) -> u64 {
        self.0.position()
    }
}

/// Clears the bar, so that an error or a result can take its place.
impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
