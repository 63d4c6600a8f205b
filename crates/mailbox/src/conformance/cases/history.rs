//! Random histories beside a naive model.

use std::num::NonZeroU64;

use redrive_core::Span;
use redrive_testkit::seeds;

use crate::MailboxSettings;
use crate::conformance::fixture::MailboxFixture;
use crate::conformance::history::History;

/// A consumer keeps every handle it ever got, and uses old ones at any time.
pub(in crate::conformance) async fn l_stale_handles_are_refused_after_any_history(fixture: &MailboxFixture) {
    let settings = MailboxSettings::default();
    for seed in seeds(1) {
        History::new(fixture, seed, settings.clone(), MailboxSettings::of_letters()).await.run(300).await;
    }
}

pub(in crate::conformance) async fn histories_with_capacity_and_retention_match_the_model(fixture: &MailboxFixture) {
    for seed in seeds(1) {
        let settings = MailboxSettings {
            capacity: NonZeroU64::new(8),
            retention: Span::from_secs(60),
            ..MailboxSettings::default()
        };
        let letters =
            MailboxSettings { capacity: NonZeroU64::new(5), retention: Span::from_secs(90), ..settings.clone() };
        History::new(fixture, seed, settings, letters).await.run(300).await;
    }
}
