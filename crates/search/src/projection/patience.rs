//! How long to wait after failures.

use redrive_core::Span;
use redrive_store::StoreError;

use crate::client::SearchTrouble;
use crate::{SearchError, SearchSettings};

/// Twice as long after each failure, up to a limit. One client alone needs no randomness.
#[derive(Debug)]
pub(crate) struct Patience {
    min: Span,
    max: Span,
    next: Span,
}

impl Patience {
    pub(crate) fn new(settings: &SearchSettings) -> Self {
        Self { min: settings.backoff_min, max: settings.backoff_max, next: settings.backoff_min }
    }

    pub(crate) fn reset(&mut self) {
        self.next = self.min;
    }

    /// How long to wait after this one. What OpenSearch asks for counts, as far as it is no longer than the limit.
    pub(crate) fn after(&mut self, error: &SearchError) -> Span {
        let asked = match error {
            SearchError::Trouble(SearchTrouble::Busy { retry_after: Some(asked), .. }) => *asked,
            _ => Span::ZERO,
        };
        let wait = self.next.max(asked).min(self.max);
        self.next = self.next.saturating_mul(2).min(self.max);
        wait
    }

    /// Waits after a failure that may pass; gives back one that does not.
    pub(crate) async fn wait(&mut self, error: SearchError) -> Result<(), SearchError> {
        match error {
            SearchError::Trouble(
                SearchTrouble::IndexGone | SearchTrouble::Refused { .. } | SearchTrouble::Denied { .. },
            ) => Err(error),
            SearchError::Trouble(_) | SearchError::Store(StoreError::Overloaded | StoreError::Unavailable(_)) => {
                tokio::time::sleep(self.after(&error).into()).await;
                Ok(())
            }
            error => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_get_longer_up_to_a_limit_and_short_again_after_a_success() {
        let mut settings = SearchSettings::new("http://localhost");
        (settings.backoff_min, settings.backoff_max) = (Span::from_secs(1), Span::from_secs(5));
        let mut patience = Patience::new(&settings);
        let unreachable = SearchError::Trouble(SearchTrouble::Unreachable);
        let waits: Vec<u64> = (0..5).map(|_| patience.after(&unreachable).as_micros() / 1_000_000).collect();
        assert_eq!(waits, [1, 2, 4, 5, 5]);
        patience.reset();
        let asked =
            |secs| SearchError::Trouble(SearchTrouble::Busy { status: 429, retry_after: Some(Span::from_secs(secs)) });
        assert_eq!(patience.after(&asked(3)), Span::from_secs(3), "as it was asked");
        assert_eq!(patience.after(&asked(3_600)), Span::from_secs(5), "but nobody stops us for an hour");
    }
}
